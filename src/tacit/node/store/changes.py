"""Own actions that can be undone: what was said about an item before, newest last."""

from __future__ import annotations

from dataclasses import replace

from tacit.core.errors import BadInput
from tacit.node.catalogue.item_keys import row_id
from tacit.node.store.database import Store
from tacit.node.store.ratings import RatingStore, signed, unsigned
from tacit.node.store.records import Rating

KEPT = 200
"""Actions kept for undo; older ones are forgotten."""


class Changes:
    """Changes of ratings, one at a time, each with its undo."""

    def __init__(self, store: Store, ratings: RatingStore) -> None:
        self._store, self._ratings = store, ratings

    def make(self, rating: Rating, *, remove: bool = False) -> int:
        """Keep a rating, or delete it; the number under which that can be undone."""
        with self._store.transaction():
            before = self._ratings.said(rating.key, rating.person)
            if remove:
                self._ratings.unrate(rating.key, rating.person)
            else:
                self._ratings.rate([rating])
            number = self._store.write(
                "INSERT INTO changes (person, row, signal, value, time, source) VALUES (?, ?, ?, ?, ?, ?)",
                rating.person, signed(row_id(rating.key)), *(before or (None, None, None, None)),
            )  # fmt: skip
            self._store.write("DELETE FROM changes WHERE id <= ?", number - KEPT)
            return number

    def undo(self, person: str = "", number: int | None = None) -> Rating | None:
        """Put back what was there before a person's last action, or before that with `number`; the rating as it is now.

        None: the item has no rating any more. Later actions on the same item are undone with it.
        """
        with self._store.transaction():
            chosen = "" if number is None else "AND id = ?"
            found = self._store.read(
                "SELECT id, row, signal, value, time, source FROM changes WHERE person = ? "
                f"{chosen} ORDER BY id DESC LIMIT 1",
                person, *(() if number is None else (number,)),
            )  # fmt: skip
            if not found:
                raise BadInput("undo: there is nothing to undo yet")
            first, row, *before = found[0]
            item = self._ratings.item(unsigned(row))
            assert item is not None, "items are never deleted"
            self._store.write(
                "DELETE FROM changes WHERE person = ? AND row = ? AND id >= ?", person, row, first
            )
            if before[0] is None:
                self._ratings.unrate(item.key, person)
                return None
            signal, value, time, source = before
            rating = replace(Rating(item.key, item.title, signal, value, time, source), person=person)
            self._ratings.rate([rating])
            return rating

    def last(self, person: str = "") -> str:
        """The title that the next undo is about; empty where there is nothing to undo."""
        found = self._store.read(
            "SELECT title FROM changes JOIN items USING (row) WHERE person = ? ORDER BY id DESC LIMIT 1",
            person,
        )
        return str(found[0][0]) if found else ""
