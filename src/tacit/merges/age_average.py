"""Average by row age: the row that was updated more often counts more (Hegedűs et al., algorithm 4).

w = t~ / (t + t~) where t~ > 0, else 0: a row that nobody ever updated never dilutes one that somebody did.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.merges.base import Weight


@kernel
def weight(age: int, their_age: int, shape: float) -> np.float32:
    """The received row's share of the two ages."""
    return np.float32(their_age) / np.float32(age + their_age) if their_age > 0 else np.float32(0)


@dataclass(frozen=True, slots=True)
class AgeAverage:
    """Row by row, weighted by age."""

    name: ClassVar[str] = "age-average"
    shape: ClassVar[float] = 0.0
    weight: Weight = field(default=weight, repr=False)


merge = AgeAverage
