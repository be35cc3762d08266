"""What every kind of part must have. A part of another package is checked when it is loaded, in one line each."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any

from tacit.core.errors import BadInput
from tacit.core.settings import settings_of
from tacit.core.where import where_defined, where_raised

_PARTS = ("merge", "peers", "shield", "baseline")
"""Settings of a protocol that may hold a part: they are found by name, too."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What a kind of part is made of."""

    attributes: str = ""
    calls: Mapping[str, str] = field(default_factory=dict)
    """Its methods and compiled functions, with the names of what each gets."""
    made: bool = True
    """Whether it is a frozen dataclass whose fields are its settings."""


NEEDS = {
    "model": Needs(
        "name kernels fields row_width dense_size private_size",
        {
            "hyper": "",
            "kernels.init_rows": "seed node rows dense hyper",
            "kernels.init_private": "seed node private hyper",
            "kernels.learn": "node own draws hyper",
            "kernels.score": "rows dense private item hyper",
            "kernels.unseen": "private hyper",
        },
    ),
    "merge": Needs("name"),  # rows by weight, or whole models by basis: see below
    "sampler": Needs("name shape", {"pick": "seed node event candidates shape"}),
    "shield": Needs("", {"apply": "update rated draws"}),
    "baseline": Needs("", {"fit": "train seed workers"}),
    "protocol": Needs("name about", {"build": "scenario", "memory": "model train size"}),
    "split": Needs("", {"held_out": "table seed"}),
    "attack": Needs("name against", {"look": "run tell"}, made=False),
    "evaluation": Needs(
        "",
        {"__init__": "experiment workers", "measure": "simulation online", "per_user": "simulation"},
        made=False,
    ),
    "ranking": Needs("", {"": "hits relevant"}, made=False),
    "source": Needs("name title files licence citation", made=False),
}
"""By the attribute that a module holds such a part under."""
_ROW_MERGE = Needs("name shape", {"weight": "age their_age shape"})
_COMPILED = ("kernels.", "weight", "pick")


def check_part(attribute: str, part: Any, what: str) -> Any:
    """The same class; or one line about what is missing or wrong in it, and where it is."""
    needs = NEEDS.get(attribute)
    if needs is None:
        return part
    title = f"{what} {getattr(part, '__name__', part)}"
    sample = _sample(title, part) if needs.made else part
    if sample is not None:
        check_made(attribute, sample, title)
    if needs.made:
        _check_settings(title, part, attribute)
    return part


def missing_in(attribute: str, sample: Any) -> list[str]:
    """What a part of this kind needs and this one does not have."""
    needs = _needs(attribute, sample)
    first, *others = needs.attributes.split() or [""]
    wanted = dict.fromkeys([first, *(name.partition(".")[0] for name in needs.calls), *others])
    return [name for name in filter(None, wanted) if not _has(sample, name)]


def wanted_of(attribute: str) -> str:
    """What a part of this kind is made of, in words."""
    return _wanted(NEEDS[attribute])


def _needs(attribute: str, sample: Any) -> Needs:
    row_merge = attribute == "merge" and not hasattr(sample, "basis")
    return _ROW_MERGE if row_merge else NEEDS[attribute]


def check_made(attribute: str, sample: Any, title: str) -> None:
    """See that a part with its settings has what its kind needs."""
    needs = _needs(attribute, sample)
    missing = missing_in(attribute, sample)
    if missing:
        where = where_defined(sample)
        raise BadInput(f"{title} has no {', '.join(missing)}", allowed=_wanted(needs), where=where)
    for name, gets in needs.calls.items():
        _check_call(title, sample, name, gets)
    if attribute == "model":
        _check_sizes(title, sample)
        _check_hyper(title, sample)
    if attribute == "protocol" and not hasattr(sample, "run_defaults"):
        allowed = f"class {type(sample).__name__}(Protocol), with Protocol of tacit.extending"
        raise BadInput(f"{title} is no Protocol", allowed=allowed, where=where_defined(sample))
    if attribute == "evaluation" and not is_dataclass(sample.Settings):
        allowed, where = "Settings that are a frozen dataclass", where_defined(sample)
        raise BadInput(title, got=f"Settings = {sample.Settings!r}", allowed=allowed, where=where)
    if attribute == "attack" and isinstance(sample.against, str):
        got, where = f"against = {sample.against!r}", where_defined(sample)
        raise BadInput(title, got=got, allowed=f"a tuple of names: ({sample.against!r},)", where=where)


