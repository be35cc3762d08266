"""Implicit ALS by exchanged statistics: a person solves their own vector exactly, item rows come from sums over people.

The loss is that of `tacit.core.math.als_solver`. With p solved, all that a row q_j needs of other people is

    B_j  sum of p over those who have item j        n_j  how many they are        A  sum of p p' over everybody

so people add these up (`protocols/push_sum`, `protocols/federated_sums`) and everyone reads the rows out of the
sums. An exact row would also need C_j, the sum of p p' over those who have j, which is k times as large as B. The
model uses B_j B_j' / n_j in its place, as if all of them had their mean vector. With A = U L U' and averages over N
people,

    b = U'B_j    y = b / (w0 L + reg / sqrt N * sqrt(n_j + w0))    q_j = U y / (1 + b.y / n_j)       (Sherman, Morrison)

`secant`: people also send D_j, the sum of p (p.q_j) for the rows q they have, which makes up for it (`ials_rows.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Positions, Values
from tacit.core.math.als_solver import FIRST_GUESS, Doubles, by_rule, gram, solve
from tacit.core.node_state import Field, Floats, NodeArrays, Ratings, Visibility
from tacit.core.settings import Count, Positive, setting
from tacit.models.base import Exchanged, Kernels
from tacit.models.ials_rows import read_out
from tacit.models.shared_kernels import normal_rows, unseen_zero, zero_private


class Hyper(NamedTuple):
    """What the kernels need; w0 or reg below 0: by rule."""

    w0: np.float64
    reg: np.float64
    spread: np.float32


@kernel
def weights(mean_items: float, items: int, hyper: Hyper) -> tuple[float, float]:
    """w0 and reg: as set, or by rule from how many items people have on average (below 0: not known)."""
    w0, reg = by_rule(mean_items if mean_items > 0 else FIRST_GUESS, items)
    return (hyper.w0 if hyper.w0 >= 0 else w0), (hyper.reg if hyper.reg >= 0 else reg)


@kernel
def solve_own(
    rows: Floats, own_items: Positions, values: Values, known: Doubles, private: Floats, hyper: Hyper
) -> None:
    """p, exactly for these rows."""
    w0, reg = weights(known[0], len(rows), hyper)
    solve(rows, gram(rows), own_items, w0, reg, private)


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
    """One person's statistics: (p, 1) into `sums` for what they have, the lower half of p p' into `outer`.

    Where sums are wide enough for it (`secant`), (p, 1, p (p.q_j)).
    """
    k = len(private)
    secant = sums.shape[1] > k + 1
    for n in range(len(own_items)):
        i = own_items[n]
        for f in range(k):
            sums[i, f] = private[f]
        sums[i, k] = 1
        if secant:
            along = np.float32(0)
            for f in range(k):
                along += private[f] * rows[i, f]
            for f in range(k):
                sums[i, k + 1 + f] = along * private[f]
    place = 0
    for f in range(k):
        for g in range(f + 1):
            outer[place] = private[f] * private[g]
            place += 1


@kernel
def mean_items_per_person(sums: Floats, k: int, weight: float) -> float:
    """How many items people have on average, according to the sums."""
    total = 0.0
    for i in range(sums.shape[0]):
        total += np.float64(sums[i, k])
    return total / weight


@kernel
def read_rows(sums: Floats, outer: Floats, weight: float, known: Doubles, rows: Floats, hyper: Hyper) -> None:
    """Rows, with w0 and reg as the sums themselves suggest."""
    again = known[0] >= 0
    known[0] = mean_items_per_person(sums, rows.shape[1], weight)
    w0, reg = weights(known[0], len(rows), hyper)
    read_out(sums, outer, weight, known[1], w0, reg, known[3], again, rows)


@kernel
def learn(node: NodeArrays, own: Ratings, draws: tuple[int, int, int], hyper: Hyper) -> None:
    """A device alone: solve its own vector exactly for the rows it has; rows come from sums over people."""
    w0, reg = weights(-1.0, len(node.rows), hyper)
    solve(node.rows, gram(node.rows), own.items, w0, reg, node.private)


@kernel
def score(rows: Floats, dense: Floats, private: Floats, item: int, hyper: Hyper) -> float:
    """p.q_j."""
    total = np.float32(0)
    for f in range(len(private)):
        total += private[f] * rows[item, f]
    return total  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class ImplicitLeastSquares:
    """The parameters."""

    k: Count = setting(16, "number of latent factors")
    w0: Positive | None = setting(None, "weight of an item one does not have; none: by rule")
    reg: Positive | None = setting(None, "regularization; none: by rule")
    spread: Positive = setting(0.1, "standard deviation of the factors at the start")
    secant: bool = setting(False, "rows nearly as exact as a central solver's, from sums of twice the size")

    name: ClassVar[str] = "ials"
    evaluate: ClassVar[str] = "full"
    dense_size: ClassVar[int] = 0
    fields: ClassVar[tuple[Field, ...]] = (
        Field("rows", Visibility.SHARED, "item factors q, read out of sums over many people"),
        Field("ages", Visibility.SHARED, "whether a row was ever read out"),
        Field("clock", Visibility.SHARED, "how often rows were read out"),
        Field("private", Visibility.PRIVATE, "the person's own factors p"),
    )
    kernels: ClassVar[Kernels] = Kernels(normal_rows, zero_private, learn, score, unseen_zero)
    exchanged: ClassVar[Exchanged] = Exchanged(solve_own, tell, read_rows)

    @property
    def row_width(self) -> int:
        """k factors."""
        return self.k

    @property
    def sum_width(self) -> int:
        """(B, n), and D."""
        return 2 * self.k + 1 if self.secant else self.k + 1

    @property
    def private_size(self) -> int:
        """k factors."""
        return self.k

    def hyper(self) -> Hyper:
        """The numbers the kernels need."""
        w0, reg = (-1.0 if value is None else value for value in (self.w0, self.reg))
        return Hyper(np.float64(w0), np.float64(reg), np.float32(self.spread))


model = ImplicitLeastSquares
