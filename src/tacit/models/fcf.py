"""Federated collaborative filtering (Ammad-ud-din et al. 2019): implicit feedback with confidence weights.

The loss is the sum over all users and items of `c_ui (r_ui - x_u.y_i)^2 + lambda (|x|^2 + |y|^2)`. What a user has
counts as r_ui = 1 with c_ui = 1 + alpha. The rest counts as r_ui = 0 with c_ui = 1. A row is y_i, the private part x_u.
A device solves its own x_u exactly for the rows it was sent. At the server the rows move by the sum of all users'
gradients (`protocols/fcf/simulation.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Positions
from tacit.core.node_state import Field, Floats, NodeArrays, Ratings
from tacit.core.settings import Count, NonNegative, Positive, setting
from tacit.models.base import Kernels, declare
from tacit.models.shared_kernels import normal_rows, unseen_zero, zero_private


class Hyper(NamedTuple):
    """The numbers the kernels need."""

    alpha: np.float64
    lam: np.float64
    spread: np.float32


@kernel
def solve(rows: Floats, gram: Floats, private: Floats, items: Positions, hyper: Hyper) -> None:
    """x = (Y'Y + alpha Y_I'Y_I + lambda)^-1 (1 + alpha) sum of Y_I; `gram` is Y'Y, the same for everybody."""
    k = len(private)
    left = np.zeros((k, k))
    right = np.zeros((k, 1))
    for f in range(k):
        left[f, f] = hyper.lam
        for g in range(k):
            left[f, g] += gram[f, g]
    for n in range(len(items)):
        i = items[n]
        for f in range(k):
            right[f, 0] += (1 + hyper.alpha) * rows[i, f]
            for g in range(k):
                left[f, g] += hyper.alpha * rows[i, f] * rows[i, g]
    private[:] = np.linalg.solve(left, right)[:, 0]


@kernel
def learn(node: NodeArrays, own: Ratings, draws: tuple[int, int, int], hyper: Hyper) -> None:
    """A device alone: solve its own vector; rows are the server's to move."""
    rows = node.rows
    k = rows.shape[1]
    gram = np.zeros((k, k))
    for i in range(rows.shape[0]):
        for f in range(k):
            for g in range(k):
                gram[f, g] += rows[i, f] * rows[i, g]
    solve(rows, gram, node.private, own.items, hyper)


@kernel
def score(rows: Floats, dense: Floats, private: Floats, item: int, hyper: Hyper) -> float:
    """x.y_i."""
    total = np.float32(0)
    for f in range(len(private)):
        total += private[f] * rows[item, f]
    return total  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class FederatedFiltering:
    """The parameters."""

    k: Count = setting(
        20, "number of latent factors (FPL, section 4.3: as BPR-MF's; FedeRank, section 4: 20)"
    )
    alpha: NonNegative = setting(1.0, "how much surer what a user has is than what they have not")
    lam: Positive = setting(1.0, "regularization lambda")
    lr: Positive = setting(0.05, "the server's learning rate (Adam)")
    spread: Positive = setting(0.1, "standard deviation of the factors at the start")

    name: ClassVar[str] = "fcf"
    evaluate: ClassVar[str] = "full"
    dense_size: ClassVar[int] = 0
    fields: ClassVar[tuple[Field, ...]] = declare("item factors y", "user factors x", memory=False)
    kernels: ClassVar[Kernels] = Kernels(normal_rows, zero_private, learn, score, unseen_zero)

    @property
    def row_width(self) -> int:
        """k factors."""
        return self.k

    @property
    def private_size(self) -> int:
        """k factors."""
        return self.k

    def hyper(self) -> Hyper:
        """The numbers the kernels need."""
        return Hyper(np.float64(self.alpha), np.float64(self.lam), np.float32(self.spread))


model = FederatedFiltering
