"""A factorization machine of second order (Rendle 2010) over the user, the item and its features (genres, category).

The user counts 1, the item 1, each of the item's n features 1/n. With F = mean of the features' vectors V_g:

    prediction = b + c_i + mean(w_g) + x.Y_i + x.F + Y_i.F + (|F|^2 - sum |V_g|^2/n^2)/2

A row is (Y_i, c_i), and the private part is (x, b). The dense part is (V_g, w_g) of all features. It travels and is
merged as a whole. So an item that few have rated still has its genres. Without features this is `mf`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints
from tacit.core.node_state import Field, Floats, NodeArrays, Ratings
from tacit.core.rng import Stream, normal
from tacit.core.settings import NonNegative, Positive, Whole, setting
from tacit.models.adam import PER_PARAMETER, begin, climb, moments
from tacit.models.base import Kernels, MemorySizes, declare
from tacit.models.mf import init_data, widening

_ROWS, _PRIVATE = Stream.INIT_ROWS, Stream.INIT_PRIVATE
_SPREAD = 0.1


class Hyper(NamedTuple):
    """The numbers the kernels need."""

    start: Ints
    feature: npt.NDArray[np.int32]
    eta_v: np.float32
    pull: np.float32
    """eta_v for an error on a scale as wide as 1 to 5 (see mf)."""
    eta_b: np.float32
    lam: np.float32
    """Regularization."""
    keep: np.float32
    """1 - eta lambda: what regularization leaves of a factor."""
    middle: np.float32
    """Where user biases start; all others at 0."""
    spread: np.float32
    """Standard deviation of factors at the start."""


@kernel
def init_rows(seed: int, node: int, rows: Floats, dense: Floats, hyper: Hyper) -> None:
    """Factors normal around 0 with standard deviation 0.1; biases 0."""
    items, width = rows.shape
    for i in range(items):
        for f in range(width - 1):
            rows[i, f] = normal(seed, _ROWS, node, i, f) * hyper.spread
        rows[i, width - 1] = 0
    for g in range(len(dense) // width):
        for f in range(width - 1):
            dense[g * width + f] = normal(seed, _ROWS, node, items + g, f) * hyper.spread
        dense[g * width + width - 1] = 0


@kernel
def init_private(seed: int, node: int, private: Floats, hyper: Hyper) -> None:
    """Factors as in a row; the bias in the middle of the scale."""
    k = len(private) - 1
    for f in range(k):
        private[f] = normal(seed, _PRIVATE, node, 0, f) * hyper.spread
    private[k] = hyper.middle


@kernel
def _features(item: int, hyper: Hyper) -> tuple[int, int]:
    """Where an item's features begin, and how many there are."""
    if item + 1 >= len(hyper.start):
        return 0, 0
    first = hyper.start[item]
    return first, hyper.start[item + 1] - first


@kernel
def _predict(rows: Floats, dense: Floats, private: Floats, item: int, hyper: Hyper, mean: Floats) -> float:
    """The prediction; `mean` becomes F."""
    width = len(private)
    k = width - 1
    first, count = _features(item, hyper)
    mean[:] = 0
    total = private[k] + rows[item, k]
    for n in range(count):
        at = hyper.feature[first + n] * width
        total += dense[at + k] / count
        for f in range(k):
            v = dense[at + f] / count
            mean[f] += v
            total -= v * v / 2
    for f in range(k):
        total += private[f] * (rows[item, f] + mean[f]) + rows[item, f] * mean[f] + mean[f] * mean[f] / 2
    return float(total)


@kernel
def learn(node: NodeArrays, own: Ratings, draws: tuple[int, int, int], hyper: Hyper) -> None:
    """One pass over the local ratings, in ascending item order; all parameters step simultaneously."""
    _learn(node, node.memory, own, hyper)


@kernel
def _learn(node: NodeArrays, memory: Floats | None, own: Ratings, hyper: Hyper) -> None:
    """Memory: a count and two moments per number, of the person, the features, each rated row."""
    rows, dense, private = node.rows, node.dense, node.private
    width = len(private)
    k = width - 1
    mean = np.zeros(k, dense.dtype)
    for n in range(len(own.items)):
        i = own.items[n]
        node.ages[i] += 1
        err = own.values[n] - _predict(rows, dense, private, i, hyper, mean)
        first, count = _features(i, hyper)
        if memory is None:
            for f in range(k):
                x = private[f]
                y = rows[i, f]
                for m in range(count):
                    at = hyper.feature[first + m] * width + f
                    slope = (x + y + mean[f] - dense[at] / count) / count
                    dense[at] = hyper.keep * dense[at] + hyper.pull * err * slope
                rows[i, f] = hyper.keep * y + hyper.pull * err * (x + mean[f])
                private[f] = hyper.keep * x + hyper.pull * err * (y + mean[f])
            for m in range(count):
                dense[hyper.feature[first + m] * width + k] += hyper.eta_b * err / count
            rows[i, k] += hyper.eta_b * err
            private[k] += hyper.eta_b * err
        else:
            _step_adam(node, memory, n, i, err, mean, hyper)


