"""Lines for the log and the page about what went wrong: at most one a minute about each peer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from tacit.node.store.database import StoreFull
from tacit.node.store.ledger import Book

_MINUTE = 60 * 10**6


class Notes:
    """What was said about whom, and when."""

    def __init__(self, book: Book, wall: Callable[[], float]) -> None:
        self._book, self._wall = book, wall
        self._noted: dict[str, int] = {}

    def note(self, peer: str, line: str, now: int) -> None:
        """Keep a line about a peer, unless there was one just now."""
        if now - self._noted.get(peer, -(10**9)) < _MINUTE:
            return
        if len(self._noted) > 1000:
            self._noted.clear()
        self._noted[peer] = now
        # A store that is full is told of by whatever has to be written before something is sent.
        with suppress(StoreFull):
            self._book.note(self._wall(), line)