def _check_sizes(title: str, sample: Any) -> None:
    for name in ("row_width", "dense_size", "private_size"):
        size = getattr(sample, name)
        if not isinstance(size, int) or size < 0:
            allowed, where = "a whole number from 0", where_defined(sample)
            raise BadInput(f"{title}: {name}", got=repr(size), allowed=allowed, where=where)


def _check_hyper(title: str, sample: Any) -> None:
    """The numbers of a model come as a named tuple: compiled code knows no other record."""
    try:
        hyper = sample.hyper()
    except Exception as error:
        raise BadInput(f"{title}: hyper(): {_said(error)}", where=where_raised(error)) from None
    if not hasattr(hyper, "_fields"):
        got, where = f"a {type(hyper).__name__}", where_defined(type(sample).hyper)
        raise BadInput(f"{title}: hyper()", got=got, allowed="a named tuple of numbers", where=where)


def _sample(title: str, part: Any) -> Any:
    """One of it with its defaults; None where it says itself that it needs something of the data first."""
    if not isinstance(part, type) or not is_dataclass(part):
        allowed = "a class under @dataclass(frozen=True), whose fields are its settings"
        raise BadInput(f"{title} is no dataclass", allowed=allowed, where=where_defined(part))
    if not part.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        raise BadInput(f"{title} is not frozen", allowed="@dataclass(frozen=True)", where=where_defined(part))
    bare = [
        one.name
        for one in fields(part)
        if one.init and one.default is MISSING and one.default_factory is MISSING
    ]
    if bare:
        raise BadInput(f"{title}: {bare[0]} has no default", allowed="one each", where=where_defined(part))
    try:
        return part()
    except BadInput:
        return None
    except Exception as error:
        where = where_raised(error) or where_defined(part)
        raise BadInput(f"{title} cannot be made with its defaults: {_said(error)}", where=where) from None


def _has(sample: Any, name: str) -> bool:
    """Whether it is there; one that is there and fails is another mistake."""
    try:
        return getattr(sample, name) is not None
    except Exception as error:
        if not hasattr(type(sample), name):
            return False
        where = where_raised(error) or where_defined(sample)
        raise BadInput(f"{name} of {type(sample).__name__}: {_said(error)}", where=where) from None


def _check_call(title: str, sample: Any, name: str, gets: str) -> None:
    """It takes what it will be given, and it is compiled where it must be."""
    called: Any = sample
    for step in filter(None, name.split(".")):
        called = getattr(called, step, None)
        if called is None:
            raise BadInput(f"{title} has no {step}({gets.replace(' ', ', ')})", where=where_defined(sample))
    own = name.rpartition(".")[2] or getattr(sample, "__name__", "it")
    if not callable(called):
        raise BadInput(
            f"{title}: {own} is a {type(called).__name__}", allowed="a function", where=where_defined(sample)
        )
    if name.startswith(_COMPILED) and not hasattr(called, "py_func"):
        where = where_defined(called)
        raise BadInput(f"{title}: {own} is plain Python", allowed="a function under @kernel", where=where)
    plain: Callable[..., Any] = getattr(called, "py_func", called)
    given = gets.split()
    if isinstance(sample, type):
        given = ["self", *given]
    try:
        inspect.signature(plain).bind(*given)
    except TypeError:
        got = f"{own}({', '.join(inspect.signature(plain).parameters)})"
        raise BadInput(
            title, got=got, allowed=f"{own}({', '.join(given)})", where=where_defined(plain)
        ) from None


def _check_settings(title: str, part: Any, attribute: str) -> None:
    """Every default is of its type, and a part in a setting can be found by name."""
    try:
        found = settings_of(part)
    except NameError as error:
        raise BadInput(f"{title}: {_said(error)} in a type", where=where_defined(part)) from None
    for key, one in found.items():
        if one.part and (attribute != "protocol" or key not in _PARTS):
            allowed = f"parts of a protocol, called {', '.join(_PARTS)}"
            raise BadInput(f"{title}: setting {key} holds a part", allowed=allowed, where=where_defined(part))
        if not one.part:
            try:
                one.read(one.default, "")
            except BadInput as wrong:
                raise BadInput(f"{title}: default of {wrong}", where=where_defined(part)) from None


def _wanted(needs: Needs) -> str:
    """All that such a part has, in words."""
    calls = [f"{name}({', '.join(gets.split())})" for name, gets in needs.calls.items() if "." not in name]
    return f"a part with {', '.join([*needs.attributes.split(), *calls])}"


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
