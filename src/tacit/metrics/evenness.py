"""Evenness@K: how evenly recommendations spread over the catalogue; 1 is even, 0 is one item for all.

It is one minus the Gini index, and what FPL and FedeRank print as "Gini":
E = 1 - 1/(M-1) * sum_{i=1..M} (2i - M - 1) p_i, with p_i the share of all recommendations that item i gets, ascending.
"""

from __future__ import annotations

import numpy as np

from tacit.core.interactions import Ints


def evenness(times: Ints) -> float | None:
    """From how often each item is recommended; None where nothing is.

    >>> evenness(np.array([5, 5, 5])), evenness(np.array([0, 9, 0]))
    (1.0, 0.0)
    """
    total, m = int(times.sum()), len(times)
    if total == 0 or m < 2:
        return None
    share = np.sort(times) / total
    return float(1 - np.sum((2 * np.arange(1, m + 1) - m - 1) * share) / (m - 1))
