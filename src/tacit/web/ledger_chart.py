"""The bar chart of the ledger: rows sent over time, as numbers that the template draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tacit.node.store.records import LedgerEntry

BARS = 24
HEIGHT = 100


@dataclass(frozen=True, slots=True)
class Bar:
    """One stretch of time."""

    start: float
    rows: int
    rated: int
    tall: int
    """Height of the whole bar, of HEIGHT."""
    dark: int
    """Height of the part about items the person rated."""


def bars(entries: Sequence[LedgerEntry], count: int = BARS) -> list[Bar]:
    """Stretches of equal length from the first entry to the last; empty where nothing left.

    >>> first = LedgerEntry(1, 0.0, "a", "update", 10, 4, 1, 1.0)
    >>> last = LedgerEntry(2, 9.0, "a", "update", 5, 0, 1, 1.0)
    >>> [bar.rows for bar in bars([first, last], 2)]
    [10, 5]
    """
    if not entries:
        return []
    first, last = min(e.time for e in entries), max(e.time for e in entries)
    width = max((last - first) / count, 1.0)
    rows, rated = [0] * count, [0] * count
    for entry in entries:
        place = min(int((entry.time - first) / width), count - 1)
        rows[place] += entry.rows
        rated[place] += entry.rows_rated
    most = max(*rows, 1)
    scaled = [(round(HEIGHT * r / most), round(HEIGHT * d / most)) for r, d in zip(rows, rated, strict=True)]
    return [Bar(first + i * width, rows[i], rated[i], *scaled[i]) for i in range(count)]
