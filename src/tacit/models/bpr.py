"""BPR, Bayesian personalized ranking (Rendle et al. 2009): pairwise learning in the form of FPL and FedeRank.

Score s(u,i) = b_i + p_u.q_i. A row is (q_i1 .. q_iF, b_i), the private part p_u. A triple (u, i, j) has an item i
of the user's and an item j that is not. It moves everything by the gradient of ln sigma(s(u,i) - s(u,j)):

    g = sigma(-(s_i - s_j))         p   += lr (g (q_i - q_j) - reg_u p)
    b_i += lr ( g - reg_bias b_i)   q_i += lr ( g p - reg_pos q_i)
    b_j += lr (-g - reg_bias b_j)   q_j += lr (-g p - reg_neg q_j)

With `optimizer=adam` the same slopes are climbed by Adam; any item may be a j, so every row has moments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Positions
from tacit.core.math.negative_sampling import among
from tacit.core.node_state import Field, Floats, NodeArrays, Ratings
from tacit.core.rng import Stream, normal, two
from tacit.core.settings import Count, NonNegative, Positive, setting
from tacit.models.adam import PER_PARAMETER, begin, climb, moments
from tacit.models.base import Kernels, MemorySizes, declare
from tacit.models.shared_kernels import unseen_zero

_ROWS, _PRIVATE, _PAIRS = Stream.INIT_ROWS, Stream.INIT_PRIVATE, Stream.PAIRS


class Hyper(NamedTuple):
    """The numbers the kernels need."""

    lr: np.float32
    reg_u: np.float32
    reg_pos: np.float32
    reg_neg: np.float32
    reg_bias: np.float32
    spread: np.float32
    """Standard deviation of the factors at the start; biases start at 0."""


@kernel
def init_rows(seed: int, node: int, rows: Floats, dense: Floats, hyper: Hyper) -> None:
    """Factors normal around 0, biases 0."""
    items, width = rows.shape
    for i in range(items):
        for f in range(width - 1):
            rows[i, f] = normal(seed, _ROWS, node, i, f) * hyper.spread
        rows[i, width - 1] = 0


@kernel
def init_private(seed: int, node: int, private: Floats, hyper: Hyper) -> None:
    """As the factors of a row."""
    for f in range(len(private)):
        private[f] = normal(seed, _PRIVATE, node, 0, f) * hyper.spread


@kernel
def draw_triple(
    items: Positions, avoid: Positions, catalogue: int, draws: tuple[int, int, int], draw: int
) -> tuple[int, int, int]:
    """A random item of `items`, a random one outside `avoid`, and the number of the next unused draw."""
    seed, node, event = draws
    a, b = two(seed, _PAIRS, node, event, draw)
    i = items[int(a * len(items))]
    j = int(b * catalogue)
    draw += 1
    while among(avoid, j):
        a, b = two(seed, _PAIRS, node, event, draw)
        j = int(a * catalogue)
        draw += 1
    return i, j, draw


@kernel
def surprise(rows: Floats, private: Floats, i: int, j: int) -> np.float32:
    """g = sigma(-(s_i - s_j)): near 1 while the pair is ranked the wrong way round."""
    k = len(private)
    margin = rows[i, k] - rows[j, k]
    for f in range(k):
        margin += private[f] * (rows[i, f] - rows[j, f])
    return np.float32(1.0 / (1.0 + np.exp(margin)))


@kernel
def memory_size(k: int) -> int:
    """What is remembered about a row: its factors and its bias. The person has as much, without a bias' use."""
    return 1 + PER_PARAMETER * (k + 1)


@kernel
def learn(node: NodeArrays, own: Ratings, draws: tuple[int, int, int], hyper: Hyper) -> None:
    """As many random triples as there are local items, each applied at once. Any other item may be a negative."""
    _learn(node, node.memory, own.items, draws, hyper)


