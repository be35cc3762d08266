"""Learn a start from public ratings: item rows by implicit ALS, and the six numbers of the rule.

The table's values are weights of ratings (`weights_of`): rows are learned from what people liked. For the numbers, rows
are first learned from 80 % of the people. Of 120 others 30 % of the ratings are hidden. The rule ranks for them with 0,
1, 3, 10 and all of their other ratings. Of six pairs of tau and h one is kept. Under it hidden likes stand
highest, by the mean of 1 / log2(1 + rank). The numbers c0 .. c3 minimize a softmax loss over hidden likes and up to 400
other titles. At the end rows are learned from all people.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions, Values
from tacit.core.math.als_solver import alternate, by_rule
from tacit.core.rng import Stream, normals, permutation
from tacit.node.start.rows_file import half
from tacit.node.start.rule import Doubles, Places, PublicRows, features, rises, solve, weight_of_stars

K, SWEEPS = 64, 8
PAIRS = ((0.003, 0.0), (0.003, 30.0), (0.01, 0.0), (0.01, 30.0), (0.03, 10.0), (0.03, 30.0))
"""(tau, h) to choose from."""
OWN = (0, 1, 3, 10, None)
"""How many own ratings the judges of the numbers have; None: all."""
_JUDGES, _FEWEST_JUDGES, _CANDIDATES = 120, 10, 400
_SHARE, _HIDDEN = 0.8, 0.3
_SPREAD = 0.1
_SCALES = (5.0, 10.0, 100.0)


def weights_of(values: Values) -> Values:
    """What ratings weigh to the rule. Where all are alike, or they count plays, each one is a like."""
    top = float(values.max(initial=0.0))
    scale = next((scale for scale in _SCALES if top <= scale), None)
    if scale is None or len(np.unique(values)) <= 2:
        return np.ones(len(values), np.float32)
    return weight_of_stars(values * (5.0 / scale)).astype(np.float32)


def learn(table: Interactions, *, k: int = K, seed: int = 0, workers: Workers | None = None) -> PublicRows:
    """Rows and numbers from a table of weights."""
    workers = workers or Workers()
    liked = table.take(table.value >= 1)
    people = np.flatnonzero(liked.counts > 0)
    if len(people) < 2 or len(np.unique(liked.item)) < 2:
        raise BadInput(
            "public ratings",
            got=f"{len(people)} people who liked anything",
            allowed="at least 2 people and 2 titles",
        )
    order = people[permutation(seed, Stream.START_PEOPLE, 0, 0, len(people))]
    cut = int(_SHARE * len(order))
    judges = list(_judges(table, order[cut:], seed))
    tau_h, calibration = PAIRS[-1], (1.0, 0.0, 0.0, 0.0)
    if len(judges) >= _FEWEST_JUDGES:
        some = rows_of(_of(liked, order[:cut]), k, seed, workers)
        tau_h, calibration = choose(some, judges, seed)
    whole = rows_of(_of(liked, people), k, seed, workers)
    return replace(whole, tau=tau_h[0], h=tau_h[1], calibration=calibration)


def rows_of(liked: Interactions, k: int, seed: int, workers: Workers) -> PublicRows:
    """Rows by implicit ALS, in half precision, and the mean and precision of people's vectors."""
    k = max(1, min(k, liked.users, liked.items))
    mean_likes = len(liked) / liked.users
    w0, reg = by_rule(mean_likes, liked.items)
    rows = _SPREAD * normals(seed, Stream.START_ROWS, 0, liked.items, k)
    people = alternate(liked, rows, w0, reg, SWEEPS, workers)
    return public_rows(rows, people, np.bincount(liked.item, minlength=liked.items), (w0, reg))


def public_rows(
    rows: Doubles, people: Doubles, counts: npt.NDArray[np.int64], weights: tuple[float, float]
) -> PublicRows:
    """What the rule needs, from item rows, people's vectors, how many liked each item, and (w0, reg)."""
    covariance = np.atleast_2d(np.cov(people.T))
    k = len(covariance)
    covariance += (1e-3 * np.trace(covariance) / k + 1e-9) * np.eye(k)
    precision = np.linalg.inv(covariance)
    return half(
        PublicRows(
            rows=np.asarray(rows, np.float64),
            counts=counts.astype(np.int64),
            mean=people.mean(0).astype(np.float64),
            precision=(precision + precision.T) / 2,
            w0=float(weights[0]),
            reg=float(weights[1]),
            mean_likes=max(float(counts.sum()) / len(people), 1e-3),
        )
    )


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """A person who took no part in the rows: ratings in random order, and hidden likes."""

    items: Places
    weights: Doubles
    hidden: Places

    def first(self, count: int | None) -> tuple[Places, Doubles, Places]:
        """The first ratings: items and weights of those that weigh something, and all rated items."""
        met, weights = self.items[:count], self.weights[:count]
        return met[weights > 0], weights[weights > 0], met


