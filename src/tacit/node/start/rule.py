"""The rule that recommends to one person from public item rows, with or without what a circle likes.

    solved = solve(public, items, weights)             a person's vector, an exact ridge solve
    rates(public, public.rows @ solved.vector, n)      how many of each title a person like this is expected to like

With rows Q (M x k), weights v_i of own ratings (`weight_of_stars`) and n their sum, the vector p solves A p = b:

    A = w Q'Q + sum v_i q_i q_i' + reg sqrt(n + w M) I + t L          w = w0 (n + 0.5) / (n + h), or w0 where h is 0
    b = sum v_i q_i + t L m                                           t = tau / (1 + n / 10)

m and L are the mean and the precision of public people's vectors. A person who rated little is drawn to what people
like on average. The linear score of a title is x_j = q_j'p. It is a sum of one part for each own rating and of the pull
(`parts`). A circle moves m towards what its members like, the more alike they are (`circle_of`).

The rate of a title rises with its score:

    L_j = a log(max(x_j, 0) + 0.003) + b x_j            a = c0 + c2 log(1 + n) / 4        b = c1 + c3 log(1 + n) / 4

Popularity has a share 0.5 / (1 + n) in it. tau, h, c0 .. c3 are learned (`learn`).
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Places = npt.NDArray[np.integer]

LIKED, MIDDLING = 3.5, 2.5
"""Stars of 5 from which on a rating counts as liked, and as neither liked nor disliked."""
MIDDLING_WEIGHT = 0.25
_FEW = 10.0
"""Own ratings at which a person counts for as much as the prior."""
_FLOOR = 0.003
_POPULAR = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class PublicRows:
    """What the rule needs to know about public people and titles."""

    rows: Doubles
    """Q, one row per title; zero for a title nobody liked."""
    counts: npt.NDArray[np.int64]
    """How many public people liked each title."""
    mean: Doubles
    """m, the mean of public people's vectors."""
    precision: Doubles
    """L, the inverse of their covariance."""
    w0: float
    reg: float
    mean_likes: float
    """Titles that a public person likes, on average."""
    tau: float = 0.03
    h: float = 30.0
    calibration: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    """c0 .. c3."""
    gram: Doubles = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "gram", self.rows.T @ self.rows)

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """A person's vector, and the equations it solves."""

    vector: Doubles
    items: Places
    weights: Doubles
    left: Doubles
    """A."""
    pull_scale: float
    """t."""
    toward: Doubles
    """The vector the person is drawn to."""

    @property
    def n(self) -> float:
        """How much the person has rated: the sum of weights."""
        return float(self.weights.sum())


@dataclass(frozen=True, slots=True, eq=False)
class Circle:
    """What the likes of a circle's members say about where a person's taste may be."""

    toward: Doubles
    """The vector to be drawn to, instead of the public mean."""
    shifts: Doubles
    """What each member adds to it; the rows sum to toward - mean."""
    alike: float
    """How alike members are, from 0 to 1."""
    likeness: Doubles
    """How like this person each member is: measured where the person has rated, else `alike`."""


def weight_of_stars(stars: npt.ArrayLike) -> Doubles:
    """What ratings of 1 to 5 stars weigh: liked 1, middling 0.25, disliked nothing.

    >>> weight_of_stars([5, 3.5, 3, 2, 1])
    array([1.  , 1.  , 0.25, 0.  , 0.  ])
    """
    given = np.asarray(stars, np.float64)
    return np.where(given >= LIKED, 1.0, np.where(given >= MIDDLING, MIDDLING_WEIGHT, 0.0))


def solve(public: PublicRows, items: Places, weights: Doubles, toward: Doubles | None = None) -> Solved:
    """The vector of somebody whose ratings of `items` weigh `weights`, drawn `toward` a vector (the public mean)."""
    toward = public.mean if toward is None else toward
    own = public.rows[items]
    n = float(weights.sum())
    w = public.w0 * (n + 0.5) / (n + public.h) if public.h else public.w0
    t = public.tau / (1 + n / _FEW)
    ridge = public.reg * np.sqrt(n + w * len(public))
    left = w * public.gram + (own * weights[:, None]).T @ own + t * public.precision
    left[np.diag_indices_from(left)] += ridge
    right = weights @ own + t * (public.precision @ toward)
    vector = np.asarray(np.linalg.solve(left, right), np.float64)
    return Solved(vector, items, weights, left, t, toward)


def parts(public: PublicRows, solved: Solved, item: int) -> tuple[Doubles, Doubles]:
    """What x of one title is made of: a part for each own rating, and what each of the k numbers of `toward` adds.

    Both together sum to the score. The second, times any split of `toward` into vectors, splits the pull.
    """
    direction = np.linalg.solve(solved.left, public.rows[item])  # A is symmetric
    own = solved.weights * (public.rows[solved.items] @ direction)
    return own, solved.pull_scale * (public.precision @ direction)


