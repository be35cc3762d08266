"""ALS for explicit ratings: biased alternating least squares by exchanged statistics, in the form of `models/ials.py`.

A rating is predicted as mu + b_u + b_j + p.q_j. With p' = (p, 1) and a row (q_j, b_j), an item's part is a regression
on p'. All that it needs of other people is

    B_j  sum of (rating - mu - b_u) p' over those who rated j     n_j  how many     C  sum of p' p'' over all ratings

An exact row would need the sum of p' p'' over those who rated j. Here it is taken as n_j times the mean over all
ratings. With C = U L U' a mean, and averages over N people,

    row_j = U (U'B_j / (n_j L + reg sqrt(n_j / N + 1 / N^2)))

The person's own p and b_u are solved exactly for the present rows, from their own ratings. The mean mu moves by the
mean residual of all ratings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Positions, Values
from tacit.core.math.als_solver import Doubles, cholesky_solve
from tacit.core.node_state import Field, Floats, NodeArrays, Ratings, Visibility
from tacit.core.rng import Stream, normal
from tacit.core.settings import Count, Positive, setting
from tacit.models.base import Exchanged, Kernels

_ROWS = Stream.INIT_ROWS


class Hyper(NamedTuple):
    """The numbers the kernels need."""

    reg_user: np.float64
    reg_bias: np.float64
    reg_item: np.float64
    middle: np.float64
    spread: np.float32


@kernel
def init_rows(seed: int, node: int, rows: Floats, dense: Floats, hyper: Hyper) -> None:
    """Factors normal around 0, biases 0. Nodes that exchange sums all start with those of node 0."""
    k = rows.shape[1] - 1
    for i in range(rows.shape[0]):
        for f in range(k):
            rows[i, f] = normal(seed, _ROWS, node, i, f) * hyper.spread
        rows[i, k] = 0


@kernel
def init_private(seed: int, node: int, private: Floats, hyper: Hyper) -> None:
    """Nothing is known but the middle of the scale."""
    private[:] = 0
    private[len(private) - 1] = hyper.middle


@kernel
def solve_own(
    rows: Floats, own_items: Positions, values: Values, known: Doubles, private: Floats, hyper: Hyper
) -> None:
    """p and b_u by a ridge regression of one's own ratings on the rows; the last number is mu."""
    k = rows.shape[1] - 1
    level = known[2] if known[2] > 0 else hyper.middle
    left = np.zeros((k + 1, k + 1))
    right = np.zeros(k + 1)
    for f in range(k):
        left[f, f] = hyper.reg_user * np.sqrt(np.float64(len(own_items)) + 1)
    left[k, k] = hyper.reg_bias
    for n in range(len(own_items)):
        i = own_items[n]
        rest = np.float64(values[n]) - level - np.float64(rows[i, k])
        for f in range(k + 1):
            q = np.float64(rows[i, f]) if f < k else 1.0
            right[f] += q * rest
            for g in range(f + 1):
                left[f, g] += q * (np.float64(rows[i, g]) if g < k else 1.0)
    cholesky_solve(left, right)
    for f in range(k + 1):
        private[f] = right[f]
    private[k + 1] = level


@kernel
def tell(
    private: Floats,
    own_items: Positions,
    values: Values,
    rows: Floats,
    sums: Floats,
    outer: Floats,
    hyper: Hyper,
) -> None:
    """One person's statistics; p' p'' counts once for each of their ratings, in hundreds to fit half precision."""
    k = len(private) - 2
    for n in range(len(own_items)):
        rest = values[n] - private[k + 1] - private[k]
        for f in range(k):
            sums[own_items[n], f] = rest * private[f]
        sums[own_items[n], k] = rest
        sums[own_items[n], k + 1] = 1
    place = 0
    for f in range(k + 1):
        for g in range(f + 1):
            a = private[f] if f < k else np.float32(1)
            b = private[g] if g < k else np.float32(1)
            outer[place] = a * b * np.float32(0.01 * len(own_items))
            place += 1


