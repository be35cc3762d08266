"""Item-kNN: score(u, i) = the likeness of those among i's k nearest items that user u has, added up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.baselines._neighbours import nearest
from tacit.core.compiling import kernel
from tacit.core.interactions import Interactions, Ints, Positions
from tacit.core.kinds import Whole, setting
from tacit.core.scorer import Scorer, Scores
from tacit.core.workers import Workers


@kernel
def _add(
    low: int,
    high: int,
    first: int,
    start: Ints,
    item: Positions,
    index: Positions,
    likeness: Scores,
    out: Scores,
) -> None:
    items = out.shape[1]
    has = np.zeros(items, np.bool_)
    for n in range(low, high):
        u = first + n
        for e in range(start[u], start[u + 1]):
            has[item[e]] = True
        for i in range(items):
            total = 0.0
            for m in range(index.shape[1]):
                j = index[i, m]
                if j < 0:
                    break
                if has[j]:
                    total += likeness[i, m]
            out[n, i] = total
        for e in range(start[u], start[u + 1]):
            has[item[e]] = False


class ItemScorer(Scorer):
    """What is near to what a user has."""

    def __init__(self, train: Interactions, k: int, workers: Workers) -> None:
        super().__init__(train.users, train.items)
        back_start, entries = train.by_item()
        found = nearest(back_start, train.user[entries], train.start, train.item, k, workers)
        self._state = (train.start, train.item, *found)
        self._workers = workers

    def block(self, low: int, high: int, out: Scores) -> None:
        """Fill `out` for the users low .. high."""
        self._workers.run(_add, high - low, low, *self._state, out)


@dataclass(frozen=True, slots=True)
class ItemNeighbours:
    """The parameters."""

    k: int = setting(40, "neighbours of an item", Whole(1))

    def fit(self, train: Interactions, seed: int, workers: Workers) -> Scorer:
        """Find every item's neighbours."""
        return ItemScorer(train, self.k, workers)


baseline = ItemNeighbours
