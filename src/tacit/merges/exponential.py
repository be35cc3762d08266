"""Exponential in the row age: one update more counts e times, however old the rows are (Dymbe 2021, algorithm 3).

w = e^t~ / (e^t + e^t~) where t~ > 0, else 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.merges.base import Weight


@kernel
def weight(age: int, their_age: int, shape: float) -> np.float32:
    """As 1 / (1 + e^(t - t~)): only the difference counts, and an infinite power is a weight of 0."""
    if their_age <= 0:
        return np.float32(0)
    return np.float32(1.0 / (1.0 + np.exp(float(age) - float(their_age))))


@dataclass(frozen=True, slots=True)
class Exponential:
    """Row by row, weighted by e to the age."""

    name: ClassVar[str] = "exponential"
    shape: ClassVar[float] = 0.0
    weight: Weight = field(default=weight, repr=False)


merge = Exponential
