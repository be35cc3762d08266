"""No model on the devices: a baseline learns in one place and answers for everybody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.node_state import Field, Floats, NodeArrays, Ratings
from tacit.models.base import Kernels, declare
from tacit.models.shared_kernels import unseen_zero, zero_private


class Hyper(NamedTuple):
    """Nothing, but a kernel wants a number."""

    zero: np.float32


@kernel
def init_rows(seed: int, node: int, rows: Floats, dense: Floats, hyper: Hyper) -> None:
    """Nothing to fill."""


@kernel
def learn(node: NodeArrays, own: Ratings, draws: tuple[int, int, int], hyper: Hyper) -> None:
    """Nothing is learned on a device."""


@kernel
def score(rows: Floats, dense: Floats, private: Floats, item: int, hyper: Hyper) -> float:
    """0."""
    return 0.0


@dataclass(frozen=True, slots=True)
class NoModel:
    """It has no parameters."""

    name: ClassVar[str] = "none"
    evaluate: ClassVar[str] = "full"
    row_width: ClassVar[int] = 0
    dense_size: ClassVar[int] = 0
    private_size: ClassVar[int] = 0
    fields: ClassVar[tuple[Field, ...]] = declare("empty", "empty", memory=False)
    kernels: ClassVar[Kernels] = Kernels(init_rows, zero_private, learn, score, unseen_zero)

    def hyper(self) -> Hyper:
        """The numbers the kernels need."""
        return Hyper(np.float32(0))


model = NoModel
