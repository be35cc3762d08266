"""What left and what came, in the store: the ledger, sums, and lines for the log and the page."""

from __future__ import annotations

from tacit.node.store.database import Store
from tacit.node.store.records import Note, Sent, Traffic

_NOTES = 200
"""Lines kept."""


class Book:
    """The ledger of a node."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def enter(
        self, time: float, peer: str, kind: str, rows: int, rows_rated: int, size: int, disclosure: float
    ) -> int:
        """Enter something that is about to leave; its number. On disk when this returns."""
        sql = "INSERT INTO ledger (time, peer, kind, rows, rows_rated, bytes, disclosure) VALUES (?, ?, ?, ?, ?, ?, ?)"
        return self._store.write(sql, time, peer, kind, rows, rows_rated, size, disclosure)

    def entries(self, n: int = 100) -> list[Sent]:
        """The latest, newest first."""
        found = self._store.read("SELECT * FROM ledger ORDER BY id DESC LIMIT ?", n)
        return [Sent(*row) for row in found]

    def extent(self) -> tuple[int, float | None]:
        """How many entries there are, and the time of the first."""
        count, first = self._store.read("SELECT count(*), min(time) FROM ledger")[0]
        return int(count), first

    def next_number(self) -> int:
        """The number the next entry will get."""
        found = self._store.read("SELECT seq FROM sqlite_sequence WHERE name = 'ledger'")
        return int(found[0][0]) + 1 if found else 1

    def sent(self) -> Traffic:
        """Sums of all that left; `updates` counts models, `bytes` everything."""
        sums = "count(CASE kind WHEN 'update' THEN 1 END), coalesce(sum(rows), 0), coalesce(sum(bytes), 0)"
        updates, rows, size = self._store.read(f"SELECT {sums} FROM ledger")[0]
        return Traffic(updates, rows, size)

    def count(self, **amounts: int) -> None:
        """Add to the sums of what came: updates, rows, bytes, refused."""
        self._store.write_many(
            "INSERT INTO counters VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value",
            list(amounts.items()),
        )

    def received(self) -> Traffic:
        """Sums of all that came."""
        return Traffic(**dict(self._store.read("SELECT name, value FROM counters")))

    def note(self, time: float, line: str) -> None:
        """Keep one line about something that went wrong; the oldest go."""
        with self._store.transaction():
            last = self._store.write("INSERT INTO notes (time, line) VALUES (?, ?)", time, line[:500])
            self._store.write("DELETE FROM notes WHERE id <= ?", last - _NOTES)

    def notes(self, n: int = 20) -> list[Note]:
        """The latest lines, newest first."""
        return [
            Note(*row) for row in self._store.read("SELECT time, line FROM notes ORDER BY id DESC LIMIT ?", n)
        ]