@kernel
def _learn(
    node: NodeArrays, memory: Floats | None, items: Positions, draws: tuple[int, int, int], hyper: Hyper
) -> None:
    """Memory: a block for p, then one for each row."""
    rows, private = node.rows, node.private
    k = len(private)
    if len(items) == len(rows):
        return
    size = memory_size(k)
    of_p = moments(memory, 0, size)
    draw = 0
    for _ in range(len(items)):
        i, j, draw = draw_triple(items, items, len(rows), draws, draw)
        of_i, of_j = moments(memory, 1 + i, size), moments(memory, 1 + j, size)
        begin(of_p)
        begin(of_i)
        begin(of_j)
        g = surprise(rows, private, i, j)
        for f in range(k):
            p, qi, qj = private[f], rows[i, f], rows[j, f]
            climb(private, f, g * (qi - qj) - hyper.reg_u * p, hyper.lr, of_p, f)
            climb(rows[i], f, g * p - hyper.reg_pos * qi, hyper.lr, of_i, f)
            climb(rows[j], f, -g * p - hyper.reg_neg * qj, hyper.lr, of_j, f)
        climb(rows[i], k, g - hyper.reg_bias * rows[i, k], hyper.lr, of_i, k)
        climb(rows[j], k, -g - hyper.reg_bias * rows[j, k], hyper.lr, of_j, k)
        node.ages[i] += 1
        node.ages[j] += 1


@kernel
def score(rows: Floats, dense: Floats, private: Floats, item: int, hyper: Hyper) -> float:
    """b_i + p.q_i."""
    k = len(private)
    total = rows[item, k]
    for f in range(k):
        total += private[f] * rows[item, f]
    return total  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class PairwiseRanking:
    """The parameters."""

    k: Count = setting(20, "number of latent factors F (FPL, definition 2.3)")
    lr: Positive = setting(0.05, "learning rate alpha (FPL, equation 6)")
    reg_u: NonNegative | None = setting(
        None, "regularization of p_u; none: lr/20 (FPL, section 4.3; FedeRank, section 4)"
    )
    reg_pos: NonNegative | None = setting(
        None, "regularization of consumed items; none: lr/20 (FPL, section 4.3)"
    )
    reg_neg: NonNegative | None = setting(
        None, "regularization of negative items; none: lr/200 (the same sections)"
    )
    reg_bias: NonNegative = setting(
        0.0,
        "regularization of item biases: the texts say lambda (FPL, equation 6), 0 is nearer their figures",
        later=True,
    )
    spread: NonNegative = setting(
        0.1, "standard deviation of the factors at the start (open in FPL, section 4.3, and FedeRank)"
    )
    optimizer: Literal["sgd", "adam"] = setting(
        "sgd", "how steps are taken: plain, or by Adam (Dymbe, section 7.2.3)", later=True
    )

    name: ClassVar[str] = "bpr"
    evaluate: ClassVar[str] = "full"
    dense_size: ClassVar[int] = 0
    draws_negatives: ClassVar[bool] = True
    fields: ClassVar[tuple[Field, ...]] = declare("item factors q and item biases b", "user factors p")
    kernels: ClassVar[Kernels] = Kernels(init_rows, init_private, learn, score, unseen_zero)

    @property
    def row_width(self) -> int:
        """F factors and a bias."""
        return self.k + 1

    @property
    def private_size(self) -> int:
        """F factors."""
        return self.k

    @property
    def memory_sizes(self) -> MemorySizes:
        """For Adam: a block for the person and one for each row."""
        size = memory_size(self.k) if self.optimizer == "adam" else 0
        return MemorySizes(person=size, row=size)

    def hyper(self) -> Hyper:
        """The numbers the kernels need."""
        lr = self.lr
        return Hyper(
            lr=np.float32(lr),
            reg_u=np.float32(lr / 20 if self.reg_u is None else self.reg_u),
            reg_pos=np.float32(lr / 20 if self.reg_pos is None else self.reg_pos),
            reg_neg=np.float32(lr / 200 if self.reg_neg is None else self.reg_neg),
            reg_bias=np.float32(self.reg_bias),
            spread=np.float32(self.spread),
        )


model = PairwiseRanking
