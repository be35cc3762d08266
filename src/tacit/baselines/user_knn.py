"""User-kNN: score(u, i) is the sum of the similarities of those among u's k nearest users who have item i.

With ratings each similarity is multiplied by the neighbour's rating of the item.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tacit.baselines.nearest_neighbours import nearest, weights
from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions, Ints, Positions, Values
from tacit.core.scorer import Scorer, Scores
from tacit.core.settings import Count, setting


@kernel
def _add(
    low: int,
    high: int,
    first: int,
    start: Ints,
    item: Positions,
    weight: Values,
    index: Positions,
    likeness: Scores,
    out: Scores,
) -> None:
    for n in range(low, high):
        out[n] = 0
        for m in range(index.shape[1]):
            v = index[first + n, m]
            if v < 0:
                break
            for e in range(start[v], start[v + 1]):
                out[n, item[e]] += weight[e] * likeness[first + n, m]


class UserScorer(Scorer):
    """What the neighbours have."""

    def __init__(self, train: Interactions, k: int, cosine: str, workers: Workers) -> None:
        super().__init__(train.users, train.items)
        start, entries = train.by_item()
        weight = weights(train, cosine)
        found = nearest(
            train.start, train.item, weight, start, train.user[entries], weight[entries], k, workers
        )
        self._state = (train.start, train.item, weight, *found)
        self._workers = workers

    def block(self, low: int, high: int, out: Scores) -> None:
        """Fill `out` for the users low .. high."""
        self._workers.run(_add, high - low, low, *self._state, out)


@dataclass(frozen=True, slots=True)
class UserNeighbours:
    """The parameters."""

    k: Count = setting(40, "neighbours of a user")
    cosine: Literal["overlap", "ratings"] = setting("overlap", "of who has what, or of ratings")

    def fit(self, train: Interactions, seed: int, workers: Workers) -> Scorer:
        """Find everybody's neighbours."""
        return UserScorer(train, self.k, self.cosine, workers)


baseline = UserNeighbours
