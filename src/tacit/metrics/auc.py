"""AUC: the chance that a random positive scores above a random negative, ties counting half.

(sum of the positives' average ranks - P (P + 1) / 2) / (P N), with P positives and N negatives.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata


def auc(scores: npt.NDArray[np.floating], positive: npt.NDArray[np.bool_]) -> float:
    """0.5 for a scorer that knows nothing; NaN where one side is empty.

    >>> auc(np.array([3.0, 1.0, 1.0]), np.array([True, True, False]))
    0.75
    """
    count = int(positive.sum())
    others = len(positive) - count
    if not count or not others:
        return float("nan")
    ranks = rankdata(scores)
    return float((ranks[positive].sum() - count * (count + 1) / 2) / (count * others))
