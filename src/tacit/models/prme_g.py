"""Personalized ranking metric embedding with geography (PRME-G, Feng et al. 2015), for the next place to go to.

A place has a point in a preference space and one in a sequence space, a person a point in the preference space. How far
the place l_i is for a person u who was at l_s before:

    D(u, l_s, l_i) = |P_u - P_i|^2                                      l_s longer ago than tau, or nowhere
    D(u, l_s, l_i) = w (a |P_u - P_i|^2 + (1 - a) |S_s - S_i|^2)        otherwise,
    w = (1 + distance of l_s and l_i in km)^0.25

A row is (P_i, S_i). The private part is P_u and the place the person is at now (the last one learned from; -1: none);
with `user-vectors=travel` P_u stands in the dense part and is sent and merged. A pass goes over the person's visits in
order of time; each brings `negatives` places l_j that the person does not know, and for each of them

    z = D(u, l_s, l_j) - D(u, l_s, l_i),     Theta += lr d/dTheta (log sigma(z) - lam |Theta|^2)

A recommendation is made for somebody who is at their current place now: small D first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiling import kernel
from tacit.core.errors import BadInput
from tacit.core.interactions import Ints, Positions, Values
from tacit.core.kinds import Number, Whole, setting
from tacit.core.negatives import draw_one
from tacit.core.rng import Stream, normal
from tacit.core.state import Ages, Field, Floats, Visibility
from tacit.models.base import Kernels

_ROWS, _PRIVATE, _NEGATIVES = Stream.INIT_ROWS, Stream.INIT_PRIVATE, Stream.TRAINING_NEGATIVES
EARTH_KM = 6371.0


class Hyper(NamedTuple):
    """What the kernels need."""

    lr: np.float32
    lam: np.float32
    a: np.float32
    tau: int
    """Seconds."""
    negatives: int
    spread: np.float32
    start: Ints
    item: Positions
    time: Ints
    lat: npt.NDArray[np.float64]
    lon: npt.NDArray[np.float64]


@kernel
def weight(hyper: Hyper, s: int, i: int) -> np.float32:
    """w(l_s, l_i) by the great circle; 1 where coordinates are not known."""
    if s >= len(hyper.lat) or i >= len(hyper.lat):
        return np.float32(1)
    a, b = np.radians(hyper.lat[s]), np.radians(hyper.lat[i])
    across = np.sin((b - a) / 2) ** 2
    across += np.cos(a) * np.cos(b) * np.sin(np.radians(hyper.lon[i] - hyper.lon[s]) / 2) ** 2
    if np.isnan(across):
        return np.float32(1)
    km = 2 * EARTH_KM * np.arcsin(min(1.0, np.sqrt(across)))
    return np.float32((1 + km) ** 0.25)


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
def distance(rows: Floats, p: Floats, s: int, i: int, hyper: Hyper) -> np.float32:
    """D(u, l_s, l_i); s below 0: no place before, or too long ago."""
    k = len(p)
    liking = np.float32(0)
    following = np.float32(0)
    for f in range(k):
        liking += (p[f] - rows[i, f]) ** 2
        if s >= 0:
            following += (rows[s, k + f] - rows[i, k + f]) ** 2
    if s < 0:
        return liking
    return weight(hyper, s, i) * (hyper.a * liking + (np.float32(1) - hyper.a) * following)


@kernel
def _observe(rows: Floats, p: Floats, s: int, i: int, j: int, hyper: Hyper) -> None:
    """One observation (u, l_s, l_i) against a place l_j."""
    k = len(p)
    z = distance(rows, p, s, j, hyper) - distance(rows, p, s, i, hyper)
    g = np.float32(1) / (np.float32(1) + np.exp(z))
    near, far, rest = np.float32(1), np.float32(1), np.float32(0)
    if s >= 0:
        near, far = hyper.a * weight(hyper, s, i), hyper.a * weight(hyper, s, j)
        rest = (np.float32(1) - hyper.a) / hyper.a
    shrink = np.float32(2) * hyper.lam
    for f in range(k):
        toward, away = p[f] - rows[i, f], p[f] - rows[j, f]
        liking = np.float32(2) * g
        p_new = p[f] + hyper.lr * (liking * (far * away - near * toward) - shrink * p[f])
        rows[i, f] += hyper.lr * (liking * near * toward - shrink * rows[i, f])
        rows[j, f] += hyper.lr * (-liking * far * away - shrink * rows[j, f])
        p[f] = p_new
        if s >= 0:
            c = k + f
            toward, away = rows[s, c] - rows[i, c], rows[s, c] - rows[j, c]
            following = liking * rest
            # Read before anything is written: l_s and l_i may be the same place.
            to_s = hyper.lr * (following * (far * away - near * toward) - shrink * rows[s, c])
            to_i = hyper.lr * (following * near * toward - shrink * rows[i, c])
            to_j = hyper.lr * (-following * far * away - shrink * rows[j, c])
            rows[s, c] += to_s
            rows[i, c] += to_i
            rows[j, c] += to_j


@kernel
def _place(items: Positions, values: Values, item: int) -> bool:
    """Whether a place is to be learned from."""
    at = np.searchsorted(items, item)
    return bool(at < len(items) and items[at] == item and not np.isnan(values[at]))


@kernel
def learn(
    rows: Floats,
    ages: Ages,
    dense: Floats,
    private: Floats,
    items: Positions,
    values: Values,
    draws: tuple[int, int, int],
    hyper: Hyper,
) -> None:
    """Every visit to a place of `items`, in order of time; what is not among them is as if it had not happened."""
    seed, node, event = draws
    last = len(private) - 1
    p = private[:last] if last > 0 else dense[:]
    left = len(rows) > len(items)
    draw = 0
    before, when = -1, 0
    for n in range(hyper.start[node], hyper.start[node + 1]):
        i = int(hyper.item[n])
        if not _place(items, values, i):
            continue
        s = before if before >= 0 and hyper.time[n] - when <= hyper.tau else -1
        if left:
            for _ in range(hyper.negatives):
                j, draw = draw_one(seed, _NEGATIVES, node, event, draw, items, len(rows))
                _observe(rows, p, s, i, j, hyper)
                ages[j] += 1
        ages[i] += 1
        before, when = i, hyper.time[n]
    private[last] = before


@kernel
def score(rows: Floats, dense: Floats, private: Floats, item: int, hyper: Hyper) -> float:
    """-D for somebody who is where they last were."""
    last = len(private) - 1
    p = private[:last] if last > 0 else dense[:]
    return -distance(rows, p, int(private[last]), item, hyper)  # type: ignore[return-value]


@kernel
def unseen(private: Floats, hyper: Hyper) -> float:
    """Nothing is known: 0."""
    return np.float32(0.0)  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class MetricEmbedding:
    """The parameters."""

    k: int = setting(60, "dimensions of each of the two spaces", Whole(1))
    a: float = setting(
        0.2, "weight of the preference space against the sequence space", Number(0, 1, open_low=True)
    )
    tau: float = setting(6.0, "hours after which the previous place no longer matters", Number(0))
    lr: float = setting(0.005, "learning rate gamma", Number(0, open_low=True))
    lam: float = setting(0.03, "regularization lambda", Number(0))
    negatives: int = setting(1, "unknown places drawn for each visit", Whole(1))
    spread: float = setting(0.1, "standard deviation of the points at the start", Number(0))
    user_vectors: str = "private"
    sequences: Any = None
    """`tacit.data.sequences.Sequences` of the training part."""

    name: ClassVar[str] = "prme-g"
    draws_negatives: ClassVar[bool] = True
    metric: ClassVar[str] = "f1"
    """What its performance is measured by, unless told otherwise."""
    kernels: ClassVar[Kernels] = Kernels(init_rows, init_private, learn, score, unseen, looks_up=True)

    def __post_init__(self) -> None:
        if self.sequences is None:
            raise BadInput("model", got="prme-g without visits", allowed="data with times and places")

    @property
    def fields(self) -> tuple[Field, ...]:
        """A dense part only where the person's point travels."""
        travelling = Field("dense", Visibility.SHARED, "the person's point")
        return (
            Field(
                "rows", Visibility.SHARED, "each place's point in the preference and in the sequence space"
            ),
            Field("ages", Visibility.SHARED, "how often each row was updated"),
            Field("clock", Visibility.SHARED, "how often the model was updated"),
            Field("private", Visibility.PRIVATE, "the place the person is at; their point, where it stays"),
            *((travelling,) if self.dense_size else ()),
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

    def hyper(self) -> Hyper:
        """The numbers the kernels need."""
        q = self.sequences
        return Hyper(
            np.float32(self.lr), np.float32(self.lam), np.float32(self.a), round(self.tau * 3600), self.negatives,
            np.float32(self.spread), q.start, q.item, q.time, q.lat, q.lon,
        )  # fmt: skip


model = MetricEmbedding
