"""What a merge is: for each row, or for a whole model, how much of the received one to take.

    new row = (1 - w) own + w received,  new age = max(own age, received age),  w = weight(own, received, shape)

A row that is taken over as a whole, w = 1, brings its own age. A weight is from 0 to 1:
the new row lies between the two.

A merge module holds a frozen dataclass under the name `merge`. Its `weight` is a compiled function of the two ages and
of one number of its own, `shape`, such as a polynomial's degree. See `age_average.py`, the shortest example.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Protocol

import numpy as np

Weight = Callable[[int, int, float], np.float32]


class Merge(Protocol):
    """A merge with its parameters."""

    name: ClassVar[str]

    @property
    def weight(self) -> Weight:
        """The compiled function."""
        ...

    @property
    def shape(self) -> float:
        """The number that `weight` gets beside the two ages."""
        ...


SCORE, SAMPLES, CLOCK = 0, 1, 2
"""What a whole model can be weighed by: how well it does, how much data its sender has, how often it was updated."""


class ModelMerge(Protocol):
    """A merge of whole models: new = (a own + b received) / (a + b), equal parts where both are 0.

    `basis` says what a and b are; the two are counted, or measured, by the node that received the model.
    """

    name: ClassVar[str]
    basis: ClassVar[int]
