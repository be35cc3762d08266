"""Precision of the best-scored items, where as many are taken as there are positives.

Items with the same score are taken with the same chance, so the value is the mean over all orders of equal scores.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def expected_precision(scores: npt.NDArray[np.floating], positive: npt.NDArray[np.bool_]) -> float:
    """The share of positives for a scorer that knows nothing; NaN where there is no positive.

    >>> expected_precision(np.array([3.0, 1.0, 1.0]), np.array([True, True, False]))
    0.75
    """
    count = int(positive.sum())
    if not count:
        return float("nan")
    scores = np.where(np.isnan(scores), -np.inf, scores)
    edge = np.partition(scores, -count)[-count]
    above, level = scores > edge, scores == edge
    chance = (count - above.sum()) / level.sum()
    return float((positive[above].sum() + chance * positive[level].sum()) / count)
