"""HR@K, hit rate: the share of users with at least one hit among their K recommended items."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints
from tacit.metrics.top_k import Hits, where_relevant

Floats = npt.NDArray[np.float64]


def hit_rate(hits: Hits, relevant: Ints) -> Floats:
    """1 or 0 for each user.

    >>> hit_rate(np.array([[False, True], [False, False]]), np.array([1, 1]))
    array([1., 0.])
    """
    return where_relevant(hits.max(axis=1).astype(np.float64), relevant)


ranking = hit_rate
