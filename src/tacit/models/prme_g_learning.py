"""The learning rule of PRME-G: distances between places, and the steps after each visit. The model is `prme_g`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints, Positions, Values
from tacit.core.math.negative_sampling import among, draw_one
from tacit.core.node_state import Floats, NodeArrays, Ratings
from tacit.core.rng import Stream, two
from tacit.models.adam import PER_PARAMETER, begin, climb, moments

_NEGATIVES = Stream.TRAINING_NEGATIVES
EARTH_KM = 6371.0


class Hyper(NamedTuple):
    """The numbers the kernels need."""

    lr: np.float32
    lam: np.float32
    a: np.float32
    tau: int
    """Seconds."""
    negatives: int
    pairs: bool
    """Whether negatives are outside what followed the previous place, not outside all places of the person."""
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
def _observe(rows: Floats, p: Floats, memory: Floats | None, s: int, i: int, j: int, hyper: Hyper) -> None:
    """One observation (u, l_s, l_i) against a place l_j."""
    k = len(p)
    z = distance(rows, p, s, j, hyper) - distance(rows, p, s, i, hyper)
    g = np.float32(1) / (np.float32(1) + np.exp(z))
    near, far, rest = np.float32(1), np.float32(1), np.float32(0)
    if s >= 0:
        near, far = hyper.a * weight(hyper, s, i), hyper.a * weight(hyper, s, j)
        rest = (np.float32(1) - hyper.a) / hyper.a
    shrink = np.float32(2) * hyper.lam
    liking = np.float32(2) * g
    size = 1 + PER_PARAMETER * k
    of_p, of_i, of_j = (
        moments(memory, 0, size),
        moments(memory, 1 + 2 * i, size),
        moments(memory, 1 + 2 * j, size),
    )
    begin(of_p)
    begin(of_i)
    begin(of_j)
    for f in range(k):
        toward, away = p[f] - rows[i, f], p[f] - rows[j, f]
        climb(p, f, liking * (far * away - near * toward) - shrink * p[f], hyper.lr, of_p, f)
        climb(rows[i], f, liking * near * toward - shrink * rows[i, f], hyper.lr, of_i, f)
        climb(rows[j], f, -liking * far * away - shrink * rows[j, f], hyper.lr, of_j, f)
    if s >= 0:
        _follow(rows, k, memory, s, i, j, liking * rest, near, far, hyper)


@kernel
def _follow(
    rows: Floats,
    k: int,
    memory: Floats | None,
    s: int,
    i: int,
    j: int,
    following: np.float32,
    near: np.float32,
    far: np.float32,
    hyper: Hyper,
) -> None:
    """The same in the sequence space: l_s and l_i closer to each other, l_j further away."""
    shrink = np.float32(2) * hyper.lam
    size = 1 + PER_PARAMETER * k
    of_s, of_i, of_j = (
        moments(memory, 2 + 2 * s, size),
        moments(memory, 2 + 2 * i, size),
        moments(memory, 2 + 2 * j, size),
    )
    alone = s != i and s != j
    if alone:
        begin(of_s)
    begin(of_i)
    begin(of_j)
    for f in range(k):
        c = k + f
        toward, away = rows[s, c] - rows[i, c], rows[s, c] - rows[j, c]
        # Read before anything is written: l_s may be the same place as l_i or l_j.
        to_s = following * (far * away - near * toward) - shrink * rows[s, c]
        to_i = following * near * toward - shrink * rows[i, c]
        to_j = -following * far * away - shrink * rows[j, c]
        if alone or memory is None:
            climb(rows[s], c, to_s, hyper.lr, of_s, f)
        elif s == i:
            to_i += to_s  # one place makes one step of Adam
        else:
            to_j += to_s
        climb(rows[i], c, to_i, hyper.lr, of_i, f)
        climb(rows[j], c, to_j, hyper.lr, of_j, f)


@kernel
def _place(items: Positions, values: Values, item: int) -> bool:
    """Whether a place is to be learned from."""
    at = np.searchsorted(items, item)
    return bool(at < len(items) and items[at] == item and not np.isnan(values[at]))


@kernel
def pairs_of(number: int, own: Ratings, places: int, hyper: Hyper) -> Ints:
    """Which place followed which within tau, for one person: l_s * places + l_i, ascending, each once."""
    first, last = hyper.start[number], hyper.start[number + 1]
    pairs = np.empty(last - first, np.int64)
    count = 0
    before, when = -1, 0
    for n in range(first, last):
        i = int(hyper.item[n])
        if not _place(own.items, own.values, i):
            continue
        if before >= 0 and hyper.time[n] - when <= hyper.tau:
            pairs[count] = before * places + i
            count += 1
        before, when = i, hyper.time[n]
    return np.unique(pairs[:count])


@kernel
def draw_unobserved(
    draws: tuple[int, int, int], draw: int, s: int, own: Ratings, pairs: Ints, places: int
) -> tuple[int, int]:
    """A place not observed for (u, l_s), each equally likely, or -1 where there is none; and the next unused draw.

    Places that the person knows and must not learn from (value NaN) are observed, too.
    """
    seed, number, event = draws
    if s < 0:
        if len(own.items) == places:
            return -1, draw
        return draw_one(seed, _NEGATIVES, number, event, draw, own.items, places)
    first, last = np.searchsorted(pairs, s * places), np.searchsorted(pairs, (s + 1) * places)
    observed = last - first
    for value in own.values:
        if np.isnan(value):
            observed += 1
    if observed >= places:
        return -1, draw
    while True:
        a, b = two(seed, _NEGATIVES, number, event, draw)
        draw += 1
        for share in (a, b):
            j = int(share * places)
            known = among(own.items, j) and not _place(own.items, own.values, j)
            if not known and not among(pairs, s * places + j):
                return j, draw


@kernel
def learn(node: NodeArrays, own: Ratings, draws: tuple[int, int, int], hyper: Hyper) -> None:
    """Every visit to a place of the local items, in order of time; to others it is as if it had not happened."""
    _learn(node, node.memory, own, draws, hyper)


@kernel
def _learn(
    node: NodeArrays, memory: Floats | None, own: Ratings, draws: tuple[int, int, int], hyper: Hyper
) -> None:
    """Memory: a block for P_u wherever it is, then two for each place, one per space."""
    seed, number, event = draws
    rows, items, private = node.rows, own.items, node.private
    places = len(rows)
    last = len(private) - 1
    p = private[:last] if last > 0 else node.dense[:]
    left = places > len(items)
    pairs = pairs_of(number, own, places, hyper) if hyper.pairs else np.empty(0, np.int64)
    draw = 0
    before, when = -1, 0
    for n in range(hyper.start[number], hyper.start[number + 1]):
        i = int(hyper.item[n])
        if not _place(items, own.values, i):
            continue
        s = before if before >= 0 and hyper.time[n] - when <= hyper.tau else -1
        for _ in range(hyper.negatives):
            j = -1
            if hyper.pairs:
                j, draw = draw_unobserved(draws, draw, s, own, pairs, places)
            elif left:
                j, draw = draw_one(seed, _NEGATIVES, number, event, draw, items, places)
            if j >= 0:
                _observe(rows, p, memory, s, i, j, hyper)
                node.ages[j] += 1
        node.ages[i] += 1
        before, when = i, hyper.time[n]
    private[last] = before
