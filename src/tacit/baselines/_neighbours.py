"""Nearest neighbours by cosine over who has what, exactly: overlaps are counted, not approximated.

cos(a, b) = |A and B| / sqrt(|A| |B|). Ties go to the lower position. (Not a baseline itself: what two of them share.)
"""

from __future__ import annotations

import numpy as np

from tacit.core.compiling import kernel
from tacit.core.interactions import Ints, Positions
from tacit.core.scorer import Scores
from tacit.core.workers import Workers


@kernel
def _nearest(
    low: int,
    high: int,
    start: Ints,
    member: Positions,
    back_start: Ints,
    back: Positions,
    index: Positions,
    likeness: Scores,
) -> None:
    """The k nearest of each a in low .. high, best first; -1 where fewer have anything in common with it."""
    count = len(start) - 1
    k = index.shape[1]
    common = np.zeros(count, np.int64)
    for a in range(low, high):
        common[:] = 0
        for n in range(start[a], start[a + 1]):
            x = member[n]
            for m in range(back_start[x], back_start[x + 1]):
                common[back[m]] += 1
        found = 0
        for b in range(count):
            if common[b] == 0 or b == a:
                continue
            s = common[b] / np.sqrt(float((start[a + 1] - start[a]) * (start[b + 1] - start[b])))
            if found == k and not s > likeness[a, k - 1]:
                continue
            place = found if found < k else k - 1
            while place > 0 and likeness[a, place - 1] < s:
                likeness[a, place] = likeness[a, place - 1]
                index[a, place] = index[a, place - 1]
                place -= 1
            likeness[a, place] = s
            index[a, place] = b
            if found < k:
                found += 1


def nearest(
    start: Ints, member: Positions, back_start: Ints, back: Positions, k: int, workers: Workers
) -> tuple[Positions, Scores]:
    """Neighbours and likenesses (n x k) of all sets member[start[a]:start[a+1]], given who has each member (`back`)."""
    index = np.full((len(start) - 1, k), -1, np.int32)
    likeness = np.zeros((len(start) - 1, k))
    workers.run(_nearest, len(index), start, member, back_start, back, index, likeness)
    return index, likeness
