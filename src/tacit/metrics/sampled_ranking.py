"""Ranking each held-out item among sampled negatives: HR@K, NDCG@K and F1@K of each user.

rank = the number of negatives that score at least as high (ties count against the held-out item: a constant scorer
must score 0, not 1). A hit is rank < K. HR@K is the share of a user's held-out items that hit; NDCG@K their mean of
ln 2 / ln(rank + 2) where they hit, else 0. For F1@K all of a user's held-out items are ranked together with the
negatives: P = held-out items among the first K / K, R = the same / |held out|, F1 = 2 P R / (P + R).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints, Positions
from tacit.core.math.negative_sampling import draw_outside
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


@kernel
def ranks(start: Ints, scores: Scores, among: Scores) -> tuple[Ints, Ints]:
    """For each held-out item: its rank among the negatives, and among negatives and the user's other held-out items.

    `among` (N x count) holds the negatives' scores, NaN where there is none. Scores that are NaN rank last.
    """
    alone = np.zeros(len(scores), np.int64)
    pooled = np.zeros(len(scores), np.int64)
    for u in range(len(start) - 1):
        for n in range(start[u], start[u + 1]):
            for negative in among[u]:
                if negative >= scores[n] or (np.isnan(scores[n]) and not np.isnan(negative)):
                    alone[n] += 1
            pooled[n] = alone[n]
            for other in range(start[u], start[u + 1]):
                if scores[other] > scores[n] or (scores[other] == scores[n] and other < n):
                    pooled[n] += 1
    return alone, pooled


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
