"""Ratings and known items in the store. Rows are unsigned 64-bit numbers outside, signed ones in SQLite.

An item's key is public once another node sent it, or once its row has left. Only public keys are sent to others.
"""

from __future__ import annotations

from collections.abc import Iterable

from tacit.core.errors import BadInput
from tacit.node.catalogue.item_keys import check_key, clean_title, display_title, row_id
from tacit.node.receive_limits import MAX_ITEMS
from tacit.node.store.database import Store
from tacit.node.store.records import HIGH, LOW, SIGNALS, Item, Rating

_ASKED = 500
"""Rows that one query asks for: every SQLite takes so many."""
_ITEM = "INSERT INTO items VALUES (?, ?, ?, ?) ON CONFLICT (row) DO UPDATE SET "


def signed(row: int) -> int:
    """A row's number as SQLite holds it."""
    return row - 2**64 if row >= 2**63 else row


def unsigned(row: int) -> int:
    """A row's number as models and messages hold it."""
    return row % 2**64


class RatingStore:
    """Ratings of a node's people, and the keys and titles of items."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def rate(self, ratings: Iterable[Rating]) -> int:
        """Keep ratings, all or none; a newer one replaces an older one. Returns how many were new or changed.

        They are on disk when this returns.
        """
        items, rows = [], []
        for rating in ratings:
            _check(rating)
            row = signed(row_id(check_key(rating.key)))
            title = clean_title(rating.title) or display_title(rating.key)
            items.append((row, rating.key, title, 0))
            rows.append((rating.person, row, rating.signal, rating.value, rating.time, rating.source))
        with self._store.transaction():
            before = dict(self._before())
            self._store.write_many(_ITEM + "title = excluded.title", items)
            self._store.write_many("INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?)", rows)
            return sum(before.get((r[0], r[1])) != (r[2], r[3]) for r in rows)

    def _before(self) -> Iterable[tuple[tuple[str, int], tuple[str, float | None]]]:
        for person, row, signal, value in self._store.read("SELECT person, row, signal, value FROM ratings"):
            yield (person, row), (signal, value)

    def unrate(self, key: str, person: str = "") -> None:
        """Delete a rating."""
        self._store.write(
            "DELETE FROM ratings WHERE person = ? AND row = ?", person, signed(row_id(check_key(key)))
        )

    def ratings(self, person: str | None = None) -> list[Rating]:
        """One person's ratings, or everybody's, sorted by key."""
        where, values = ("", ()) if person is None else ("WHERE person = ?", (person,))
        found = self._store.read(
            "SELECT key, title, signal, value, time, source, person FROM ratings JOIN items USING (row) "
            f"{where} ORDER BY person, key",
            *values,
        )
        return [Rating(*row) for row in found]

    def people_in_order(self, ratings: Iterable[Rating]) -> list[str]:
        """Everybody with ratings, in the order in which they first came: the order of their private vectors."""
        known: list[str] = self._store.setting("people", [])
        new = sorted({rating.person for rating in ratings} - set(known))
        if new:
            known = [*known, *new]
            self._store.set(people=known)
        return known or [""]

    def people(self) -> list[str]:
        """The people whose ratings are stored."""
        return [
            person for (person,) in self._store.read("SELECT DISTINCT person FROM ratings ORDER BY person")
        ]

    def count(self) -> int:
        """The number of ratings."""
        return int(self._store.read("SELECT count(*) FROM ratings")[0][0])

    def item(self, row: int) -> Item | None:
        """The item of a row, if known."""
        return self.items([row]).get(row)

    def items(self, rows: Iterable[int]) -> dict[int, Item]:
        """The known items of some rows."""
        asked, known = list(rows), dict[int, Item]()
        for first in range(0, len(asked), _ASKED):
            part = asked[first : first + _ASKED]
            marks = ",".join("?" * len(part))
            sql = f"SELECT row, key, title FROM items WHERE row IN ({marks})"
            for row, key, title in self._store.read(sql, *map(signed, part)):
                known[unsigned(row)] = Item(key, title, unsigned(row))
        return {row: known[row] for row in asked if row in known}

    def search(self, text: str, n: int = 20) -> list[Item]:
        """Items whose title or key holds every word of a text, shortest titles first."""
        words = [word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") for word in text.split()]
        if not words:
            return []
        match = " AND ".join(["(title LIKE ? ESCAPE '\\' OR key LIKE ? ESCAPE '\\')"] * len(words))
        values = [f"%{word}%" for word in words for _ in range(2)]
        found = self._store.read(
            f"SELECT key, title, row FROM items WHERE {match} ORDER BY length(title), key LIMIT ?", *values, n
        )
        return [Item(key, title, unsigned(row)) for key, title, row in found]

    def add_public_keys(self, keys: Iterable[str]) -> int:
        """Keep keys that a peer sent, as long as there is room; a title known here stays. Returns how many were new."""
        rows = [(signed(row_id(key)), key, display_title(key), 1) for key in keys]
        with self._store.transaction():
            before = self._store.read("SELECT count(*) FROM items")[0][0]
            if before >= MAX_ITEMS:
                return 0
            self._store.write_many(_ITEM + "told = 1", rows)
            return int(self._store.read("SELECT count(*) FROM items")[0][0] - before)

    def publish(self, rows: Iterable[int]) -> None:
        """Mark the keys of these rows as public: the rows have left."""
        self._store.write_many(
            "UPDATE items SET told = 1 WHERE row = ? AND told = 0", [(signed(row),) for row in rows]
        )

    def public_keys(self, start: int, n: int) -> list[str]:
        """Up to n public keys, from some row number on and around the end."""
        sql = "SELECT key FROM items WHERE told = 1 AND row {} ? ORDER BY row LIMIT ?"
        found = self._store.read(sql.format(">="), signed(start), n)
        found += self._store.read(sql.format("<"), signed(start), n - len(found))
        return [key for (key,) in found]

    def unpublished_rows(self) -> set[int]:
        """Rows of keys that are not public."""
        return {unsigned(row) for (row,) in self._store.read("SELECT row FROM items WHERE told = 0")}

    def public_rows(self) -> list[int]:
        """Rows of all public keys."""
        return [
            unsigned(row) for (row,) in self._store.read("SELECT row FROM items WHERE told = 1 ORDER BY row")
        ]


def _check(rating: Rating) -> None:
    if rating.signal not in SIGNALS:
        raise BadInput("signal of a rating", got=rating.signal, allowed=", ".join(SIGNALS))
    value = rating.value
    if (value is None) == (rating.signal == "rating") or not (value is None or LOW <= value <= HIGH):
        raise BadInput("rating", got=value, allowed=f"a number from {LOW:g} to {HIGH:g}")
