"""Exact nearest neighbours by cosine similarity, for item-kNN and user-kNN; not a baseline itself.

cos(a, b) = a.b / sqrt(a.a b.b), over ratings, or over sets of users or items. In a set each entry is 1, so a.b is the
size of the overlap. Every overlap is counted, nothing is approximated. Of equally near ones those with the larger
random key are neighbours, so that nothing depends on how items or users are numbered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions, Ints, Positions, Values
from tacit.core.rng import Stream, philox
from tacit.core.scorer import Scorer, Scores

_NEIGHBOURS = Stream.NEIGHBOURS


@kernel
def _nearest(
    low: int,
    high: int,
    seed: int,
    start: Ints,
    member: Positions,
    weight: Values,
    back_start: Ints,
    back: Positions,
    back_weight: Values,
    square: Scores,
    index: Positions,
    similarity: Scores,
) -> None:
    """The k nearest of each a in low .. high, best first; -1 where fewer have anything in common with it."""
    count = len(start) - 1
    k = index.shape[1]
    common = np.zeros(count)
    keys = np.empty(k, np.uint64)
    for a in range(low, high):
        common[:] = 0
        for n in range(start[a], start[a + 1]):
            x = member[n]
            for m in range(back_start[x], back_start[x + 1]):
                common[back[m]] += np.float64(weight[n]) * back_weight[m]
        found = 0
        for b in range(count):
            if common[b] == 0 or b == a:
                continue
            s = common[b] / np.sqrt(square[a] * square[b])
            if found == k and not s >= similarity[a, k - 1]:
                continue
            key, _ = philox(seed, _NEIGHBOURS, a, 0, b)
            if found == k and s == similarity[a, k - 1] and key < keys[k - 1]:
                continue
            place = found if found < k else k - 1
            while place > 0 and (
                similarity[a, place - 1] < s or (similarity[a, place - 1] == s and keys[place - 1] < key)
            ):
                similarity[a, place] = similarity[a, place - 1]
                index[a, place] = index[a, place - 1]
                keys[place] = keys[place - 1]
                place -= 1
            similarity[a, place] = s
            keys[place] = key
            index[a, place] = b
            if found < k:
                found += 1


class Vectors(NamedTuple):
    """Sparse vectors: a has weight[n] at member[n] for n in start[a] .. start[a + 1]."""

    start: Ints
    member: Positions
    weight: Values


def nearest(vectors: Vectors, back: Vectors, k: int, seed: int, workers: Workers) -> tuple[Positions, Scores]:
    """Neighbours and similarities (n x k) of all vectors.

    `back` is the same table seen from the members: which vectors have each, with which weight.
    """
    count = len(vectors.start) - 1
    owner = np.repeat(np.arange(count), np.diff(vectors.start))
    square = np.bincount(owner, weights=vectors.weight.astype(np.float64) ** 2, minlength=count)
    index = np.full((count, k), -1, np.int32)
    similarity = np.zeros((count, k))
    workers.run(_nearest, count, seed, *vectors, *back, square, index, similarity)
    return index, similarity


def weights(train: Interactions, cosine: str) -> Values:
    """What stands at every entry: its rating, or 1."""
    return train.value if cosine == "ratings" else np.ones_like(train.value)


class NeighbourScorer(Scorer):
    """Scores added up by a kernel from the training part and the neighbours in `state`."""

    def __init__(
        self, train: Interactions, add: Callable[..., None], state: tuple[Any, ...], workers: Workers
    ) -> None:
        super().__init__(train.users, train.items)
        self._add, self._state, self._workers = add, state, workers

    def block(self, low: int, high: int, out: Scores) -> None:
        """Fill `out` for the users low .. high."""
        self._workers.run(self._add, high - low, low, *self._state, out)
