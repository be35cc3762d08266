"""Traffic: what nodes sent, as counts of updates, rows and bytes, and of rows about rated items."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from tacit.core.interactions import Ints

BYTES_A_RATING = 8
"""An item's number and a rating, 4 bytes each."""


@dataclass(slots=True)
class Traffic:
    """What the nodes of a whole fleet sent, summed up: one number per node."""

    updates: Ints
    rows: Ints
    rows_rated: Ints
    bytes: Ints

    @classmethod
    def empty(cls, nodes: int) -> Traffic:
        """Nothing sent yet."""
        return cls(*(np.zeros(nodes, np.int64) for _ in fields(cls)))

    @classmethod
    def of_data(cls, counts: Ints) -> Traffic:
        """Everybody sent all of their ratings, once, in one message."""
        return cls((counts > 0).astype(np.int64), counts.copy(), counts.copy(), counts * BYTES_A_RATING)

    def stack(self) -> Ints:
        """As one array, to be saved."""
        return np.stack([self.updates, self.rows, self.rows_rated, self.bytes])

    def restore(self, saved: Ints) -> None:
        """Put back what `stack` gave."""
        self.updates[:], self.rows[:], self.rows_rated[:], self.bytes[:] = saved


@dataclass(frozen=True, slots=True)
class Entry:
    """One update that left a node."""

    time: float
    """Seconds: virtual in a simulation, Unix time on a device."""
    peer: str
    rows: int
    rows_rated: int
    bytes: int
    disclosure: float = 1.0
