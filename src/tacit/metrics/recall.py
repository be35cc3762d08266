"""Recall@K: the share of the held-out items that are among the K recommended; |hits| / |held out|."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints
from tacit.metrics.top_k import Hits, where_relevant

Floats = npt.NDArray[np.float64]


def recall(hits: Hits, relevant: Ints) -> Floats:
    """Of each user.

    >>> recall(np.array([[True, False]]), np.array([4]))
    array([0.25])
    """
    return where_relevant(hits.sum(axis=1) / np.maximum(relevant, 1), relevant)


ranking = recall
