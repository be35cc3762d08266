"""Ranking each held-out item among sampled negatives: HR@K, NDCG@K and F1@K of each user.

rank = the number of negatives that score higher. Items with the same score stand in random order
(`core/math/ties.py`), so a constant scorer has the chance level. An item without a score (NaN, minus infinity) ranks
behind all negatives. A hit is rank < K. HR@K is the share of a user's held-out items that hit. NDCG@K is their mean
of ln 2 / ln(rank + 2) where they hit, else 0. For F1@K all of a user's held-out items are ranked together with the
negatives. H of them are among the first K: P = H / K, R = H / |held out|, F1 = 2 P R / (P + R).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints, Positions
from tacit.core.math.negative_sampling import draw_outside
from tacit.core.math.ties import tie_key
from tacit.core.rng import Stream
from tacit.core.scorer import Scores

_NEGATIVES = Stream.NEGATIVES


@kernel
def draw_negatives(seed: int, start: Ints, item: Positions, items: int, out: Positions) -> None:
    """Fill each user's row of `out`, ascending, with items drawn once from those outside item[start[u]:start[u+1]].

    A user who has fewer gets all of them, and -1 in the rest.
    """
    for u in range(len(start) - 1):
        draw_outside(seed, _NEGATIVES, u, 0, item[start[u] : start[u + 1]], items, out[u])


class Ranks(NamedTuple):
    """Of each held-out item."""

    alone: Ints
    """Its rank among the negatives, from 0."""
    pooled: Ints
    """Its rank among the negatives and the user's other held-out items."""
    tied: npt.NDArray[np.bool_]
    """Whether a tie decided its rank among the negatives."""


@kernel
def rank_among(
    seed: int, user: int, item: int, score: float, negatives: Positions, among: Scores
) -> tuple[int, bool]:
    """The rank of one held-out item among negatives with the scores `among`, and whether a tie decided it."""
    rank, tied, none = 0, False, score == -np.inf
    key = np.uint64(0)
    for m in range(len(among)):
        if among[m] > score or (none and among[m] == score):
            rank += 1
        elif among[m] == score:
            if not tied:
                tied = True
                key = tie_key(seed, user, item)
            if tie_key(seed, user, negatives[m]) > key:
                rank += 1
    return rank, tied


@kernel
def ranks(
    seed: int, start: Ints, item: Positions, scores: Scores, negatives: Positions, among: Scores
) -> Ranks:
    """Rank everybody's held-out items item[start[u]:start[u+1]], which have `scores`.

    `negatives` (N x count) are each user's, `among` their scores; NaN where there is no negative. A score of minus
    infinity is none.
    """
    alone = np.zeros(len(scores), np.int64)
    pooled = np.zeros(len(scores), np.int64)
    tied = np.zeros(len(scores), np.bool_)
    for u in range(len(start) - 1):
        for n in range(start[u], start[u + 1]):
            s = scores[n]
            alone[n], tied[n] = rank_among(seed, u, item[n], s, negatives[u], among[u])
            pooled[n] = alone[n]
            for other in range(start[u], start[u + 1]):
                same = scores[other] == s and other != n
                if scores[other] > s or (same and tie_key(seed, u, item[other]) > tie_key(seed, u, item[n])):
                    pooled[n] += 1
    return Ranks(alone, pooled, tied)


@kernel
def ranks_in_own_lists(
    seed: int, start: Ints, item: Positions, scores: Scores, negatives: Positions, among: Scores
) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """The same where each held-out item has negatives of its own: `alone` and `tied`."""
    alone = np.zeros(len(scores), np.int64)
    tied = np.zeros(len(scores), np.bool_)
    for u in range(len(start) - 1):
        for n in range(start[u], start[u + 1]):
            alone[n], tied[n] = rank_among(seed, u, item[n], scores[n], negatives[n], among[n])
    return alone, tied


def sampled_metrics(
    start: Ints, alone: Ints, pooled: Ints, cuts: tuple[int, ...]
) -> dict[str, npt.NDArray[np.float64]]:
    """hr@K, ndcg@K and f1@K of each user for every K; NaN for a user without held-out items."""
    counts = np.diff(start)

    def mean(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        total = np.concatenate(([0.0], np.cumsum(values)))
        sums = total[start[1:]] - total[start[:-1]]
        each: npt.NDArray[np.float64] = np.full(len(counts), np.nan)
        np.divide(sums, counts, out=each, where=counts > 0)
        return each

    found: dict[str, npt.NDArray[np.float64]] = {}
    for k in cuts:
        found[f"hr@{k}"] = mean(alone < k)
        found[f"ndcg@{k}"] = mean(np.where(alone < k, np.log(2) / np.log(alone + 2.0), 0.0))
        found[f"f1@{k}"] = 2 * mean(pooled < k) * counts / (k + counts)
    return found
