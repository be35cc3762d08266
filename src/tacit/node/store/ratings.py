"""Ratings and known items in the store. Rows are unsigned 64-bit numbers outside, signed ones in SQLite.

Ratings have a checksum per person, and titles have one each (`rating_checks`). They are compared when ratings are read,
once after every change.

An item's key is public once another node sent it, or once its row has left. Only public keys are sent to others.
"""

from __future__ import annotations

from collections.abc import Iterable

from tacit.core.errors import BadInput
from tacit.node.catalogue.item_keys import check_key, clean_title, display_title, row_id
from tacit.node.receive_limits import MAX_ITEMS
from tacit.node.store.database import Damaged, Store
from tacit.node.store.rating_checks import rating_hash, title_hash
from tacit.node.store.records import HIGH, LOW, SIGNALS, Item, Rating

_ASKED = 500
"""Rows that one query asks for; every SQLite allows this many."""
_Said = tuple[str, float | None, int | None, str]
"""(signal, value, time, source) of a rating."""
_CHECK = """
    SELECT 'kept', person, count, digest FROM rating_checks UNION ALL
    SELECT 'found', person, count(*), sum(rating_hash(person, key, signal, value, time, source))
        FROM ratings JOIN items USING (row) GROUP BY person UNION ALL
    SELECT 'all', '', count(*), 0 FROM ratings UNION ALL
    SELECT 'titles', '', count(*), 0 FROM ratings JOIN items USING (row) WHERE title_hash(key, title) != title_check
"""
_ITEM = """
    INSERT INTO items (row, key, title, told, title_check) VALUES (?, ?, ?, ?, ?) ON CONFLICT (row) DO UPDATE SET
"""


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
        self._verified: tuple[int, int] | None = None
        """The version of the store whose ratings were compared with their checksums."""

    def rate(self, ratings: Iterable[Rating]) -> int:
        """Keep ratings, all or none; a newer one replaces an older one. Returns how many were new or changed.

        They are on disk when this returns.
        """
        items, rows = [], []
        for rating in ratings:
            _check(rating)
            row = signed(row_id(check_key(rating.key)))
            title = clean_title(rating.title) or display_title(rating.key)
            items.append((row, rating.key, title, 0, title_hash(rating.key, title)))
            rows.append((rating.person, row, rating.signal, rating.value, rating.time, rating.source))
        with self._store.transaction():
            before = self._before([row[1] for row in rows])
            self._store.write_many(
                _ITEM + "title = excluded.title, title_check = excluded.title_check", items
            )
            self._store.write_many("INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?)", rows)
            changed = sum(before.get(row[:2], (None, None))[:2] != row[2:4] for row in rows)
            keys = {row: key for row, key, *_ in items}
            last = {row[:2]: row[2:] for row in rows}
            for (person, row), after in last.items():
                self._count(person, keys[row], before.get((person, row)), after)
            return changed

    def _before(self, rows: list[int]) -> dict[tuple[str, int], _Said]:
        """What was said about some rows, by person and row."""
        found: dict[tuple[str, int], _Said] = {}
        for first in range(0, len(rows), _ASKED):
            part = rows[first : first + _ASKED]
            marks = ",".join("?" * len(part))
            sql = f"SELECT person, row, signal, value, time, source FROM ratings WHERE row IN ({marks})"
            found |= {(person, row): tuple(said) for person, row, *said in self._store.read(sql, *part)}
        return found

    def _count(self, person: str, key: str, before: _Said | None, after: _Said | None) -> None:
        """Carry a change over to the person's checksum."""
        count = (after is not None) - (before is not None)
        digest = sum(
            sign * rating_hash(person, key, *said)
            for sign, said in ((1, after), (-1, before))
            if said is not None
        )
        self._store.write(
            "INSERT INTO rating_checks VALUES (?, ?, ?) ON CONFLICT (person) DO UPDATE SET "
            "count = count + excluded.count, digest = digest + excluded.digest",
            person, count, digest,
        )  # fmt: skip

    def said(self, key: str, person: str = "") -> _Said | None:
        """(signal, value, time, source) of a rating, if there is one."""
        row = signed(row_id(check_key(key)))
        return self._before([row]).get((person, row))

    def unrate(self, key: str, person: str = "") -> None:
        """Delete a rating."""
        with self._store.transaction():
            before = self.said(key, person)
            if before is None:
                return
            row = signed(row_id(key))
            self._store.write("DELETE FROM ratings WHERE person = ? AND row = ?", person, row)
            self._count(person, key, before, None)

    def ratings(self, person: str | None = None) -> list[Rating]:
        """One person's ratings, or everybody's, sorted by key. Raises Damaged where a checksum does not fit."""
        self.verify()
        return self.as_they_are(person)

    def as_they_are(self, person: str | None = None) -> list[Rating]:
        """The same without a look at checksums."""
        where, values = ("", ()) if person is None else ("WHERE person = ?", (person,))
        found = self._store.read(
            "SELECT key, title, signal, value, time, source, person FROM ratings JOIN items USING (row) "
            f"{where} ORDER BY person, key",
            *values,
        )
        return [Rating(*row) for row in found]

    def verify(self) -> None:
        """Compare ratings and titles with their checksums; Damaged where something else than was written is there."""
        version = self._store.version()
        if version == self._verified:
            return
        kept: dict[str, tuple[int, int]] = {}
        found: dict[str, tuple[int, int]] = {}
        count = titles = 0
        for what, person, number, digest in self._store.read(_CHECK):  # one query sees one state
            if what == "all":
                count = number
            elif what == "titles":
                titles = number
            else:
                (kept if what == "kept" else found)[person] = number, digest
        kept = {person: sums for person, sums in kept.items() if sums != (0, 0)}
        if kept != found or count != sum(number for number, _ in found.values()):
            raise Damaged("ratings")
        if titles:
            raise Damaged("titles of ratings")
        self._verified = version

    def replace_all(self, ratings: Iterable[Rating]) -> int:
        """Forget all ratings and keep these instead, all or none; how many there are then."""
        with self._store.transaction():
            for table in ("ratings", "rating_checks", "changes"):
                self._store.write(f"DELETE FROM {table}")
            self.rate(ratings)
            return self.count()

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
        named = [(key, display_title(key)) for key in keys]
        rows = [(signed(row_id(key)), key, title, 1, title_hash(key, title)) for key, title in named]
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
