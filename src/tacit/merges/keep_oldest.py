"""Keep the oldest row: a received one replaces one's own if it was updated more often (Dymbe 2021, algorithm 1).

w = 1 where t~ > t, else 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.merges.base import Weight


@kernel
def weight(age: int, their_age: int, shape: float) -> np.float32:
    """All or nothing; at equal ages nothing changes."""
    return np.float32(1) if their_age > age else np.float32(0)


@dataclass(frozen=True, slots=True)
class KeepOldest:
    """Row by row, whichever was updated more often."""

    name: ClassVar[str] = "keep-oldest"
    shape: ClassVar[float] = 0.0
    weight: Weight = field(default=weight, repr=False)


merge = KeepOldest
