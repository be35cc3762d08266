"""NDCG@K: sum of 1 / log2(place + 1) over the hits, places from 1, divided by the most it could be.

The most: hits in the first min(K, |held out|) places. Of a single held-out item it is ln 2 / ln(rank + 2), rank from 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints
from tacit.metrics.top_k import Hits, where_relevant

Floats = npt.NDArray[np.float64]


def ndcg(hits: Hits, relevant: Ints) -> Floats:
    """Of each user.

    >>> ndcg(np.array([[False, True]]), np.array([1])).round(4)
    array([0.6309])
    """
    gain = 1.0 / np.log2(np.arange(2, hits.shape[1] + 2))
    most = np.concatenate(([1.0], np.cumsum(gain)))[np.minimum(relevant, hits.shape[1])]
    return where_relevant((hits * gain).sum(axis=1) / most, relevant)


ranking = ndcg
