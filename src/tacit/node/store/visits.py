"""Visits: what was shown to a person, so that a list can say what is new since last time."""

from __future__ import annotations

from collections.abc import Iterable

from tacit.node.store.database import Store
from tacit.node.store.ratings import signed

VISIT = 1_800.0
"""Seconds after which looking at the page again is another visit."""


class Visits:
    """In which visit a title was first shown."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def new(self, person: str, rows: Iterable[int], now: float, gap: float = VISIT) -> set[int]:
        """Which of these rows were not shown in an earlier visit; all of them in the first. Nothing is noted."""
        number, _ = self._number(person, now, gap)
        before = self._store.read("SELECT row FROM shown WHERE person = ? AND visit < ?", person, number)
        shown = {row for (row,) in before}
        return {row for row in rows if signed(row) not in shown}

    def note(self, person: str, rows: Iterable[int], now: float, gap: float = VISIT) -> bool:
        """Note that rows are shown now, `gap` seconds or more after the last time in another visit.

        Returns whether there was an earlier visit.
        """
        with self._store.transaction():
            number, _ = self._number(person, now, gap)
            self._store.write("INSERT OR REPLACE INTO visits VALUES (?, ?, ?)", person, number, now)
            self._store.write_many(
                "INSERT OR IGNORE INTO shown VALUES (?, ?, ?)",
                [(person, signed(row), number) for row in rows],
            )
            return number > 1

    def _number(self, person: str, now: float, gap: float) -> tuple[int, float]:
        found = self._store.read("SELECT number, time FROM visits WHERE person = ?", person)
        if not found:
            return 1, now
        number, last = found[0]
        # A clock that went back is no reason to count for ever as the same visit.
        return (number + 1 if now - last >= gap or now < last else number), last