def circle_of(public: PublicRows, alone: Solved, members: Doubles) -> Circle:
    """What members with these vectors (one row each) say about a person who alone has the vector `alone`."""
    root = np.linalg.cholesky(public.precision)

    def unit(vectors: Doubles) -> Doubles:
        moved = (vectors - public.mean) @ root
        return np.asarray(moved / (np.linalg.norm(moved, axis=-1, keepdims=True) + 1e-9), np.float64)

    directions = unit(members)
    count = len(members)
    sure = alone.n / (alone.n + _FEW)
    likeness = directions @ unit(alone.vector)
    pairs = (directions @ directions.T)[np.triu_indices(count, 1)]
    shared = float(pairs.sum()) + sure * float(likeness.sum())
    alike = max(0.0, shared / (len(pairs) + sure * count + 1.0))
    shifts = alike / (1 + (count - 1) * alike) * (members - public.mean)
    return Circle(public.mean + shifts.sum(0), shifts, alike, sure * likeness + (1 - sure) * alike)


def rates(public: PublicRows, x: Doubles, n: float) -> Doubles:
    """How likely each title is liked, given scores x and n own ratings; they sum to `mean_likes`.

    n = 0 without a circle is not asked here: then titles are ordered by `popularity`.
    """
    taste = _log_share(features(x, n) @ np.array(public.calibration))
    share = _POPULAR / (1 + n)
    mixed = (1 - share) * taste + share * _log_share(np.log(public.counts + 0.5))
    return np.asarray(public.mean_likes * np.exp(_log_share(mixed)), np.float64)


def features(x: Doubles, n: float) -> Doubles:
    """What c0 .. c3 weigh, one row per title."""
    raised, grown = np.log(np.maximum(x, 0) + _FLOOR), np.log1p(n) / 4
    return np.stack([raised, x, raised * grown, x * grown], axis=-1)


def popularity(public: PublicRows) -> Doubles:
    """The same for somebody who said nothing yet: by how many public people liked a title."""
    return np.asarray(public.mean_likes * public.counts / max(1, int(public.counts.sum())), np.float64)


def rises(calibration: Sequence[float]) -> bool:
    """Whether `rates` rise with x, whatever a person has rated."""
    x, c = np.linspace(0.0, 2.0, 41), np.array(calibration)
    counts = (0.0, 1.0, 10.0, 100.0, 1_000.0, 10_000.0)
    return all((np.diff(features(x, n) @ c) > 0).all() for n in counts)


def member_weights(public: PublicRows, likeness: Doubles, sizes: Sequence[int]) -> Doubles:
    """How much each member's like of a title counts, from how like the person they are and how much they like."""
    much = np.array([public.mean_likes / max(1, size) for size in sizes])
    return np.asarray(np.exp(likeness) * much**0.3, np.float64)


def unknown_rates(
    likes: Sequence[Set[str]], own: Set[str], weights: Sequence[float]
) -> dict[str, dict[int, float]]:
    """Rates of titles that only the circle knows: counting, shrunk, on the scale of `rates`.

    `likes` and `own` are what each member and the person like of these titles. The rate of a title is a sum. What
    each member who likes it adds is under the member's number. What it has without them is under -1.
    """
    counts: dict[str, int] = {}
    for titles in (*likes, own):
        for title in titles:
            counts[title] = counts.get(title, 0) + 1
    n = np.array(list(counts.values()), np.float64)
    # How often what one of us likes, another likes too.
    again = min(0.05, (float((n * (n - 1)).sum()) + 1.0) / (float(n.sum()) * len(likes) + 20.0))
    whole = 1.5 * (1 - again) / again + sum(weights)
    found: dict[str, dict[int, float]] = {}
    for member, (titles, weight) in enumerate(zip(likes, weights, strict=True)):
        for title in titles:
            found.setdefault(title, {-1: 0.5 * (1 - again) / whole})[member] = weight / whole
    return found


def overlap_scores(likes: Sequence[Set[str]], own: Set[str]) -> dict[str, dict[int, float]]:
    """The same where there are no public rows at all: members who like what the person likes count more."""
    found: dict[str, dict[int, float]] = {}
    for member, titles in enumerate(likes):
        weight = (len(titles & own) + 1.0) / (len(titles) ** 0.5 + 3.0)
        for title in titles:
            found.setdefault(title, {})[member] = weight
    return found


def _log_share(logs: Doubles) -> Doubles:
    """Logarithms of shares that sum to 1."""
    top = logs.max()
    return np.asarray(logs - top - np.log(np.exp(logs - top).sum()), np.float64)
