"""`Scorer`: whatever can rank. It gives the scores of items for a block of users; higher is better."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints, Positions

Scores = npt.NDArray[np.float64]
_BLOCK = 4 * 2**20
"""Scores held at once: 32 MB whatever the catalogue."""


class Scorer(ABC):
    """Scores of every item for any block of users; minus infinity for an item that must not be shown."""

    def __init__(self, users: int, items: int) -> None:
        self.users, self.items = users, items

    @abstractmethod
    def block(self, low: int, high: int, out: Scores) -> None:
        """Fill `out` ((high - low) x items) for the users low .. high."""

    def some(self, start: Ints, item: Positions) -> Scores:
        """Scores of only some items: item[start[u]:start[u+1]] for user u."""
        out = np.empty(len(item))
        for low, high in blocks(self.users, self.items):
            scores = np.empty((high - low, self.items))
            self.block(low, high, scores)
            part = slice(start[low], start[high])
            row = np.repeat(np.arange(high - low), np.diff(start[low : high + 1]))
            out[part] = scores[row, item[part]]
        return out


def blocks(users: int, items: int) -> list[tuple[int, int]]:
    """Ranges of users whose scores of all items fit into a bounded amount of memory.

    >>> blocks(5, 2_000_000)
    [(0, 2), (2, 4), (4, 5)]
    """
    size = max(1, _BLOCK // max(1, items))
    return [(low, min(low + size, users)) for low in range(0, users, size)]
