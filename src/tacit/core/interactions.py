"""Interactions: the sparse user-item table, user by user, items ascending within a user.

A user's slice is exactly what that user's device holds. Ids are positions 0 .. N-1 and 0 .. M-1. The texts that they
stand for are in `tacit.data.dataset.Dataset`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Positions = npt.NDArray[np.int32]
Values = npt.NDArray[np.float32]
Texts = npt.NDArray[np.str_]


@dataclass(frozen=True, slots=True, eq=False)
class Interactions:
    """A user-major compressed sparse table with one entry per (user, item) pair.

    >>> table = Interactions.from_pairs([0, 1, 0], [2, 0, 1], [5, 3, 4], users=2, items=3)
    >>> table.item[table.start[0] : table.start[1]]
    array([1, 2], dtype=int32)
    """

    start: Ints
    """Where each user's slice begins; N + 1 long."""
    item: Positions
    value: Values
    time: Ints | None
    """Unix seconds, where the data has them; -1 where a single one is unknown."""
    order: Ints
    """Rank in time within the whole table; equal times keep the order of the source."""
    items: int
    """M, the size of the catalogue."""

    @property
    def users(self) -> int:
        """N, the number of users, those without any interaction included."""
        return len(self.start) - 1

    def __len__(self) -> int:
        return len(self.item)

    @property
    def counts(self) -> Ints:
        """How many interactions each user has."""
        return np.diff(self.start)

    @property
    def user(self) -> Positions:
        """The user of every entry."""
        return np.repeat(np.arange(self.users, dtype=np.int32), self.counts)

    def of(self, user: int) -> tuple[Positions, Values]:
        """One user's items and values: all that this user's device knows."""
        part = slice(self.start[user], self.start[user + 1])
        return self.item[part], self.value[part]

    def take(self, keep: npt.NDArray[np.bool_]) -> Interactions:
        """The entries where `keep` is true; users and catalogue stay as they are."""
        before = np.concatenate(([0], np.cumsum(keep)))
        return Interactions(
            start=before[self.start].astype(np.int64),
            item=self.item[keep],
            value=self.value[keep],
            time=None if self.time is None else self.time[keep],
            order=self.order[keep],
            items=self.items,
        )

    def by_item(self) -> tuple[Ints, Ints]:
        """The same table seen from the items: where each item's slice begins, and the entries, users ascending."""
        entries = np.argsort(self.item, kind="stable").astype(np.int64)
        start = np.concatenate(([0], np.cumsum(np.bincount(self.item, minlength=self.items)))).astype(
            np.int64
        )
        return start, entries

    @classmethod
    def from_pairs(
        cls,
        user: npt.ArrayLike,
        item: npt.ArrayLike,
        value: npt.ArrayLike | None = None,
        time: npt.ArrayLike | None = None,
        *,
        users: int,
        items: int,
    ) -> Interactions:
        """Build a table from parallel columns in source order. A pair may occur only once."""
        u = np.asarray(user, dtype=np.int64)
        i = np.asarray(item, dtype=np.int64)
        v = np.ones(len(u), np.float32) if value is None else np.asarray(value, dtype=np.float32)
        t = None if time is None else np.asarray(time, dtype=np.int64)
        if len(u) and not (u.min() >= 0 and u.max() < users and i.min() >= 0 and i.max() < items):
            raise ValueError(f"positions outside {users} users x {items} items")
        order = np.empty(len(u), np.int64)
        order[np.arange(len(u)) if t is None else np.argsort(t, kind="stable")] = np.arange(len(u))
        # One key, stable: fast on rows that come sorted by user, as most files do.
        place = np.argsort(u * items + i, kind="stable")
        if np.any((np.diff(u[place]) == 0) & (np.diff(i[place]) == 0)):
            raise ValueError("a (user, item) pair stands more than once")
        return cls(
            start=np.concatenate(([0], np.cumsum(np.bincount(u, minlength=users)))).astype(np.int64),
            item=i[place].astype(np.int32),
            value=v[place],
            time=None if t is None else t[place],
            order=order[place],
            items=items,
        )
