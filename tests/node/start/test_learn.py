"""Learning a start: rows, and the six numbers from people who were left out."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.node.start import rule
from tacit.node.start.learn import PAIRS, calibrate, learn, weights_of


def two_tastes(people: int = 120, items: int = 40) -> Interactions:
    """Half of the people like even titles, half like odd ones; everybody likes title 0, and rates some low."""
    rng = np.random.default_rng(3)
    users, titles, values = [], [], []
    for person in range(people):
        mine = [i for i in range(2, items) if i % 2 == person % 2]
        for i in sorted({0, *rng.choice(mine, 10, replace=False).tolist()}):
            users.append(person)
            titles.append(i)
            values.append(1.0)
    return Interactions.from_pairs(users, titles, values, users=people, items=items)


def test_rows_tell_tastes_apart_for_somebody_new() -> None:
    public = learn(two_tastes(), k=4, workers=Workers(1))
    solved = rule.solve(public, np.array([2, 4]), np.ones(2))
    x = public.rows @ solved.vector
    assert min(x[6::2]) > max(x[3::2])
    assert (public.tau, public.h) in PAIRS
    assert rule.rises(public.calibration)
    assert public.mean_likes == pytest.approx(11)
    assert public.counts[0] == 120
    assert public.counts[1] == 0
    assert not public.rows[1].any(), "nobody liked it"


def test_the_same_comes_out_with_any_number_of_threads() -> None:
    one, two = (learn(two_tastes(), k=4, seed=5, workers=Workers(n)) for n in (1, 2))
    assert np.array_equal(one.rows, two.rows)
    assert (one.tau, one.h, one.calibration) == (two.tau, two.h, two.calibration)


def test_few_people_get_the_usual_numbers() -> None:
    public = learn(two_tastes(people=6), k=64, workers=Workers(1))
    assert (public.tau, public.h, public.calibration) == (0.03, 30.0, (1.0, 0.0, 0.0, 0.0))
    assert public.rows.shape[1] == 6


def test_too_little_is_refused() -> None:
    with pytest.raises(BadInput, match="public ratings: got 1 people"):
        learn(Interactions.from_pairs([0, 0], [0, 1], users=1, items=2))
    disliked = Interactions.from_pairs([0, 1], [0, 1], [0.0, 0.25], users=2, items=2)
    with pytest.raises(BadInput, match="0 people"):
        learn(disliked)


def test_weights_of_stars_of_ten_points_and_of_counts() -> None:
    assert weights_of(np.array([1, 3, 4, 5], np.float32)).tolist() == [0, 0.25, 1, 1]
    assert weights_of(np.array([2, 6, 8, 10], np.float32)).tolist() == [0, 0.25, 1, 1]
    assert weights_of(np.array([1, 1, 1], np.float32)).tolist() == [1, 1, 1]
    assert weights_of(np.array([1, 5, 3000], np.float32)).tolist() == [1, 1, 1]
    assert weights_of(np.zeros(0, np.float32)).tolist() == []


def test_calibration_is_the_minimum_that_another_solver_finds() -> None:
    from scipy.optimize import minimize

    rng = np.random.default_rng(1)
    lists = []
    for _ in range(30):
        x, n = rng.gamma(0.4, 0.3, 50), float(rng.integers(0, 40))
        shares = np.zeros(50)
        shares[np.argsort(-x - rng.gumbel(0, 0.2, 50))[:3]] = 1 / 3
        lists.append((rule.features(x, n), shares))

    def loss(c: np.ndarray) -> float:
        each = [np.logaddexp.reduce(seen @ c) - shares @ (seen @ c) for seen, shares in lists]
        return float(np.mean(each) + 1e-3 * ((c - [1, 0, 0, 0]) ** 2).sum())

    other = minimize(loss, [1, 0, 0, 0], method="BFGS")
    assert calibrate(lists) == pytest.approx(tuple(other.x), abs=2e-3)
