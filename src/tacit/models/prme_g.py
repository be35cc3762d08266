"""Personalized ranking metric embedding with geography (PRME-G, Feng et al. 2015), for the next place to go to.

A place has a point in a preference space and one in a sequence space, a person a point in the preference space. How far
the place l_i is for a person u who was at l_s before:

    D(u, l_s, l_i) = |P_u - P_i|^2                                      l_s longer ago than tau, or nowhere
    D(u, l_s, l_i) = w (a |P_u - P_i|^2 + (1 - a) |S_s - S_i|^2)        otherwise,
    w = (1 + distance of l_s and l_i in km)^0.25

A row is (P_i, S_i). The private part is P_u and the place where the person is now: the last one learned from, or -1.
With `user-vectors=travel` P_u stands in the dense part and is sent and merged. A pass goes over the person's visits in
order of time. Each brings `negatives` places l_j that are not observed for (u, l_s), and for each of them

    z = D(u, l_s, l_j) - D(u, l_s, l_i),     Theta += lr d/dTheta (log sigma(z) - lam |Theta|^2)

Observed for (u, l_s) are the places that the person went to from l_s, and all of the person's places where no l_s
counts. With `unobserved=person` an l_j is always outside all places of the person. So a place they know is never
pushed away from the places that it does not follow.

With `optimizer=adam` the same slopes are climbed by Adam; any place may be an l_j, so every row has moments.

A recommendation is made for somebody who is at their current place now: small D first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.errors import BadInput
from tacit.core.interactions import Ints
from tacit.core.node_state import Field, Floats
from tacit.core.rng import Stream, normal
from tacit.core.settings import Count, NonNegative, Positive, Proportion, setting
from tacit.models.adam import PER_PARAMETER
from tacit.models.base import Kernels, MemorySizes, declare
from tacit.models.prme_g_learning import Hyper, distance, learn
from tacit.models.shared_kernels import unseen_zero

_ROWS, _PRIVATE = Stream.INIT_ROWS, Stream.INIT_PRIVATE


@kernel
def init_rows(seed: int, node: int, rows: Floats, dense: Floats, hyper: Hyper) -> None:
    """Points normal around 0; a travelling P_u too."""
    items, width = rows.shape
    for i in range(items):
        for f in range(width):
            rows[i, f] = normal(seed, _ROWS, node, i, f) * hyper.spread
    for f in range(len(dense)):
        dense[f] = normal(seed, _PRIVATE, node, 0, f) * hyper.spread


@kernel
def init_private(seed: int, node: int, private: Floats, hyper: Hyper) -> None:
    """P_u as a row where it stays, and nowhere yet."""
    last = len(private) - 1
    for f in range(last):
        private[f] = normal(seed, _PRIVATE, node, 0, f) * hyper.spread
    private[last] = -1


@kernel
def score(rows: Floats, dense: Floats, private: Floats, item: int, hyper: Hyper) -> float:
    """-D for somebody who is where they last were."""
    last = len(private) - 1
    p = private[:last] if last > 0 else dense[:]
    return -distance(rows, p, int(private[last]), item, hyper)  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class MetricEmbedding:
    """The parameters."""

    k: Count = setting(60, "dimensions of each of the two spaces (Feng et al. 2015)")
    a: Proportion = setting(
        0.2, "weight alpha of the preference space against the sequence space (Feng et al. 2015)"
    )
    tau: NonNegative = setting(
        6.0, "hours after which the previous place no longer matters (Feng et al. 2015)"
    )
    lr: Positive = setting(0.005, "learning rate gamma (PEPPER, equation 2)")
    lam: NonNegative = setting(0.03, "regularization lambda (PEPPER, equation 2)")
    negatives: Count = setting(
        1, 'unobserved places l_j drawn for each visit (PEPPER, section 2.3: "a random POI")'
    )
    unobserved: Literal["pair", "person"] = setting(
        "pair",
        'what an l_j is outside of: what followed l_s for this person ("not observed for (u, l_s)", PEPPER, section '
        "2.3), or all their places",
    )
    spread: NonNegative = setting(0.1, "standard deviation of the points at the start")
    optimizer: Literal["sgd", "adam"] = setting(
        "sgd", "how steps are taken: plain, or by Adam (Dymbe, section 7.2.3)", later=True
    )
    user_vectors: str = "private"
    sequences: Any = None
    """`tacit.data.sequences.Sequences` of the training part."""

    name: ClassVar[str] = "prme-g"
    evaluate: ClassVar[str] = "full"
    draws_negatives: ClassVar[bool] = True
    metric: ClassVar[str] = "f1"
    """What its performance is measured by, unless `merge.metric` says otherwise."""
    kernels: ClassVar[Kernels] = Kernels(init_rows, init_private, learn, score, unseen_zero, looks_up=True)

    def __post_init__(self) -> None:
        if self.sequences is None:
            raise BadInput("model", got="prme-g without visits", allowed="data with times and places")

    @property
    def fields(self) -> tuple[Field, ...]:
        """A dense part only where the person's point travels."""
        return declare(
            "each place's point in the preference and in the sequence space",
            "the place the person is at; their point, where it stays",
            dense="the person's point" if self.dense_size else "",
        )

    @property
    def row_width(self) -> int:
        """A point in each space."""
        return 2 * self.k

    @property
    def dense_size(self) -> int:
        """P_u, where it travels."""
        return 0 if self.user_vectors == "private" else self.k

    @property
    def private_size(self) -> int:
        """P_u where it stays, and the current place."""
        return 1 + (self.k if self.user_vectors == "private" else 0)

    @property
    def vector_size(self) -> int:
        """P_u; the place behind it is nobody's business."""
        return self.private_size - 1

    @property
    def sample_counts(self) -> Ints:
        """Everybody's visits, which a pass goes over: |D_i| where models are weighed by data (PEPPER, equation 1)."""
        counts: Ints = np.diff(self.sequences.start)
        return counts

    @property
    def memory_sizes(self) -> MemorySizes:
        """For Adam: a block for P_u, and one for each of a place's two points."""
        size = 1 + PER_PARAMETER * self.k if self.optimizer == "adam" else 0
        return MemorySizes(person=size, row=2 * size)

    def hyper(self) -> Hyper:
        """The numbers the kernels need."""
        q = self.sequences
        return Hyper(
            np.float32(self.lr), np.float32(self.lam), np.float32(self.a), round(self.tau * 3600), self.negatives,
            self.unobserved == "pair", np.float32(self.spread), q.start, q.item, q.time, q.lat, q.lon,
        )  # fmt: skip


model = MetricEmbedding