def choose(
    public: PublicRows, judges: list[Judge], seed: int
) -> tuple[tuple[float, float], tuple[float, float, float, float]]:
    """(tau, h) and c0 .. c3 under which these people's hidden likes stand highest."""
    best, tau_h = -1.0, PAIRS[-1]
    for pair in PAIRS:
        tried = replace(public, tau=pair[0], h=pair[1])
        gain = float(np.mean([_gain(x, met, judge.hidden) for judge, x, met, _ in _scored(tried, judges)]))
        if gain > best:
            best, tau_h = gain, pair
    chosen = replace(public, tau=tau_h[0], h=tau_h[1])
    lists = [
        _features(x, met, judge.hidden, n, (seed, number))
        for number, (judge, x, met, n) in enumerate(_scored(chosen, judges))
    ]
    found = calibrate(lists)
    return tau_h, found if rises(found) else (1.0, 0.0, 0.0, 0.0)


def calibrate(lists: list[tuple[Doubles, Doubles]]) -> tuple[float, float, float, float]:
    """c that minimizes the mean softmax loss of (features, shares of hidden likes), by Newton's method.

    Drawn to (1, 0, 0, 0) with weight 0.001. The loss is convex, so this is its one minimum.
    """
    start = np.array([1.0, 0.0, 0.0, 0.0])
    c = start.copy()
    now, gradient, curvature = _loss(lists, c, start)
    for _ in range(50):
        step = np.linalg.solve(curvature, gradient)
        scale = 1.0
        there = _loss(lists, c - step, start)
        while there[0] > now and scale > 1e-6:
            scale /= 2
            there = _loss(lists, c - scale * step, start)
        if there[0] >= now - 1e-10:
            break
        c = c - scale * step
        now, gradient, curvature = there
    return tuple(c.tolist())


def _loss(lists: list[tuple[Doubles, Doubles]], c: Doubles, start: Doubles) -> tuple[float, Doubles, Doubles]:
    """The loss, its gradient and its curvature."""
    weight = 1e-3
    value = weight * float(((c - start) ** 2).sum())
    gradient = 2 * weight * (c - start)
    curvature = 2 * weight * np.eye(4)
    for seen, shares in lists:
        scores = seen @ c
        top = scores.max()
        chances = np.exp(scores - top)
        total = chances.sum()
        chances /= total
        value += (float(np.log(total)) + top - float(shares @ scores)) / len(lists)
        mean = chances @ seen
        gradient = gradient + (mean - shares @ seen) / len(lists)
        spread = (seen * chances[:, None]).T @ seen - np.outer(mean, mean)
        curvature = curvature + spread / len(lists)
    return float(value), gradient, curvature


def _scored(public: PublicRows, judges: list[Judge]) -> Iterator[tuple[Judge, Doubles, Places, float]]:
    """(judge, x of every title, items met, n) for every number of own ratings."""
    for judge in judges:
        for count in OWN:
            items, weights, met = judge.first(count)
            solved = solve(public, items, weights)
            yield judge, public.rows @ solved.vector, met, solved.n


def _gain(x: Doubles, met: Places, hidden: Places) -> float:
    """Mean of 1 / log2(1 + rank) of hidden likes among all titles without a rating."""
    scores = x.copy()
    scores[met] = -np.inf
    ranks = 1 + (scores[None, :] > scores[hidden][:, None]).sum(1)
    return float((1 / np.log2(1 + ranks)).mean())


def _features(
    x: Doubles, met: Places, hidden: Places, n: float, draw: tuple[int, int]
) -> tuple[Doubles, Doubles]:
    """What the calibration sees of some titles, hidden likes among them, and the share each has of those."""
    free = np.setdiff1d(np.arange(len(x)), met)
    drawn = free[permutation(draw[0], Stream.START_CANDIDATES, draw[1], 0, len(free))[:_CANDIDATES]]
    chosen = np.union1d(drawn, hidden)
    return features(x[chosen], n), np.isin(chosen, hidden) / len(hidden)


def _judges(table: Interactions, people: Places, seed: int) -> Iterator[Judge]:
    """Up to 120 of these people who have a hidden like."""
    found = 0
    for person in people.tolist():
        items, weights = table.of(person)
        order = permutation(seed, Stream.START_HIDDEN, person, 0, len(items))
        cut = max(1, round(_HIDDEN * len(items)))
        hidden, shown = order[:cut], order[cut:]
        likes = items[hidden][weights[hidden] >= 1]
        if len(likes) and len(shown) and found < _JUDGES:
            found += 1
            yield Judge(items[shown].astype(np.int64), weights[shown].astype(float), likes.astype(np.int64))


def judges_of_split(train: Interactions, test: Interactions, seed: int) -> list[Judge]:
    """Up to 120 people of a run as judges: what was held out of their ratings is hidden. None, if there are few."""
    found: list[Judge] = []
    for person in permutation(seed, Stream.START_PEOPLE, 0, 1, train.users).tolist():
        shown = train.of(person)[0]
        hidden = np.setdiff1d(test.of(person)[0], shown)
        if len(shown) and len(hidden) and len(found) < _JUDGES:
            order = permutation(seed, Stream.START_HIDDEN, person, 1, len(shown))
            found.append(Judge(shown[order].astype(np.int64), np.ones(len(shown)), hidden.astype(np.int64)))
    return found if len(found) >= _FEWEST_JUDGES else []


def _of(table: Interactions, people: Places) -> Interactions:
    """The table of some people, numbered from 0."""
    number = np.full(table.users, -1)
    number[people] = np.arange(len(people))
    user = number[table.user]
    keep = user >= 0
    return Interactions.from_pairs(
        user[keep], table.item[keep], table.value[keep], users=len(people), items=table.items
    )
