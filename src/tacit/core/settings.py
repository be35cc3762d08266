"""Kinds of parameter values: each can read a text, and can say in words what it allows.

k: int = setting(5, "number of latent factors", Whole(0))        # in a model's dataclass of parameters
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from tacit.core.errors import BadInput

Value = str | int | float | bool | None


class Kind(Protocol):
    """How a parameter is read."""

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        ...

    def parse(self, text: str) -> Value:
        """The value; ValueError when it is not allowed."""
        ...


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number."""

    low: int = 0

    @property
    def allowed(self) -> str:
        """In words."""
        return f"a whole number from {self.low}"

    def parse(self, text: str) -> Value:
        """Read it."""
        value = int(text)
        if not self.low <= value < 2**62:
            raise ValueError(text)
        return value


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a range; `open_low` leaves out the lower end itself."""

    low: float = 0.0
    high: float = 1e15
    open_low: bool = False

    @property
    def allowed(self) -> str:
        """In words."""
        low = f"above {self.low:g}" if self.open_low else f"from {self.low:g}"
        return f"a number {low}" + (f", at most {self.high:g}" if self.high < 1e15 else "")

    def parse(self, text: str) -> Value:
        """Read it; NaN and infinity are outside every range."""
        value = float(text)
        if not self.low <= value <= self.high or (self.open_low and value == self.low):
            raise ValueError(text)
        return value


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole, as a number or as a fraction."""

    allowed: str = "a number above 0, at most 1, or a fraction such as 1/375"

    def parse(self, text: str) -> Value:
        """Read it."""
        over, slash, under = text.partition("/")
        try:
            value = float(over) / float(under) if slash else float(over)
        except ZeroDivisionError:
            raise ValueError(text) from None
        if not 0 < value <= 1:
            raise ValueError(text)
        return value


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words, or another kind of value."""

    words: tuple[str, ...]
    other: Kind | None = None

    @property
    def allowed(self) -> str:
        """In words."""
        return ", ".join(self.words) + (f", or {self.other.allowed}" if self.other else "")

    def parse(self, text: str) -> Value:
        """Read it."""
        if text in self.words:
            return text
        if self.other is None:
            raise ValueError(text)
        return self.other.parse(text)


@dataclass(frozen=True, slots=True)
class Switch:
    """True or false."""

    allowed: str = "true or false"

    def parse(self, text: str) -> Value:
        """Read it."""
        if text.lower() not in ("true", "false"):
            raise ValueError(text)
        return text.lower() == "true"


@dataclass(frozen=True, slots=True)
class Text:
    """Any text; `allowed` says what makes sense."""

    allowed: str

    def parse(self, text: str) -> Value:
        """Read it."""
        return text


@dataclass(frozen=True, slots=True)
class Part(Text):
    """The name of a part, which may have parameters of its own."""


@dataclass(frozen=True, slots=True)
class NumberOrFile:
    """A number for all, or a file with one a user."""

    number: Number
    file: str
    """What the file holds, in words."""

    @property
    def allowed(self) -> str:
        """In words."""
        return f"{self.number.allowed}, or {self.file}"

    def parse(self, text: str) -> Value:
        """Read the number; the file is read once the users are known."""
        try:
            float(text)
        except ValueError:
            if not text.lower().endswith((".csv", ".tsv", ".parquet")):
                raise
            return text
        return self.number.parse(text)


@dataclass(frozen=True, slots=True)
class Scale:
    """The lowest and the highest rating."""

    allowed: str = "LOW,HIGH such as 1,5"

    def parse(self, text: str) -> Value:
        """Read it."""
        low, high = (float(part) for part in text.split(","))
        if not -1e9 < low < high < 1e9:
            raise ValueError(text)
        return f"{low:g},{high:g}"


@dataclass(frozen=True, slots=True)
class Maybe:
    """Another kind, or none."""

    kind: Kind

    @property
    def allowed(self) -> str:
        """In words."""
        return f"{self.kind.allowed}, or none"

    def parse(self, text: str) -> Value:
        """Read it."""
        return None if text.lower() == "none" else self.kind.parse(text)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One setting of a run: its key, default, meaning and kind."""

    key: str
    default: Value
    help: str
    kind: Kind
    later: bool = False
    """Whether runs were kept before it existed: at its default it makes no other run of them."""

    def parse(self, value: object, where: str) -> Value:
        """A checked value, or one line that says what is wrong with it."""
        text = "none" if value is None else str(value)
        try:
            return self.kind.parse(text)
        except (ValueError, OverflowError):
            raise BadInput(self.key, got=text or "nothing", allowed=self.kind.allowed, where=where) from None


def setting(default: Value, help: str, kind: Kind, *, later: bool = False) -> Any:  # noqa: A002 - the word users see
    """A dataclass field that users can set, with its meaning beside it; `later` as of a `Parameter`."""
    return field(default=default, metadata={"help": help, "kind": kind, "later": later})
