"""What left: every update, when, to whom, how much, and how much of it was about things the person rated."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from tacit.core.interactions import Ints


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


@dataclass(slots=True)
class Tally:
    """The ledgers of a whole fleet, summed up: one number a node."""

    updates: Ints
    rows: Ints
    rows_rated: Ints
    bytes: Ints

    @classmethod
    def empty(cls, nodes: int) -> Tally:
        """Nothing sent yet."""
        return cls(*(np.zeros(nodes, np.int64) for _ in fields(cls)))


BYTES_A_RATING = 8
"""An item's number and a rating, 4 bytes each."""