@kernel
def _step_adam(
    node: NodeArrays, memory: Floats, n: int, i: int, err: float, mean: Floats, hyper: Hyper
) -> None:
    """The n-th rating, of item i, was off by `err`."""
    rows, dense, private = node.rows, node.dense, node.private
    width = len(private)
    k = width - 1
    size = 1 + PER_PARAMETER * width
    first, count = _features(i, hyper)
    mine, theirs = moments(memory, 0, size), moments(memory, 1 + len(dense) // width + n, size)
    begin(mine)
    begin(theirs)
    for m in range(count):
        begin(moments(memory, 1 + hyper.feature[first + m], size))
    for f in range(k):
        x = private[f]
        y = rows[i, f]
        for m in range(count):
            g = hyper.feature[first + m]
            v = dense[g * width + f]
            slope = err * (x + y + mean[f] - v / count) / count - hyper.lam * v
            climb(dense, g * width + f, slope, hyper.eta_v, moments(memory, 1 + g, size), f)
        climb(rows[i], f, err * (x + mean[f]) - hyper.lam * y, hyper.eta_v, theirs, f)
        climb(private, f, err * (y + mean[f]) - hyper.lam * x, hyper.eta_v, mine, f)
    for m in range(count):
        g = hyper.feature[first + m]
        climb(dense, g * width + k, err / count, hyper.eta_b, moments(memory, 1 + g, size), k)
    climb(rows[i], k, err, hyper.eta_b, theirs, k)
    climb(private, k, err, hyper.eta_b, mine, k)


@kernel
def score(rows: Floats, dense: Floats, private: Floats, item: int, hyper: Hyper) -> float:
    """The formula above."""
    return _predict(rows, dense, private, item, hyper, np.zeros(len(private) - 1, dense.dtype))


@kernel
def unseen(private: Floats, hyper: Hyper) -> float:
    """The user bias."""
    return private[len(private) - 1]  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class FactorizationMachine:
    """The parameters; scale, features and start come from the run."""

    k: Whole = setting(5, "number of latent factors; 0 leaves only the biases")
    eta: Positive = setting(0.01, "learning rate eta")
    eta_b: Positive | None = setting(None, "learning rate of the biases; none: eta")
    lam: NonNegative = setting(0.1, "regularization lambda")
    optimizer: Literal["sgd", "adam"] = setting(
        "sgd", "how steps are taken: plain, or by Adam (Dymbe, section 7.2.3)"
    )
    scale: tuple[float, float] = (1.0, 5.0)
    features: Any = field(default=None, repr=False, compare=False)
    init: str = "random"

    name: ClassVar[str] = "fm"
    fields: ClassVar[tuple[Field, ...]] = declare(
        "item factors Y and item biases c",
        "user factors x and user bias b",
        dense="factors V and weights w of genres and categories",
    )
    kernels: ClassVar[Kernels] = Kernels(
        init_rows, init_private, learn, score, unseen, init_data, looks_up=True
    )

    @property
    def row_width(self) -> int:
        """k factors and a bias."""
        return self.k + 1

    @property
    def dense_size(self) -> int:
        """k factors and a weight for every feature."""
        return 0 if self.features is None else len(self.features.names) * (self.k + 1)

    @property
    def private_size(self) -> int:
        """k factors and a bias."""
        return self.k + 1

    @property
    def memory_sizes(self) -> MemorySizes:
        """For Adam: a count and two moments per number, for the person and each feature, and for each rating."""
        if self.optimizer != "adam":
            return MemorySizes()
        size = 1 + PER_PARAMETER * (self.k + 1)
        return MemorySizes(person=size * (1 + self.dense_size // (self.k + 1)), rating=size)

    def hyper(self) -> Hyper:
        """The numbers the kernels need."""
        low, high = self.scale
        known, wide = self.features, widening(self.scale)
        return Hyper(
            start=np.zeros(0, np.int64) if known is None else known.start,
            feature=np.zeros(0, np.int32) if known is None else known.feature,
            eta_v=np.float32(self.eta),
            pull=np.float32(self.eta / wide),
            eta_b=np.float32(self.eta if self.eta_b is None else self.eta_b),
            lam=np.float32(self.lam),
            keep=np.float32(1.0 - self.eta * self.lam),
            middle=np.float32((low + high) / 2),
            spread=np.float32(_SPREAD * wide**0.5),
        )


model = FactorizationMachine
