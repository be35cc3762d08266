"""The problem log: lines about refused and failed messages, for the terminal and the page."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from tacit.node.store.database import Store, StoreFull
from tacit.node.store.records import Problem

_KEPT = 200
"""Lines kept; older ones are deleted."""
_MINUTE = 60 * 10**6


class ProblemLog:
    """The log of one node: at most one line per minute about each peer."""

    def __init__(self, store: Store, wall: Callable[[], float] = time.time) -> None:
        self._store, self._wall = store, wall
        self._last_line: dict[str, int] = {}

    def add(self, peer: str, line: str, now: int) -> None:
        """Keep a line about a peer, unless there was one within the last minute (`now`: microseconds)."""
        if now - self._last_line.get(peer, -(10**9)) < _MINUTE:
            return
        if len(self._last_line) > 1000:
            self._last_line.clear()
        self._last_line[peer] = now
        # A full store is reported by whatever has to be written before something is sent.
        with suppress(StoreFull), self._store.transaction():
            last = self._store.write("INSERT INTO notes (time, line) VALUES (?, ?)", self._wall(), line[:500])
            self._store.write("DELETE FROM notes WHERE id <= ?", last - _KEPT)

    def latest(self, n: int = 20) -> list[Problem]:
        """The latest lines, newest first."""
        found = self._store.read("SELECT time, line FROM notes ORDER BY id DESC LIMIT ?", n)
        return [Problem(*row) for row in found]