@kernel
def read_rows(sums: Floats, outer: Floats, weight: float, known: Doubles, rows: Floats, hyper: Hyper) -> None:
    """Rows, and where mu moves to."""
    items, width = rows.shape
    ratings = 0.0
    rest = 0.0
    for i in range(items):
        ratings += np.float64(sums[i, width])
        rest += np.float64(sums[i, width - 1])
    known[0] = ratings / weight
    shift = rest / ratings
    known[2] = (known[2] if known[2] > 0 else hyper.middle) + shift
    mean = np.zeros((width, width))
    place = 0
    for f in range(width):
        for g in range(f + 1):
            mean[f, g] = 100.0 * np.float64(outer[place]) / ratings
            mean[g, f] = mean[f, g]
            place += 1
    size, turn = np.linalg.eigh(mean)
    people = known[1]
    b = np.zeros(width)
    for i in range(items):
        count = max(np.float64(sums[i, width]) / weight, 0.0)
        ridge = hyper.reg_item * np.sqrt(count / people + 1.0 / people**2)
        for f in range(width):
            # The sums are about ratings less the old mu; less the new one all of them are lower.
            b[f] = np.float64(sums[i, f]) / weight - count * shift * mean[f, width - 1]
        for f in range(width):
            total = 0.0
            for g in range(width):
                part = 0.0
                for h in range(width):
                    part += turn[h, g] * b[h]
                total += turn[f, g] * part / (count * max(size[g], 0.0) + ridge)
            rows[i, f] = total


@kernel
def learn(node: NodeArrays, own: Ratings, draws: tuple[int, int, int], hyper: Hyper) -> None:
    """A device alone: solve its own part exactly for the rows it has; rows come from sums over people."""
    known = np.full(3, -1.0)
    known[2] = node.private[len(node.private) - 1]
    solve_own(node.rows, own.items, own.values, known, node.private, hyper)


@kernel
def score(rows: Floats, dense: Floats, private: Floats, item: int, hyper: Hyper) -> float:
    """mu + b_u + b_j + p.q_j."""
    k = rows.shape[1] - 1
    total = private[k + 1] + private[k] + rows[item, k]
    for f in range(k):
        total += private[f] * rows[item, f]
    return total  # type: ignore[no-any-return]


@kernel
def unseen(private: Floats, hyper: Hyper) -> float:
    """mu + b_u."""
    return private[len(private) - 1] + private[len(private) - 2]  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class BiasedLeastSquares:
    """The parameters."""

    k: Count = setting(5, "number of latent factors")
    reg_user: Positive = setting(2.0, "regularization of a person's factors")
    reg_bias: Positive = setting(3.0, "regularization of a person's bias")
    reg_item: Positive = setting(1.0, "regularization of an item's row")
    spread: Positive = setting(0.1, "standard deviation of the factors at the start")
    scale: tuple[float, float] = (1.0, 5.0)

    name: ClassVar[str] = "als"
    dense_size: ClassVar[int] = 0
    fields: ClassVar[tuple[Field, ...]] = (
        Field("rows", Visibility.SHARED, "item factors q and bias, read out of sums over many people"),
        Field("ages", Visibility.SHARED, "whether a row was ever read out"),
        Field("clock", Visibility.SHARED, "how often rows were read out"),
        Field("private", Visibility.PRIVATE, "the person's own factors p and bias; the mean of all ratings"),
    )
    kernels: ClassVar[Kernels] = Kernels(init_rows, init_private, learn, score, unseen)
    exchanged: ClassVar[Exchanged] = Exchanged(solve_own, tell, read_rows)

    @property
    def row_width(self) -> int:
        """k factors and a bias."""
        return self.k + 1

    @property
    def private_size(self) -> int:
        """k factors, a bias, and the mean of all ratings."""
        return self.k + 2

    def hyper(self) -> Hyper:
        """The numbers the kernels need."""
        return Hyper(
            np.float64(self.reg_user),
            np.float64(self.reg_bias),
            np.float64(self.reg_item),
            np.float64(sum(self.scale) / 2),
            np.float32(self.spread),
        )


model = BiasedLeastSquares
