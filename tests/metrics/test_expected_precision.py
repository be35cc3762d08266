from __future__ import annotations

import numpy as np
import pytest

from tacit.metrics.expected_precision import expected_precision


def test_a_scorer_that_knows_nothing_has_the_share_of_positives() -> None:
    positive = np.arange(100) < 20
    assert expected_precision(np.zeros(100), positive) == pytest.approx(0.2)
    assert expected_precision(np.zeros(100), positive[::-1]) == pytest.approx(0.2)


def test_it_is_the_mean_over_all_orders_of_equal_scores() -> None:
    rng = np.random.default_rng(3)
    scores, positive = rng.integers(0, 4, 30).astype(float), rng.random(30) < 0.3
    count = positive.sum()
    found = []
    for _ in range(4000):
        order = rng.permutation(30)
        found.append(positive[order][np.argsort(-scores[order], kind="stable")[:count]].mean())
    assert expected_precision(scores, positive) == pytest.approx(np.mean(found), abs=0.01)


def test_what_has_no_score_is_taken_last() -> None:
    assert expected_precision(np.array([np.nan, 2.0, 1.0]), np.array([False, True, True])) == 1.0


def test_nothing_to_find() -> None:
    assert np.isnan(expected_precision(np.ones(3), np.zeros(3, np.bool_)))
