"""Bias of a group of users toward a category C of items, and how recommendations shift it.

Bias B(G, C) = PR(G, C) / P(C): PR is the share of the group's interactions (or recommendations) in C, P the share of C
in the catalogue. Bias disparity BD(G, C) = (B_recommended - B_train) / B_train.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int32]
"""The category of each item; -1 where it is unknown."""


def bias(times: Ints, category: Labels, categories: int) -> Floats:
    """Toward each category, from how often the group has each item; NaN for a category without items.

    Items of unknown category are left out on both sides.

    >>> bias(np.array([3, 1, 0, 0]), np.array([0, 1, 1, 1], np.int32), 2).round(3)
    array([3.   , 0.333])
    """
    known = category >= 0
    there = np.bincount(category[known], minlength=categories)
    taken = np.bincount(category[known], weights=times[known], minlength=categories)
    with np.errstate(invalid="ignore", divide="ignore"):
        value: Floats = (taken / taken.sum()) / (there / there.sum())
    return value


def bias_disparity(recommended: Floats, train: Floats) -> Floats:
    """(B_recommended - B_train) / B_train; NaN where the group has nothing in a category.

    >>> bias_disparity(np.array([0.5]), np.array([1.0]))
    array([-0.5])
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        shift: Floats = np.where(train > 0, (recommended - train) / train, np.nan)
    return shift
