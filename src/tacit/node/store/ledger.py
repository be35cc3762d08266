"""The ledger: every message that left, entered before it leaves, and counts of what was sent and received."""

from __future__ import annotations

from dataclasses import asdict

from tacit.node.store.database import Store
from tacit.node.store.records import LedgerEntry, NetworkTraffic, Traffic

_RENAMED = {"messages_sent": "message_bytes_sent", "messages_received": "message_bytes_received"}
"""Totals as stores of earlier versions call them."""


class Ledger:
    """The ledger of a node."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def enter(
        self, time: float, peer: str, kind: str, rows: int, rows_rated: int, size: int, disclosure: float
    ) -> int:
        """Enter a message that is about to leave; its number. It is on disk when this returns."""
        sql = "INSERT INTO ledger (time, peer, kind, rows, rows_rated, bytes, disclosure) VALUES (?, ?, ?, ?, ?, ?, ?)"
        return self._store.write(sql, time, peer, kind, rows, rows_rated, size, disclosure)

    def entries(self, n: int = 100) -> list[LedgerEntry]:
        """The latest entries, newest first."""
        found = self._store.read("SELECT * FROM ledger ORDER BY id DESC LIMIT ?", n)
        return [LedgerEntry(*row) for row in found]

    def extent(self) -> tuple[int, float | None]:
        """How many entries there are, and the time of the first."""
        count, first = self._store.read("SELECT count(*), min(time) FROM ledger")[0]
        return int(count), first

    def sent(self) -> Traffic:
        """Totals of all that left; `updates` counts models and messages with lists, `bytes` everything."""
        sums = "count(CASE WHEN kind IN ('update', 'list') THEN 1 END), coalesce(sum(rows), 0), coalesce(sum(bytes), 0)"
        updates, rows, size = self._store.read(f"SELECT {sums} FROM ledger")[0]
        return Traffic(updates, rows, size)

    def count(self, **amounts: int) -> None:
        """Add to the totals of what was received: updates, rows, bytes, refused."""
        self._store.write_many(
            "INSERT INTO counters VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value",
            list(amounts.items()),
        )

    def received(self) -> Traffic:
        """Totals of all that was received."""
        return Traffic(**dict(self._store.read("SELECT name, value FROM counters")))

    def network(self) -> NetworkTraffic:
        """Totals of what the network library did, as far as it counts."""
        kept = self._store.setting("network_traffic", {})
        return NetworkTraffic(**{_RENAMED.get(name, name): value for name, value in kept.items()})

    def add_network(self, more: NetworkTraffic) -> None:
        """Add to those totals."""
        with self._store.transaction():
            before = asdict(self.network())
            self._store.set(
                network_traffic={name: before[name] + value for name, value in asdict(more).items()}
            )
