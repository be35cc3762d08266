"""The rule: worked by hand where one number is enough, against plain loops, and what must always hold."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.node.start import rule
from tacit.node.start.rule import PublicRows
from tests.node.start.starts import public_rows

ONE = PublicRows(
    rows=np.array([[1.0], [2.0]]),
    counts=np.array([3, 1]),
    mean=np.array([0.5]),
    precision=np.array([[4.0]]),
    w0=0.1,
    reg=0.2,
    mean_likes=2.0,
    tau=0.3,
    h=10.0,
)


def test_one_number_by_hand() -> None:
    solved = rule.solve(ONE, np.array([1]), np.array([1.0]))
    w, t = 0.1 * 1.5 / 11, 0.3 / 1.1
    left = w * 5 + 4 + 0.2 * math.sqrt(1 + 2 * w) + 4 * t
    assert solved.vector == pytest.approx([(2 + t * 4 * 0.5) / left])
    assert rule.solve(replace(ONE, h=0.0), np.array([1]), np.array([1.0])).left[0, 0] == pytest.approx(
        0.1 * 5 + 4 + 0.2 * math.sqrt(1.2) + 4 * t
    )


def test_rates_by_hand() -> None:
    """Nothing but the softmax of log(x + 0.003) and a quarter of popularity, for n = 1."""
    x = np.array([0.2, 0.4])
    taste = np.array([0.203, 0.403]) / 0.606
    popular = np.array([3.5, 1.5]) / 5
    mixed = taste**0.75 * popular**0.25
    assert rule.rates(ONE, x, 1.0) == pytest.approx(2 * mixed / mixed.sum())
    assert rule.popularity(ONE) == pytest.approx([1.5, 0.5])


ratings = st.dictionaries(st.integers(0, 199), st.sampled_from([0.25, 1.0]), max_size=60)


@given(ratings, st.integers(0, 199), st.integers(0, 9))
def test_parts_sum_to_the_score(own: dict[int, float], item: int, seed: int) -> None:
    public = public_rows(seed=seed)
    solved = rule.solve(public, np.array(list(own), np.int64), np.array(list(own.values())))
    parts, pull = rule.parts(public, solved, item)
    assert abs(parts.sum() + pull @ public.mean - public.rows[item] @ solved.vector) < 1e-9


@given(ratings, st.integers(0, 9))
def test_rates_rise_with_the_score_when_popularity_has_no_part(own: dict[int, float], seed: int) -> None:
    public = replace(public_rows(seed=seed), counts=np.ones(200, np.int64))
    solved = rule.solve(public, np.array(list(own), np.int64), np.array(list(own.values())))
    x = public.rows @ solved.vector
    rates = rule.rates(public, x, solved.n)
    assert rates.sum() == pytest.approx(public.mean_likes)
    assert (np.diff(rates[np.argsort(x)]) >= 0).all()


def test_more_ratings_draw_less_to_the_mean() -> None:
    public = public_rows()
    few = rule.solve(public, np.arange(1), np.ones(1))
    many = rule.solve(public, np.arange(50), np.ones(50))
    assert few.pull_scale == pytest.approx(0.03 / 1.1)
    assert many.pull_scale == pytest.approx(0.03 / 6)


def test_stars_weigh_as_the_rule_says() -> None:
    stars = [5, 4, 3.5, 3.4, 3, 2.5, 2, 1]
    assert rule.weight_of_stars(stars).tolist() == [1, 1, 1, 0.25, 0.25, 0.25, 0, 0]


def test_a_circle_of_one_taste_draws_to_it_and_one_without_does_not() -> None:
    public = public_rows()
    nobody = rule.solve(public, np.zeros(0, np.int64), np.zeros(0))
    direction = np.linalg.cholesky(np.linalg.inv(public.precision))[:, 0]
    alike = rule.circle_of(public, nobody, public.mean + np.array([[1.0], [2.0], [1.5]]) * direction)
    assert alike.alike == pytest.approx(3 / 4)  # three pairs of cosine 1, shrunk by one
    assert alike.toward == pytest.approx(public.mean + alike.shifts.sum(0))
    assert np.allclose(alike.likeness, 0.75)
    against = rule.circle_of(public, nobody, public.mean + np.array([[1.0], [-1.0]]) * direction)
    assert against.alike == 0
    assert against.toward == pytest.approx(public.mean)


def test_titles_only_the_circle_knows_by_hand() -> None:
    """Three likes of two titles by two members: r = min(0.05, (2 + 1) / (3 * 2 + 20))."""
    found = rule.unknown_rates([{"a", "b"}, {"a"}], set(), [1.0, 2.0])
    whole = 1.5 * 0.95 / 0.05 + 3
    assert sum(found["a"].values()) == pytest.approx((0.5 * 0.95 + 3) / whole)
    assert sum(found["b"].values()) == pytest.approx((0.5 * 0.95 + 1) / whole)
    rare = rule.unknown_rates([{"a"}], set(), [1.0])
    assert sum(rare["a"].values()) == pytest.approx((0.5 * (20 / 21) + 1) / (1.5 * (20 / 21) * 21 + 1))


def test_without_rows_members_who_like_the_same_count_more() -> None:
    found = rule.overlap_scores([{"a", "b", "x", "y"}, {"c"}], {"x", "y"})
    assert found["a"] == {0: 3 / 5}
    assert found["c"] == {1: 1 / 4}


def test_a_calibration_that_turns_the_order_is_noticed() -> None:
    assert rule.rises((1.0, 0.0, 0.0, 0.0))
    assert rule.rises((1.0, 3.0, 0.3, 0.5))
    assert not rule.rises((1.0, -3.0, 0.0, 0.0))
    assert not rule.rises((1.0, 0.0, -2.0, 0.0))
