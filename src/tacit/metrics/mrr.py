"""MRR@K: the mean over users of 1 / place of the first hit, places from 1; 0 where none of the K hits."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints
from tacit.metrics.top_k import Hits, where_relevant

Floats = npt.NDArray[np.float64]


def reciprocal_rank(hits: Hits, relevant: Ints) -> Floats:
    """Of each user.

    >>> reciprocal_rank(np.array([[False, True], [False, False]]), np.array([1, 1]))
    array([0.5, 0. ])
    """
    first = 1.0 / (1 + np.argmax(hits, axis=1))
    return where_relevant(np.where(hits.any(axis=1), first, 0.0), relevant)


ranking = reciprocal_rank
