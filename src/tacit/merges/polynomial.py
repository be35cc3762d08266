"""Polynomial in the row age: twice the age counts 2^d times (Dymbe 2021, algorithm 2).

w = t~^d / (t^d + t~^d) where t~ > 0, else 0. Degree 1 is `age-average`; a high degree comes near `keep-oldest`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from tacit.core.compiled.compiling import kernel
from tacit.core.settings import setting
from tacit.merges.base import Weight


@kernel
def weight(age: int, their_age: int, shape: float) -> np.float32:
    """As 1 / (1 + (t/t~)^d): nothing overflows on the way to a weight, whatever the ages and the degree."""
    if their_age <= 0:
        return np.float32(0)
    ratio = float(age) / float(their_age)
    whole = int(shape)
    power = 1.0 if whole == shape else ratio ** (shape - whole)
    for _ in range(whole):
        power *= ratio
    return np.float32(1.0 / (1.0 + power))


@dataclass(frozen=True, slots=True)
class Polynomial:
    """Row by row, weighted by a power of the age."""

    degree: Annotated[float, Meta(gt=0, le=100)] = setting(
        2.0, "degree d: twice the age counts 2^d times (Dymbe, algorithm 2)"
    )

    name: ClassVar[str] = "polynomial"
    weight: Weight = field(default=weight, repr=False)

    @property
    def shape(self) -> float:
        """The degree."""
        return self.degree


merge = Polynomial
