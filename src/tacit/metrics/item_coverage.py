"""Item coverage@K: how many different items are recommended to anybody."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints
from tacit.metrics.top_k import Lists

__all__ = ["item_coverage", "times_recommended"]


def times_recommended(lists: Lists, items: int) -> Ints:
    """How many users get each item."""
    counts: npt.NDArray[np.int64] = np.bincount(lists[lists >= 0], minlength=items)
    return counts


def item_coverage(times: Ints) -> int:
    """The number of items recommended at least once.

    >>> item_coverage(np.array([2, 0, 1]))
    2
    """
    return int((times > 0).sum())
