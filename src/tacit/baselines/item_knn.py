"""Item-kNN: score(u, i) is the sum of the similarities between i and those of its neighbours that user u has.

`neighbours=candidate`: the neighbours of i are its own k nearest. `owned`: i is a neighbour of an item that the user
has if it is among the k nearest of that item. With ratings each similarity is multiplied by the user's rating.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

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
    owned: bool,
    index: Positions,
    similarity: Scores,
    out: Scores,
) -> None:
    items = out.shape[1]
    has = np.zeros(items)
    for n in range(low, high):
        own = range(start[first + n], start[first + n + 1])
        out[n] = 0
        if owned:
            for e in own:
                for m in range(index.shape[1]):
                    i = index[item[e], m]
                    if i < 0:
                        break
                    out[n, i] += weight[e] * similarity[item[e], m]
            continue
        for e in own:
            has[item[e]] = weight[e]
        for i in range(items):
            total = 0.0
            for m in range(index.shape[1]):
                j = index[i, m]
                if j < 0:
                    break
                total += has[j] * similarity[i, m]
            out[n, i] = total
        for e in own:
            has[item[e]] = 0


class ItemNeighbourScorer(NeighbourScorer):
    """It can also say which items are like another."""

    def __init__(self, train: Interactions, state: tuple[Any, ...], workers: Workers) -> None:
        super().__init__(train, _add, state, workers)
        self._index, self._similarity = state[-2:]

    def similar(self, item: int) -> Scores:
        """The similarity of each item to this one; minus infinity for those that are not its neighbours."""
        found = np.full(self.items, -np.inf)
        there = self._index[item] >= 0
        found[self._index[item][there]] = self._similarity[item][there]
        return found


@dataclass(frozen=True, slots=True)
class ItemNeighbours:
    """The parameters."""

    k: Count = setting(40, "neighbours of an item (FPL, section 4.3: a grid that is misprinted)")
    cosine: Literal["overlap", "ratings"] = setting(
        "overlap", "cosine (FPL, section 4.2) over who has an item, or over ratings"
    )
    neighbours: Literal["candidate", "owned"] = setting(
        "candidate", "which neighbours count: the candidate's, or those of the user's items"
    )

    def fit(self, train: Interactions, seed: int, workers: Workers) -> Scorer:
        """Find every item's neighbours."""
        start, entries = train.by_item()
        weight = weights(train, self.cosine)
        items = Vectors(start, train.user[entries], weight[entries])
        people = Vectors(train.start, train.item, weight)
        found = nearest(items, people, self.k, seed, workers)
        state = (train.start, train.item, weight, self.neighbours == "owned", *found)
        return ItemNeighbourScorer(train, state, workers)


baseline = ItemNeighbours
