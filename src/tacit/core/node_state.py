"""Node state: the arrays that a node holds, each PRIVATE (it stays) or SHARED (it may be sent).

Every model's state is the same few arrays, so that one simulator, one wire format and one store serve all models:

    rows     M x r   one row per item (factors, bias, ...)
    ages     M       how often each row was updated, by this node or by those it came from
    dense    D       parameters that belong to no item (GMF's output weights, a network)
    clock    1       how often the model as a whole was updated; the age of the dense part
    private  P       what belongs to the person (user factors, user bias)
    memory           what the optimizer remembers of its own steps; empty for plain gradient descent

A model declares each of them (`Field`). `tacit.core.message.update.release` lets only SHARED ones out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Positions, Values

Floats = npt.NDArray[np.floating]
Ages = npt.NDArray[np.int32]


class NodeArrays(NamedTuple):
    """One node's state as kernels take it. `memory` is None where the optimizer remembers nothing."""

    rows: Floats
    ages: Ages
    dense: Floats
    private: Floats
    memory: Floats | None


class Ratings(NamedTuple):
    """One node's own data: positions of rows, ascending, and a value for each."""

    items: Positions
    values: Values


class Visibility(Enum):
    """Whether a field may leave the device."""

    PRIVATE = "private"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a node's state, declared where its model is defined."""

    name: str
    visibility: Visibility
    meaning: str


@dataclass(slots=True)
class NodeState:
    """One node's arrays. In the simulator these are views into the arrays of the whole fleet."""

    rows: Floats
    ages: Ages
    dense: Floats
    clock: int
    private: Floats
    memory: Floats = field(default_factory=lambda: np.zeros(0, np.float32))

    def arrays(self) -> NodeArrays:
        """As `training` takes it, which sees whether there is a memory. A model's own `learn` takes None for none."""
        return NodeArrays(self.rows, self.ages, self.dense, self.private, self.memory)
