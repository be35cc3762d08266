"""A part in a file of one's own: `./mine.py` defines one, `./mine.py:Mine` says which.

A file is loaded once per content. What it is called afterwards, `mine.py@1a2b3c4d`, has the beginning of the file's
SHA-256: the same name always means the same text.
"""

from __future__ import annotations

import re
import sys
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from tacit.core.errors import BadInput
from tacit.core.part_checks import NEEDS, missing_in, wanted_of
from tacit.core.where import where_raised

_FILE = re.compile(r"(?P<path>.+\.py)(?::(?P<wanted>\w+))?", re.DOTALL)
DIGITS = 8
"""Of a hash, in a name."""


def is_part_file(name: str) -> bool:
    """Whether a name leads to a file.

    >>> [is_part_file(name) for name in ("./mine.py", "mine.py:Mine", "mf", "mine.py:Mine@1a2b3c4d")]
    [True, True, False, False]
    """
    return _FILE.fullmatch(name) is not None


def part_in_file(name: str, attribute: str, what: str) -> tuple[Any, str, str]:
    """The part that a file defines, what it is called from now on, and the file's whole path."""
    found = _FILE.fullmatch(name)
    assert found is not None
    file, wanted = Path(found["path"]).expanduser(), found["wanted"] or ""
    digest = file_digits(file, what)
    whole = file.resolve()
    part = _chosen(_load(whole, digest, what), attribute, wanted, what, file)
    return part, f"{file.name}{f':{wanted}' if wanted else ''}@{digest}", str(whole)


def file_digits(file: Path, what: str) -> str:
    """The beginning of a hash of a file's content."""
    try:
        return sha256(file.read_bytes()).hexdigest()[:DIGITS]
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(what, got=file, allowed="a file that can be read", where=reason) from None


def _load(file: Path, digest: str, what: str) -> ModuleType:
    """The module; the file's folder is where it may import its neighbours from."""
    name = f"{file.stem}_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(file.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        said = f"{type(error).__name__}: {getattr(error, 'msg', error)}"
        raise BadInput(f"{what}: {file.name} cannot be loaded: {said}", where=where_raised(error)) from None
    finally:
        sys.path.remove(str(file.parent))
    return module


def _chosen(module: ModuleType, attribute: str, wanted: str, what: str, file: Path) -> Any:
    """The part that was asked for by name, else the one with the agreed name, else the only one there is."""
    if wanted:
        if hasattr(module, wanted):
            return getattr(module, wanted)
        raise BadInput(
            what, got=f"{file.name}:{wanted}", allowed=f"a name that {file.name} defines", where=file
        )
    if hasattr(module, attribute):
        return getattr(module, attribute)
    own = [one for one in vars(module).values() if getattr(one, "__module__", "") == module.__name__]
    found = [one for one in own if _could_be(one, attribute)]
    if len(found) == 1:
        return found[0]
    classes = [one for one in own if isinstance(one, type)]
    unfinished = len(classes) == 1 and not any(_could_be(classes[0], kind) for kind in NEEDS)
    if unfinished and hasattr(classes[0], "name"):
        lacking = ", ".join(missing_in(attribute, classes[0]))
        raise BadInput(
            f"{what} {classes[0].__name__} has no {lacking}", allowed=wanted_of(attribute), where=file
        )
    names = ", ".join(f"{file}:{one.__name__}" for one in found)
    allowed = (
        f"one of {names}"
        if found
        else f"a file that defines one, or has a line such as {attribute} = MyClass"
    )
    raise BadInput(what, got=f"{file.name}, which defines {'several' if found else 'none'}", allowed=allowed)


def _could_be(thing: Any, attribute: str) -> bool:
    """Whether it has what belongs to this kind of part and to no other."""
    if attribute == "ranking":
        return callable(thing) and not isinstance(thing, type) and not hasattr(thing, "py_func")
    needs = NEEDS[attribute]
    first = [name.partition(".")[0] for name in needs.calls]
    telling = {"merge": ["weight", "basis"], "evaluation": ["measure", "per_user"]}.get(attribute, first)
    return isinstance(thing, type) and any(
        hasattr(thing, name) or name in getattr(thing, "__dataclass_fields__", {}) for name in telling
    )
