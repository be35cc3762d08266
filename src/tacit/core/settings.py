"""Settings: how one is declared, read, checked and explained.

    k: Whole = setting(5, "number of latent factors")        # in a frozen dataclass

The type says what is allowed, msgspec checks it, and the words for it are made from the type. Names that users write
(`model.k`, `graph.degree`) are the fields' own names, with a prefix, unless `key` says otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from numbers import Integral
from types import UnionType
from typing import Annotated, Any, Literal, TypeGuard, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from tacit.core.errors import BadInput

Value = str | int | float | bool | None
Flat = dict[str, Value]
"""All settings of something by their full names."""


@dataclass(frozen=True, slots=True)
class Reads:
    """How a text is read where its type does not say everything. `read` raises ValueError for what is not allowed."""

    read: Callable[[str], Value]
    allowed: str


TABLES = (".csv", ".tsv", ".parquet")


def is_table(text: object) -> bool:
    """Whether a setting's value is the name of a table.

    >>> is_table("pi.csv"), is_table("0.5"), is_table(1)
    (True, False, False)
    """
    return isinstance(text, str) and text.lower().endswith(TABLES)


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value of Python is a whole number; True and False are none."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def _fraction(text: str) -> float:
    over, slash, under = text.partition("/")
    try:
        return float(over) / float(under) if slash else float(over)
    except ZeroDivisionError:
        raise ValueError(text) from None


Whole = Annotated[int, Meta(ge=0, lt=2**62)]
Count = Annotated[int, Meta(ge=1, lt=2**62)]
NonNegative = Annotated[float, Meta(ge=0, le=1e15)]
Positive = Annotated[float, Meta(gt=0, le=1e15)]
UnitInterval = Annotated[float, Meta(ge=0, le=1)]
Proportion = Annotated[float, Meta(gt=0, le=1)]
Share = Annotated[
    float, Meta(gt=0, le=1), Reads(_fraction, "a number above 0, at most 1, or a fraction such as 1/375")
]


def setting(default: Any, help: str, *, key: str = "", later: bool = False) -> Any:  # noqa: A002 - users see it
    """A dataclass field that users can set, with its meaning beside it.

    Args:
        default: its value unless it is set; for a part (a merge, a sampler) the part itself.
        help: what it means, for `tacit show` and the docs.
        key: what users call it, where that is not the field's name.
        later: whether there are saved runs from before it existed: at its default it is the same run.
    """
    return field(default=default, metadata={"help": help, "key": key, "later": later})


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as users meet it."""

    key: str
    field: str
    default: Value
    help: str
    type: Any
    later: bool = False
    part: str = ""
    """The kind of part it names (`merge`), where it does."""

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        what = {"peers": "sampler"}.get(self.part, self.part)
        return f"a {what}'s name or file" if self.part else words(self.type)

    def read(self, value: object, where: str) -> Value:
        """A checked value, or one line that says what is wrong with it."""
        try:
            return _read(value, self.type)
        except (ValueError, OverflowError, msgspec.ValidationError):
            got = "none" if value is None else str(value) or "nothing"
            raise BadInput(self.key, got=got, allowed=self.allowed, where=where) from None


@cache
def settings_of(owner: Any, prefix: str = "") -> Mapping[str, Setting]:
    """The settings that a class declares, by the names users write."""
    hints = get_type_hints(owner, include_extras=True)
    found = {}
    for one in fields(owner):
        if "help" not in one.metadata:
            continue
        key = prefix + (one.metadata["key"] or one.name)
        kind = key if hasattr(one.default, "__dataclass_fields__") else ""
        default: Any = name_of(one.default) if kind else one.default
        hint = str if kind else hints[one.name]
        found[key] = Setting(key, one.name, default, one.metadata["help"], hint, one.metadata["later"], kind)
    return found


def flatten(record: Any, prefix: str = "", name: Callable[[str, Any], str] | None = None) -> Flat:
    """A record's settings by the names users write, those of its parts included; `name` says what a part is called."""
    flat: Flat = {}
    owner: Any = type(record)
    for key, one in settings_of(owner, prefix).items():
        value = getattr(record, one.field)
        flat[key] = (name(key, value) if name else name_of(value)) if one.part else value
        if one.part:
            flat |= flatten(value, f"{key}.", name)
    return flat


def name_of(part: Any) -> str:
    """What users call a part, or its class: its own name, else that of its file."""
    own = getattr(part, "name", "")
    home = part if hasattr(part, "__qualname__") else type(part)
    return own or home.__module__.rpartition(".")[2].replace("_", "-")


def words(hint: Any) -> str:
    """What a type allows, in words.

    >>> words(Count), words(Positive), words(Literal["low", "high"] | Positive), words(Whole | None)
    ('a whole number from 1', 'a number above 0', 'low, high, or a number above 0', 'a whole number from 0, or none')
    """
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        choices = [words(one) for one in args if one is not type(None)]
        return ", or ".join([*choices, *(["none"] if type(None) in args else [])])
    if origin is Literal:
        return ", ".join(map(str, args))
    base, *notes = args if origin is Annotated else (hint,)
    for one in notes:
        said = one.allowed if isinstance(one, Reads) else getattr(one, "description", None)
        if said:
            return str(said)
    limits = next((one for one in notes if isinstance(one, Meta)), Meta())
    return {bool: "true or false", int: "a whole number", float: "a number"}.get(base, "any text") + (
        _limits(limits) if base in (int, float) else ""
    )


def _limits(meta: Meta) -> str:
    low = (
        f" above {meta.gt:g}" if meta.gt is not None else f" from {meta.ge:g}" if meta.ge is not None else ""
    )
    high = f", at most {meta.le:g}" if meta.le is not None and meta.le < 1e15 else ""
    return low + high


def _kinds(hint: Any) -> set[Any]:
    """The plain types and the words that a type is made of."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return set().union(*(_kinds(one) for one in args))
    if origin is Literal:
        return set(args)
    return {args[0] if origin is Annotated else hint}


def _read(value: object, hint: Any) -> Value:
    """A value of the type, from what was given or from its text."""
    kinds = _kinds(hint)
    value = value.item() if hasattr(value, "item") else value  # a number of NumPy's
    text = "none" if value is None else str(value).strip()
    for one in get_args(hint)[1:] if get_origin(hint) is Annotated else ():
        if isinstance(one, Reads):
            return _checked(one.read(text), hint)
    if type(None) in kinds and text.lower() == "none":
        return None
    if text in kinds:
        return text
    if bool in kinds and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if int in kinds:
        return _checked(int(text), hint)
    return _checked(float(text) if float in kinds else text, hint)


def _checked(value: Value, hint: Any) -> Value:
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(value)
    read: Value = msgspec.convert(value, hint)
    return read
