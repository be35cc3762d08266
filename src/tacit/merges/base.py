"""What a merge is: for each row, how much of the received one to take.

    new row = (1 - w) own + w received,  new age = max(own age, received age),  w = weight(own, received, shape)

A merge module holds a `Merge` under the name `merge`; its `weight` is a compiled function of the two ages and of one
number of the merge's own (`shape`: a polynomial's degree, for instance). See `age_average.py`, the shortest example.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Merge:
    """A merge function with its parameter."""

    name: str
    weight: Callable[[int, int, float], np.float32]
    shape: float = 0.0
