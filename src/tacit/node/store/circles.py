"""What a node keeps of its circle: one state, and the lists of all members as they travel."""

from __future__ import annotations

from typing import Any

import msgspec

from tacit.node.store.database import Store

_PREFIX = "circle_"
NAME = f"{_PREFIX}name"
"""The setting that holds the circle's name; none: the node is in no circle."""


class CircleStore:
    """The circle of one node. Heads and parts are bytes here; `circle.replica` knows what they mean.

    Every field of the state is a setting of its own: whoever changes one cannot undo what another process wrote to
    another.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def state(self) -> dict[str, Any] | None:
        """What is kept besides lists, as it was at one moment."""
        rows = self._store.read("SELECT name, value FROM settings WHERE name GLOB ?", f"{_PREFIX}*")
        found = {name.removeprefix(_PREFIX): msgspec.json.decode(value) for name, value in rows}
        return found if "name" in found else None

    def change(self, **values: Any) -> None:
        """Change fields of it."""
        self._store.set(**{_PREFIX + name: value for name, value in values.items()})

    def enter(self, state: msgspec.Struct) -> None:
        """Begin with this state; nothing of a circle before is left."""
        with self._store.transaction():
            self.leave()
            self.change(**msgspec.structs.asdict(state))

    def leave(self) -> None:
        """Forget everything about the circle."""
        with self._store.transaction():
            self._store.write("DELETE FROM settings WHERE name GLOB ?", f"{_PREFIX}*")
            self._store.write("DELETE FROM circle_lists")
            self._store.write("DELETE FROM circle_parts")

    def versions(self) -> dict[str, int]:
        """Versions of the lists in use, by member."""
        found = self._store.read("SELECT member, version FROM circle_lists WHERE version > 0 ORDER BY member")
        return dict(found)

    def heads(self) -> dict[str, bytes]:
        """Signed heads of the lists in use, by member."""
        return dict(
            self._store.read("SELECT member, head FROM circle_lists WHERE head NOT NULL ORDER BY member")
        )

    def head(self, member: str) -> bytes | None:
        """The signed head of a list in use."""
        found = self._store.read("SELECT head FROM circle_lists WHERE member = ?", member)
        return found[0][0] if found else None

    def pending(self) -> dict[str, bytes]:
        """Signed heads that wait for parts, by member."""
        return dict(
            self._store.read(
                "SELECT member, pending FROM circle_lists WHERE pending NOT NULL ORDER BY member"
            )
        )

    def heard(self) -> dict[str, float]:
        """When each member's list last changed here."""
        return dict(self._store.read("SELECT member, heard FROM circle_lists WHERE heard NOT NULL"))

    def wait_for(self, member: str, head: bytes) -> None:
        """Keep a newer head until its parts are here."""
        self._store.write(
            "INSERT INTO circle_lists (member, pending) VALUES (?, ?) "
            "ON CONFLICT (member) DO UPDATE SET pending = excluded.pending",
            member, head,
        )  # fmt: skip

    def use(self, member: str, version: int, head: bytes, wall: float) -> None:
        """Replace a list: all of its parts are here."""
        self._store.write(
            "INSERT OR REPLACE INTO circle_lists (member, version, head, heard) VALUES (?, ?, ?, ?)",
            member, version, head, wall,
        )  # fmt: skip

    def forget(self, member: str) -> None:
        """Delete a member's list."""
        self._store.write("DELETE FROM circle_lists WHERE member = ?", member)

    def part(self, name: bytes) -> bytes | None:
        """An encrypted part by its hash."""
        found = self._store.read("SELECT data FROM circle_parts WHERE hash = ?", name)
        return found[0][0] if found else None

    def part_names(self) -> set[bytes]:
        """Hashes of all parts."""
        return {name for (name,) in self._store.read("SELECT hash FROM circle_parts")}

    def add_parts(self, parts: dict[bytes, bytes]) -> None:
        """Keep parts by their hashes."""
        self._store.write_many("INSERT OR IGNORE INTO circle_parts VALUES (?, ?)", list(parts.items()))

    def drop_parts(self, names: set[bytes]) -> None:
        """Delete parts that no list needs any more."""
        self._store.write_many("DELETE FROM circle_parts WHERE hash = ?", [(name,) for name in names])
