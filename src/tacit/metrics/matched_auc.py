"""Matched AUC: the chance that a positive scores above a negative *of about the same popularity*, ties counting half.

Everybody knows which items are popular, and people have popular items. A score that only tells popularity has an AUC
far above 0.5 and tells nothing about anybody. Here each positive is compared with the `near` negatives next to it in
order of popularity, half of them on either side. A score that only tells popularity then has 0.5.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def matched_auc(
    scores: npt.NDArray[np.floating],
    positive: npt.NDArray[np.bool_],
    popularity: npt.NDArray[np.integer],
    near: int = 10,
) -> float:
    """0.5 for a scorer that knows popularity and nothing else; NaN where one side is empty.

    >>> matched_auc(np.array([9.0, 8.0, 1.0]), np.array([True, False, False]), np.array([5, 5, 5]))
    1.0
    """
    # Positives stand in the middle of negatives of the same popularity.
    order = np.argsort(popularity, kind="stable")
    others = order[~positive[order]]
    if not positive.any() or not len(others):
        return float("nan")
    levels = popularity[others]
    mine = np.flatnonzero(positive)
    low, high = np.searchsorted(levels, popularity[mine]), np.searchsorted(levels, popularity[mine], "right")
    each = []
    # Of equally popular negatives as many count as below as above; where that is not even, both ways count.
    for both, own in zip((low + high).tolist(), scores[mine], strict=True):
        for place in (both // 2, (both + 1) // 2):
            half = min(near // 2, place, len(others) - place)
            if half:  # more popular than all negatives, or less than all: there is nothing to match it with
                beside = scores[others[place - half : place + half]]
                each.append(np.mean((own > beside) + 0.5 * (own == beside)))
    return float(np.mean(each)) if each else float("nan")
