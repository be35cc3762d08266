"""Generalized matrix factorization (He et al. 2017): the chance of liking i is sigma(h . (p * q_i)).

A row is q_i, the dense part h, the private part p. With `user-vectors=travel` p follows h in the dense part and is
sent, and merged, with the rest. Ratings are ignored: a user likes every item they have. One pass goes over the local
items. Each is one example with y = 1. It brings `negatives` random items that the user does not have, with y = 0. An
example moves everything by the gradient of the binary cross-entropy:

    g = sigma(h . (p * q)) - y
    p -= lr (g h*q + reg p)        q -= lr (g h*p + reg q)        h -= lr_h g p*q

With `optimizer=adam` p, q and h go down the same slopes by Adam; any item may be drawn, so every row has moments.

An item whose value is NaN is known but not learned from: it is never drawn as a negative (`negatives=paper`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.math.negative_sampling import draw_many
from tacit.core.node_state import Field, Floats, NodeArrays, Ratings
from tacit.core.rng import Stream, normal
from tacit.core.settings import Count, NonNegative, Positive, Whole, setting
from tacit.models.adam import PER_PARAMETER, begin, climb, moments
from tacit.models.base import Kernels, MemorySizes, declare
from tacit.models.shared_kernels import unseen_zero

_ROWS, _PRIVATE, _NEGATIVES = Stream.INIT_ROWS, Stream.INIT_PRIVATE, Stream.TRAINING_NEGATIVES


class Hyper(NamedTuple):
    """The numbers the kernels need."""

    lr: np.float32
    lr_h: np.float32
    reg: np.float32
    negatives: int
    spread: np.float32
    """Standard deviation of p and q at the start; h starts at 1."""


@kernel
def init_rows(seed: int, node: int, rows: Floats, dense: Floats, hyper: Hyper) -> None:
    """q normal around 0, h all ones; a travelling p as q."""
    items, k = rows.shape
    for i in range(items):
        for f in range(k):
            rows[i, f] = normal(seed, _ROWS, node, i, f) * hyper.spread
    dense[:k] = 1
    for f in range(k, len(dense)):
        dense[f] = normal(seed, _PRIVATE, node, 0, f - k) * hyper.spread


@kernel
def init_private(seed: int, node: int, private: Floats, hyper: Hyper) -> None:
    """As a row."""
    for f in range(len(private)):
        private[f] = normal(seed, _PRIVATE, node, 0, f) * hyper.spread


@kernel
def _example(
    rows: Floats, h: Floats, p: Floats, memory: Floats | None, item: int, y: np.float32, hyper: Hyper
) -> None:
    q = rows[item]
    z = p[0] * h[0] * q[0]
    for f in range(1, len(p)):
        z += p[f] * h[f] * q[f]
    g = np.float32(1) / (np.float32(1) + np.exp(-z)) - y
    size = 1 + PER_PARAMETER * len(p)
    of_h, of_p, of_q = moments(memory, 0, size), moments(memory, 1, size), moments(memory, 2 + item, size)
    begin(of_h)
    begin(of_p)
    begin(of_q)
    for f in range(len(p)):
        hf, pf, qf = h[f], p[f], q[f]
        climb(p, f, -(g * hf * qf + hyper.reg * pf), hyper.lr, of_p, f)
        climb(q, f, -(g * hf * pf + hyper.reg * qf), hyper.lr, of_q, f)
        climb(h, f, -(g * pf * qf), hyper.lr_h, of_h, f)


@kernel
def learn(node: NodeArrays, own: Ratings, draws: tuple[int, int, int], hyper: Hyper) -> None:
    """Every local item and its negatives, each example applied at once."""
    _learn(node, node.memory, own, draws, hyper)


@kernel
def _learn(
    node: NodeArrays, memory: Floats | None, own: Ratings, draws: tuple[int, int, int], hyper: Hyper
) -> None:
    """Memory: a block for h, one for p wherever it is, then one for each row."""
    seed, number, event = draws
    rows, dense, items = node.rows, node.dense, own.items
    k = rows.shape[1]
    h = dense[:k]
    p = node.private[:] if len(node.private) else dense[k:]
    learned = 0
    for value in own.values:
        learned += not np.isnan(value)
    negatives = hyper.negatives if len(rows) > len(items) else 0
    drawn = np.empty(learned * negatives, np.int32)
    draw_many(seed, _NEGATIVES, number, event, items, len(rows), drawn)
    at = 0
    for n in range(len(items)):
        if np.isnan(own.values[n]):
            continue
        _example(rows, h, p, memory, items[n], np.float32(1), hyper)
        node.ages[items[n]] += 1
        for j in drawn[at : at + negatives]:
            _example(rows, h, p, memory, j, np.float32(0), hyper)
            node.ages[j] += 1
        at += negatives


@kernel
def score(rows: Floats, dense: Floats, private: Floats, item: int, hyper: Hyper) -> float:
    """h . (p * q): what sigma is taken of, so the order is the same."""
    k = rows.shape[1]
    if len(private) == 0:
        total = dense[k] * dense[0] * rows[item, 0]
        for f in range(1, k):
            total += dense[k + f] * dense[f] * rows[item, f]
        return total  # type: ignore[no-any-return]
    total = private[0] * dense[0] * rows[item, 0]
    for f in range(1, k):
        total += private[f] * dense[f] * rows[item, f]
    return total  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class GeneralizedMatrixFactorization:
    """The parameters."""

    k: Count = setting(8, "number of latent factors (open in PEPPER, section 2.3)")
    lr: Positive = setting(0.05, "learning rate of user and item vectors (open in PEPPER)")
    lr_h: NonNegative = setting(0.01, "learning rate of the output weights h (open in PEPPER)")
    reg: NonNegative = setting(0.0, "regularization of user and item vectors (open in PEPPER)")
    negatives: Whole = setting(
        4,
        "negatives drawn for each local item (PEPPER, section 5.2: those not rated are 0, without a number)",
    )
    spread: NonNegative = setting(0.1, "standard deviation of the factors at the start")
    optimizer: Literal["sgd", "adam"] = setting(
        "sgd", "how steps are taken: plain, or by Adam (Dymbe, section 7.2.3)", later=True
    )
    user_vectors: str = "private"
    """`user-vectors`: whether p stays (private) or is part of what is sent (travel)."""

    name: ClassVar[str] = "gmf"
    evaluate: ClassVar[str] = "full"
    draws_negatives: ClassVar[bool] = True
    fields: ClassVar[tuple[Field, ...]] = declare(
        "item vectors q",
        "user vector p, where it stays",
        dense="output weights h; behind them p where it travels",
    )
    kernels: ClassVar[Kernels] = Kernels(init_rows, init_private, learn, score, unseen_zero)

    @property
    def row_width(self) -> int:
        """k."""
        return self.k

    @property
    def dense_size(self) -> int:
        """h, and p where it travels."""
        return self.k if self.user_vectors == "private" else 2 * self.k

    @property
    def private_size(self) -> int:
        """p, where it stays."""
        return self.k if self.user_vectors == "private" else 0

    @property
    def memory_sizes(self) -> MemorySizes:
        """For Adam: blocks for h and p and one for each row; they stay even where p travels."""
        size = 1 + PER_PARAMETER * self.k if self.optimizer == "adam" else 0
        return MemorySizes(person=2 * size, row=size)

    def hyper(self) -> Hyper:
        """The numbers the kernels need."""
        return Hyper(
            lr=np.float32(self.lr),
            lr_h=np.float32(self.lr_h),
            reg=np.float32(self.reg),
            negatives=self.negatives,
            spread=np.float32(self.spread),
        )


model = GeneralizedMatrixFactorization
