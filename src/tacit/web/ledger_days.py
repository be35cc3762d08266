"""The ledger day by day: what left on each day, with a bar whose parts add up to the day."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

from tacit.node.store.records import LedgerEntry

WIDTH, GAP = 1000, 4


@dataclass(frozen=True, slots=True)
class Amounts:
    """Bytes of some messages, by whom they are about."""

    own: float
    """What this person shares."""
    carried: float
    """What others share, passed on."""
    greetings: float
    """Names, addresses, and which versions of lists are here."""

    def __add__(self, other: Amounts) -> Amounts:
        return Amounts(self.own + other.own, self.carried + other.carried, self.greetings + other.greetings)


@dataclass(frozen=True, slots=True)
class Day:
    """What left on one day."""

    date: date
    entries: list[LedgerEntry]
    """Newest first."""
    bytes: int
    amounts: Amounts
    bar: list[tuple[float, float, str]]
    """(start, width, class name) of each part, on a scale on which the day with most is WIDTH wide."""


def days(entries: Iterable[LedgerEntry]) -> list[Day]:
    """Days on which something left, newest first, from entries in that order.

    >>> one = LedgerEntry(1, 0.0, "a", "list", 4, 3, 400, 1.0)
    >>> [(day.bytes, day.amounts.own, day.amounts.carried) for day in days([one])]
    [(400, 300.0, 100.0)]
    """
    found = [(when, list(some)) for when, some in groupby(entries, key=_day)]
    sizes = [sum(entry.bytes for entry in some) for _, some in found]
    most = max(sizes, default=0) or 1
    made = []
    for (when, some), size in zip(found, sizes, strict=True):
        amounts = sum((_amounts(entry) for entry in some), Amounts(0, 0, 0))
        made.append(Day(when, some, size, amounts, _bar(amounts, WIDTH / most)))
    return made


def _amounts(entry: LedgerEntry) -> Amounts:
    if not entry.rows:
        return Amounts(0, 0, entry.bytes)
    own = entry.bytes * entry.rows_rated / entry.rows if entry.kind == "list" else entry.bytes
    return Amounts(own, entry.bytes - own, 0)


def _bar(amounts: Amounts, scale: float) -> list[tuple[float, float, str]]:
    found, start = [], 0.0
    for part, look in ((amounts.own, "mine"), (amounts.carried, "rest"), (amounts.greetings, "against")):
        if part:
            width = max(1.0, part * scale - GAP)
            found.append((round(start, 1), round(width, 1), look))
            start += width + GAP
    return found


def _day(entry: LedgerEntry) -> date:
    return datetime.fromtimestamp(entry.time).date()
