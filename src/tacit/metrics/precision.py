"""Precision@K: the share of the K recommended items that the user held out; |hits| / K."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints
from tacit.metrics.top_k import Hits, where_relevant

Floats = npt.NDArray[np.float64]


def precision(hits: Hits, relevant: Ints) -> Floats:
    """Of each user. A list that ends early counts as if filled with misses.

    >>> precision(np.array([[True, False]]), np.array([3]))
    array([0.5])
    """
    return where_relevant(hits.mean(axis=1), relevant)


ranking = precision
