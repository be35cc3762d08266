"""Accuracy: the share of cases classified rightly."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def accuracy(said: npt.NDArray[Any], truth: npt.NDArray[Any]) -> float | None:
    """Of all cases together; None when there are none.

    >>> accuracy(np.array([1, 2, 3, 4]), np.array([1, 2, 0, 0]))
    0.5
    """
    return float(np.mean(said == truth)) if len(truth) else None
