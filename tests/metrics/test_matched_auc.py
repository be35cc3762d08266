import numpy as np
import pytest

from tacit.metrics.auc import auc
from tacit.metrics.matched_auc import matched_auc


def popular_taste() -> tuple[np.ndarray, np.ndarray]:
    """1000 items; people have popular ones."""
    rng = np.random.default_rng(0)
    popularity = np.sort(rng.integers(1, 500, 1000))
    return popularity, rng.random(1000) < popularity / 1000


def test_a_score_that_is_only_popularity_tells_nothing() -> None:
    popularity, positive = popular_taste()
    assert auc(popularity.astype(float), positive) > 0.6
    assert matched_auc(popularity.astype(float), positive, popularity) == pytest.approx(0.5, abs=0.02)


def test_knowing_tells_everything_and_chance_nothing() -> None:
    popularity, positive = popular_taste()
    assert matched_auc(positive.astype(float), positive, popularity) == 1.0
    assert matched_auc(-positive.astype(float), positive, popularity) == 0.0
    chance = np.random.default_rng(1).random(1000)
    assert matched_auc(chance, positive, popularity) == pytest.approx(0.5, abs=0.05)


def test_by_hand() -> None:
    # One positive at popularity 5; the negative below it scores less, the one above more, the others are too far off.
    scores = np.array([3.0, 1.0, 4.0, 0.0, 9.0])
    positive, popularity = np.array([True, False, False, False, False]), np.array([5, 4, 6, 1, 9])
    assert matched_auc(scores, positive, popularity, 2) == 0.5
    assert matched_auc(np.array([3.0, 1.0, 3.0, 0.0, 9.0]), positive, popularity, 2) == 0.75


def test_all_equal_popularity_and_all_negatives_near_is_the_plain_auc() -> None:
    rng = np.random.default_rng(2)
    scores = rng.integers(0, 5, 40).astype(float)
    positive = np.arange(40) < 10
    assert matched_auc(scores, positive, np.ones(40, int), 100) == pytest.approx(auc(scores, positive))


def test_nothing_to_compare() -> None:
    assert np.isnan(matched_auc(np.ones(3), np.zeros(3, bool), np.ones(3, int)))
    assert np.isnan(matched_auc(np.ones(3), np.ones(3, bool), np.ones(3, int)))
