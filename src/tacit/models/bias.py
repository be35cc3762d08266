"""Biases alone: prediction b + c_i (Dymbe 2021, equation 5.1). One number per item is sent; everybody gets one ranking.

The learning rule is that of `mf` without factors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tacit.core.node_state import Field, Floats
from tacit.core.settings import Positive, setting
from tacit.models.base import Kernels, MemorySizes, declare
from tacit.models.mf import Hyper, MatrixFactorization


@dataclass(frozen=True, slots=True)
class Bias:
    """The parameters; `scale` and `init` come from the run."""

    eta: Positive = setting(0.01, "learning rate eta (Dymbe, equations 2.11 and 2.12)")
    optimizer: Literal["sgd", "adam"] = setting(
        "sgd", "how steps are taken: plain, or by Adam (Dymbe, section 7.2.3)"
    )
    scale: tuple[float, float] = (1.0, 5.0)
    init: str = "random"
    """`random`: every bias starts at 1 (nothing random about it); `data`: biases start from the ratings."""

    name: ClassVar[str] = "bias"
    dense_size: ClassVar[int] = 0
    fields: ClassVar[tuple[Field, ...]] = declare("item biases c", "user bias b")
    kernels: ClassVar[Kernels] = MatrixFactorization.kernels

    @property
    def row_width(self) -> int:
        """A bias."""
        return 1

    @property
    def private_size(self) -> int:
        """A bias."""
        return 1

    @property
    def memory_sizes(self) -> MemorySizes:
        """As of `mf` with no factors."""
        return MatrixFactorization(k=0, optimizer=self.optimizer).memory_sizes

    @staticmethod
    def parts(rows: Floats, private: Floats) -> dict[str, Floats]:
        """What predictions are made of: b, c."""
        return {"user_bias": private[:, 0], "item_bias": rows[:, 0]}

    def hyper(self) -> Hyper:
        """Those of `mf` with no factors; biases start at 1 each, so that a first prediction is 2 as with factors."""
        base = MatrixFactorization(k=0, eta=self.eta, scale=self.scale, init=self.init).hyper()
        one = np.float32(1)
        return base if self.init == "data" else base._replace(row_bias=one, user_bias=one)


model = Bias
