"""MAP@K: the mean over users of AP@K = sum over hits of precision@place / min(K, |held out|).

A list of K hits has 1, however many items were held out. Libraries that divide by |held out| give less where that is
more than K.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints
from tacit.metrics.top_k import Hits, where_relevant

Floats = npt.NDArray[np.float64]


def average_precision(hits: Hits, relevant: Ints) -> Floats:
    """AP of each user.

    >>> average_precision(np.array([[True, False, True]]), np.array([2])).round(4)
    array([0.8333])
    """
    k = hits.shape[1]
    at_place = np.cumsum(hits, axis=1) / np.arange(1, k + 1)
    return where_relevant((at_place * hits).sum(axis=1) / np.clip(relevant, 1, k), relevant)


ranking = average_precision
