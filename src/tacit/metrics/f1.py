"""F1@K: the harmonic mean of a user's precision and recall; 2 P R / (P + R), 0 where nothing was hit."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints
from tacit.metrics.top_k import Hits, where_relevant

Floats = npt.NDArray[np.float64]


def f1(hits: Hits, relevant: Ints) -> Floats:
    """Of each user: 2 |hits| / (K + |held out|).

    >>> f1(np.array([[True, False]]), np.array([2]))
    array([0.5])
    """
    return where_relevant(2 * hits.sum(axis=1) / (hits.shape[1] + relevant), relevant)


ranking = f1
