"""Biased matrix factorization by stochastic gradient descent (Hegedűs, Danner, Jelasity 2020, algorithms 5 and 6).

Prediction x.Y_i + b + c_i. A row is (Y_i1 .. Y_ik, c_i), the private part (x_1 .. x_k, b). With k = 0 only the biases
are left. Loss: squared error over the known ratings + lambda/2 (|x|^2 + |Y|^2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Positions, Values
from tacit.core.node_state import Field, Floats, NodeArrays, Ratings
from tacit.core.rng import Stream, normal, uniform
from tacit.core.settings import NonNegative, Positive, Whole, setting
from tacit.models.adam import PER_PARAMETER, begin, climb, moments
from tacit.models.base import Kernels, MemorySizes, declare

_ROWS, _PRIVATE = Stream.INIT_ROWS, Stream.INIT_PRIVATE
Doubles = npt.NDArray[np.float64]


class Hyper(NamedTuple):
    """The numbers the kernels need."""

    eta_v: np.float32
    """Learning rate of the vectors."""
    pull: np.float32
    """eta_v for an error on a scale as wide as 1 to 5; on wider ones errors are larger, and so less."""
    eta_b: np.float32
    """Learning rate of the biases."""
    lam: np.float32
    """Regularization."""
    keep: np.float32
    """1 - eta lambda: what regularization leaves of a factor."""
    spread: np.float32
    """Factors start uniform in [0, spread]; below 0: normal with this standard deviation."""
    row_bias: np.float32
    """Where item biases start."""
    user_bias: np.float32
    """Where user biases start."""


def widening(scale: tuple[float, float]) -> float:
    """How many times as wide as 1 to 5 a scale of ratings is, at least 1.

    The published learning rates are for 1 to 5. Errors on 0 to 100 are 25 times as large. Steps of the factors
    are products of an error and a factor, and would diverge. Divided by this, learning is the same on every wider
    scale. The biases' steps are in proportion to the error anyway.

    >>> widening((0.0, 100.0)), widening((1.0, 5.0)), widening((0.0, 1.0))
    (25.0, 1.0, 1.0)
    """
    return max(1.0, (scale[1] - scale[0]) / 4)


@kernel
def _factor(seed: int, stream: int, node: int, row: int, f: int, spread: np.float32) -> float:
    if spread < 0:
        return float(-spread * normal(seed, stream, node, row, f))
    return float(uniform(seed, stream, node, row, f) * spread)


@kernel
def init_rows(seed: int, node: int, rows: Floats, dense: Floats, hyper: Hyper) -> None:
    """Factors uniform in [0, sqrt((Rmax - Rmin)/k)], biases Rmin/2: first predictions fall into [Rmin, Rmax]."""
    items, width = rows.shape
    for i in range(items):
        for f in range(width - 1):
            rows[i, f] = _factor(seed, _ROWS, node, i, f, hyper.spread)
        rows[i, width - 1] = hyper.row_bias


@kernel
def init_private(seed: int, node: int, private: Floats, hyper: Hyper) -> None:
    """Set the private part to random factors and a bias, in the same way as a row."""
    k = len(private) - 1
    for f in range(k):
        private[f] = _factor(seed, _PRIVATE, node, 0, f, hyper.spread)
    private[k] = hyper.user_bias


@kernel
def init_data(private: Floats, items: Positions, values: Values, start: Doubles, hyper: Hyper) -> None:
    """b = mean of the user's ratings, c_i = a_i - b (Dymbe 2021, algorithm 4). Without ratings b stays as it is."""
    if len(values) == 0:
        return
    total = 0.0
    for n in range(len(values)):
        total += values[n]
    private[len(private) - 1] = total / len(values)
    for n in range(len(values)):
        start[n] = values[n] - private[len(private) - 1]


@kernel
def learn(node: NodeArrays, own: Ratings, draws: tuple[int, int, int], hyper: Hyper) -> None:
    """One pass over the local ratings, in ascending item order; Y_i and x step simultaneously."""
    _learn(node, node.memory, own, hyper)


