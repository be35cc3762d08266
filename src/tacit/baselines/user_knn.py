"""User-kNN: score(u, i) is the sum of the similarities of those among u's k nearest users who have item i.

With ratings each similarity is multiplied by the neighbour's rating of the item.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tacit.baselines.nearest_neighbours import NeighbourScorer, Vectors, nearest, weights
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
    similarity: Scores,
    out: Scores,
) -> None:
    for n in range(low, high):
        out[n] = 0
        for m in range(index.shape[1]):
            v = index[first + n, m]
            if v < 0:
                break
            for e in range(start[v], start[v + 1]):
                out[n, item[e]] += weight[e] * similarity[first + n, m]


@dataclass(frozen=True, slots=True)
class UserNeighbours:
    """The parameters."""

    k: Count = setting(40, "neighbours of a user (FPL, section 4.3: a grid that is misprinted)")
    cosine: Literal["overlap", "ratings"] = setting(
        "overlap", "cosine (FPL, section 4.2) of who has what, or of ratings"
    )

    def fit(self, train: Interactions, seed: int, workers: Workers) -> Scorer:
        """Find everybody's neighbours."""
        start, entries = train.by_item()
        weight = weights(train, self.cosine)
        items = Vectors(start, train.user[entries], weight[entries])
        people = Vectors(train.start, train.item, weight)
        found = nearest(people, items, self.k, seed, workers)
        return NeighbourScorer(train, _add, (train.start, train.item, weight, *found), workers)


baseline = UserNeighbours
