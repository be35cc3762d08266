"""The registry: models, merges, protocols and other parts, found by name and built from settings.

Built-in parts are modules of a package, outside ones come by entry point. A merge called `age-average` is
`tacit.merges.age_average`; another package adds one with

    [project.entry-points."tacit.merges"]
    my-merge = "my_package.my_merge"

Either way the module holds the part under one agreed attribute. A part is a frozen dataclass, and the settings that
it declares (`model.k`, `merge.degree`) are in its file. A part can also be in a file without a package (`./mine.py`,
see part_files.py). Or it is an object of a class that a script or a notebook defines (`named`).
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from pathlib import Path
from typing import Any

from tacit.core.errors import BadInput, unknown
from tacit.core.part_checks import check_part
from tacit.core.part_files import DIGITS, is_part_file, part_in_file
from tacit.core.settings import Flat, Setting, flatten, name_of, settings_of
from tacit.core.where import where_defined, where_raised

PARTS = {
    "model": ("tacit.models", "model"),
    "merge": ("tacit.merges", "merge"),
    "peers": ("tacit.peer_sampling", "sampler"),
    "shield": ("tacit.privacy", "shield"),
    "baseline": ("tacit.baselines", "baseline"),
}
"""Which package the parts named by a parameter are found in, and what their modules call them."""
KINDS = PARTS | {
    "protocol": ("tacit.protocols", "protocol"),
    "split": ("tacit.data.splits", "split"),
    "evaluate": ("tacit.experiment.evaluations", "evaluation"),
    "evaluate.metric": ("tacit.metrics", "ranking"),
    "attack": ("tacit.attacks", "attack"),
}
"""The same with the parts that every run has, and with attacks."""
GROUPS = {
    "tacit.peer_sampling": "tacit.peers",
    "tacit.privacy": "tacit.shields",
    "tacit.data.splits": "tacit.splits",
    "tacit.experiment.evaluations": "tacit.evaluations",
}
"""Groups of entry points that are named by the setting and not by the package; published names stay."""
_MET: dict[tuple[str, str], tuple[Any, str]] = {}
"""Parts of files and notebooks that this process has loaded, and where, by kind and name. A name has a hash of the
code in it, so that it always means the same."""


def find(package: str, attribute: str, name: str, what: str = "", also: Iterable[str] = ()) -> Any:
    """The part called `name`, or an error that lists what there is, and what there is `also`.

    `what` names the setting in the error.
    """
    what = what or package.rsplit(".", 1)[-1].removesuffix("s")
    name = _meet_file(attribute, name, what) if is_part_file(name) else name
    if (attribute, name) in _MET:
        return _MET[attribute, name][0]
    module = _own(package, attribute).get(name)
    if module is not None and hasattr(import_module(module), attribute):
        return getattr(import_module(module), attribute)
    for entry in _outside(package):
        if entry.name == name:
            return _loaded(entry, attribute, what)
    if "@" in name:
        allowed = "the part itself, given again: its file (./mine.py), or in Python the object"
        raise BadInput(what, got=f"{name}, which has no package", allowed=allowed)
    raise unknown(what, name, [*also, *_listed(package, attribute)])


def offered(package: str, attribute: str) -> dict[str, Any]:
    """Every part of a package that some module holds under `attribute`, by name; other modules are passed over."""
    loaded = {name: import_module(module) for name, module in _own(package, attribute).items()}
    own = {name: getattr(module, attribute) for name, module in loaded.items() if hasattr(module, attribute)}
    return own | added(package, attribute)


def added(package: str, attribute: str) -> dict[str, Any]:
    """The parts that installed packages add by entry point, by name; broken ones are left out (see `broken`)."""
    return {name: part for name, part in _tried(package, attribute) if not isinstance(part, BadInput)}


def broken(package: str, attribute: str) -> dict[str, str]:
    """Parts of installed packages that cannot be used, and why."""
    return {name: str(part) for name, part in _tried(package, attribute) if isinstance(part, BadInput)}


def named(kind: str, part: Any) -> str:
    """What a part's class is called: by the registry, else by its own name and a hash of its code."""
    package, attribute = KINDS[kind]
    name = name_of(part)
    if any(one is part for one in _known_as(package, attribute, name)):
        return name
    from tacit.core.compiled.fingerprint import part_fingerprint

    check_part(attribute, part, kind)
    own = getattr(part, "name", "") or part.__name__
    local = f"{own}@{part_fingerprint(part)[:DIGITS]}"
    _MET[attribute, local] = part, f"class {part.__qualname__}, {where_defined(part)}"
    return local


def lasting(kind: str, name: str) -> str:
    """A name for a run's parameters: that of a file is followed by a hash of its content."""
    return _meet_file(KINDS[kind][1], name, kind) if is_part_file(name) else name


def origin(kind: str, name: str) -> str | None:
    """Where a part without a package comes from: a file's path, or a class; None for all others."""
    return _MET.get((KINDS[kind][1], name), (None, None))[1]


def spelled_out(kind: str, part: Any) -> Flat:
    """A part as settings by name: what it is called, and its own settings; those of a protocol have no prefix."""
    if isinstance(part, type) or kind == "evaluate.metric":
        return {kind: named(kind, part)}
    return {kind: _checked(kind, part), **flatten(part, _prefix(kind), _checked)}