@kernel
def _learn(node: NodeArrays, memory: Floats | None, own: Ratings, hyper: Hyper) -> None:
    """By plain steps, or by Adam. Memory: a count and two moments per parameter, of the person, then of rated rows."""
    rows, private = node.rows, node.private
    k = len(private) - 1
    size = 1 + PER_PARAMETER * (k + 1)
    mine = moments(memory, 0, size)
    for n in range(len(own.items)):
        i = own.items[n]
        node.ages[i] += 1
        err = own.values[n] - private[k] - rows[i, k]
        for f in range(k):
            err -= private[f] * rows[i, f]
        if memory is None:
            step = hyper.pull * err
            for f in range(k):
                y, x = rows[i, f], private[f]
                rows[i, f] = hyper.keep * y + step * x
                private[f] = hyper.keep * x + step * y
            rows[i, k] += hyper.eta_b * err
            private[k] += hyper.eta_b * err
        else:
            theirs = moments(memory, n + 1, size)
            begin(mine)
            begin(theirs)
            for f in range(k):
                y, x = rows[i, f], private[f]
                climb(rows[i], f, err * x - hyper.lam * y, hyper.eta_v, theirs, f)
                climb(private, f, err * y - hyper.lam * x, hyper.eta_v, mine, f)
            climb(rows[i], k, err, hyper.eta_b, theirs, k)
            climb(private, k, err, hyper.eta_b, mine, k)


@kernel
def score(rows: Floats, dense: Floats, private: Floats, item: int, hyper: Hyper) -> float:
    """x.Y_i + b + c_i."""
    k = len(private) - 1
    total = private[k] + rows[item, k]
    for f in range(k):
        total += private[f] * rows[item, f]
    return total  # type: ignore[no-any-return]


@kernel
def unseen(private: Floats, hyper: Hyper) -> float:
    """The user bias."""
    return private[len(private) - 1]  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class MatrixFactorization:
    """The parameters; `scale` is the lowest and the highest rating, from the data."""

    k: Whole = setting(5, "number of latent factors (Hegedűs et al., section 6.4); 0 leaves only the biases")
    eta: Positive = setting(0.01, "learning rate eta (Hegedűs et al., algorithm 6)")
    eta_b: Positive | None = setting(None, "learning rate of the biases (Dymbe, section 5.5); none: eta")
    lam: NonNegative = setting(0.1, "regularization lambda (Hegedűs et al., algorithm 6)")
    optimizer: Literal["sgd", "adam"] = setting(
        "sgd", "how steps are taken: plain, or by Adam (Dymbe, section 7.2.3)"
    )
    scaled: bool = setting(
        True,
        "are steps of the factors divided by how much wider the ratings' scale is than 1 to 5, so that any scale is "
        "learned alike? (false: as in Hegedűs et al., algorithm 6)",
        later=True,
    )
    scale: tuple[float, float] = (1.0, 5.0)
    init: str = "random"
    """`random`, or `data`: biases start from the ratings, factors normal with standard deviation 0.1."""

    name: ClassVar[str] = "mf"
    dense_size: ClassVar[int] = 0
    fields: ClassVar[tuple[Field, ...]] = declare(
        "item factors Y and item biases c", "user factors x and user bias b"
    )
    kernels: ClassVar[Kernels] = Kernels(init_rows, init_private, learn, score, unseen, init_data)

    @property
    def row_width(self) -> int:
        """k factors and a bias."""
        return self.k + 1

    @property
    def private_size(self) -> int:
        """k factors and a bias."""
        return self.k + 1

    @property
    def memory_sizes(self) -> MemorySizes:
        """For Adam: a count and two moments per parameter."""
        size = 1 + PER_PARAMETER * (self.k + 1) if self.optimizer == "adam" else 0
        return MemorySizes(person=size, rating=size)

    @staticmethod
    def parts(rows: Floats, private: Floats) -> dict[str, Floats]:
        """What predictions are made of, for one row and one private part each: x.Y, b, c."""
        return {
            "factors": (rows[:, :-1] * private[:, :-1]).sum(axis=1),
            "user_bias": private[:, -1],
            "item_bias": rows[:, -1],
        }

    def hyper(self) -> Hyper:
        """The numbers the kernels need."""
        low, high = self.scale
        wide = widening(self.scale)
        spread = ((high - low) / self.k) ** 0.5 if self.k else 0.0
        from_data = self.init == "data"
        return Hyper(
            eta_v=np.float32(self.eta),
            pull=np.float32(self.eta / wide if self.scaled else self.eta),
            eta_b=np.float32(self.eta if self.eta_b is None else self.eta_b),
            lam=np.float32(self.lam),
            keep=np.float32(1.0 - self.eta * self.lam),
            spread=np.float32(-0.1 * wide**0.5 if from_data else spread),
            row_bias=np.float32(0.0 if from_data else low / 2),
            user_bias=np.float32((low + high) / 2 if from_data else low / 2),
        )


model = MatrixFactorization