def _checked(kind: str, part: Any) -> str:
    """What the class of an object is called; its values are checked, and that it is an object at all."""
    if isinstance(part, type):
        raise BadInput(kind, got=f"the class {part.__name__}", allowed=f"an object: {part.__name__}()")
    if isinstance(part, str):
        allowed = f"an object such as those of {KINDS[kind][0]}; a name or a file goes by itself: {kind}=NAME"
        raise BadInput(kind, got=repr(part), allowed=allowed)
    owner: Any = type(part)
    name = named(kind, owner)
    _check_given(kind, part)
    for one in settings_of(owner, _prefix(kind)).values():
        if not one.part:
            _check_value(one, getattr(part, one.field), owner.__name__)
    return name


def _check_value(one: Setting, value: object, where: str) -> None:
    """Check a value in an object: there a number is no text, other than on a command line."""
    read = one.read(value, where)
    if isinstance(value, str) and isinstance(read, int | float) and "/" not in value:
        raise BadInput(one.key, got=repr(value), allowed=one.allowed, where=where)


def _prefix(kind: str) -> str:
    """What the names of a part's own settings begin with."""
    return "" if kind == "protocol" else f"{kind}."


def part_settings(kind: str, name: str) -> Mapping[str, Setting]:
    """The settings that a part declares, by their full names."""
    return settings_of(find(*PARTS[kind], name, kind), f"{kind}.")


def build_part(kind: str, flat: Mapping[str, Any], **more: Any) -> Any:
    """The part that `flat[kind]` names, with its own settings; `more` fills fields that come from data."""
    return construct(find(*KINDS[kind], str(flat[kind]), kind), flat, f"{kind}.", **more)


def construct(owner: type, flat: Mapping[str, Any], prefix: str = "", **more: Any) -> Any:
    """A record from settings by name; `more` are fields that users do not set, dropped where there is no such field."""
    values = {
        one.field: build_part(one.part, flat) if one.part else flat[key]
        for key, one in settings_of(owner, prefix).items()
        if key in flat
    }
    known = {one.name for one in fields(owner) if one.init}
    return owner(**values, **{name: value for name, value in more.items() if name in known})


def _check_given(kind: str, part: Any) -> None:
    """Refuse a value in a field that is no setting: it would not be recorded, and not be the same the next time."""
    for one in fields(part):
        value = getattr(part, one.name)
        same = value is one.default or (type(value) is type(one.default) and value == one.default)
        if one.init and "help" not in one.metadata and not same:
            allowed = "a field declared with setting(...); fields that are not are filled from the data"
            got = f"{one.name}={value!r}"
            raise BadInput(
                f"{kind} {type(part).__name__}", got=got, allowed=allowed, where=where_defined(type(part))
            )


def _meet_file(attribute: str, name: str, what: str) -> str:
    part, local, path = part_in_file(name, attribute, what)
    if (attribute, local) not in _MET:
        check_part(attribute, part, what)
    _MET[attribute, local] = part, path
    return local


def _known_as(package: str, attribute: str, name: str) -> Iterator[Any]:
    """What the registry has under a name, if anything."""
    module = _own(package, attribute).get(name)
    if module is not None:
        yield getattr(import_module(module), attribute, None)
    for entry in _outside(package):
        if entry.name == name:
            with suppress(BadInput):
                yield _loaded(entry, attribute, name)


def _tried(package: str, attribute: str) -> Iterator[tuple[str, Any]]:
    """Every outside part, or what is wrong with it."""
    what, own = package.rsplit(".", 1)[-1].removesuffix("s"), _own(package, attribute)
    for entry in _outside(package):
        try:
            if entry.name in own:
                got = f"the name of one of tacit's own, for {entry.value}"
                raise BadInput(f"{what} {entry.name}", got=got, allowed="another name")
            yield entry.name, _loaded(entry, attribute, what)
        except BadInput as wrong:
            yield entry.name, wrong


def _loaded(entry: EntryPoint, attribute: str, what: str) -> Any:
    """An outside part, checked: it can be imported, it is where it should be, and it has one name."""
    try:
        module = entry.load()
    except (Exception, SystemExit) as error:
        said = f"{type(error).__name__}: {error}"
        raise BadInput(f"{what} {entry.name} cannot be loaded: {said}", where=where_raised(error)) from None
    if not hasattr(module, attribute):
        allowed = f"a line such as {attribute} = MyClass in it"
        raise BadInput(f"{what} {entry.name}: {entry.value} has no `{attribute}`", allowed=allowed)
    part = getattr(module, attribute)
    own = getattr(part, "name", entry.name)
    if isinstance(own, str) and own != entry.name:
        allowed = "the same name in both places"
        raise BadInput(
            f"{what} {entry.name}", got=f"name = {own!r} in its class", allowed=allowed, where=entry.value
        )
    return check_part(attribute, part, what)


def _listed(package: str, attribute: str) -> list[str]:
    """The names of all parts; of a broken one also why."""
    wrong = broken(package, attribute)
    return [*offered(package, attribute), *(f"{name} (broken: {why})" for name, why in wrong.items())]


@cache
def _outside(package: str) -> EntryPoints:
    """What installed packages add; to look takes milliseconds, and a run asks dozens of times."""
    return entry_points(group=GROUPS.get(package, package))


def _own(package: str, attribute: str) -> dict[str, str]:
    """The modules of a package by the names they give. A folder's part is in the file named by the attribute."""
    path = getattr(import_module(package), "__path__", [])
    return {
        m.name.replace("_", "-"): f"{package}.{m.name}" + (f".{attribute}" if m.ispkg else "")
        for m in pkgutil.iter_modules(path)
        if not m.ispkg or any((Path(folder) / m.name / f"{attribute}.py").is_file() for folder in path)
    }
