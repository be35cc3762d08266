"""Every ranking metric on one example worked out by hand: K = 4, hits in places 1 and 3, three items held out."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tacit.metrics.f1 import f1
from tacit.metrics.hr import hit_rate
from tacit.metrics.map import average_precision
from tacit.metrics.mrr import reciprocal_rank
from tacit.metrics.ndcg import ndcg
from tacit.metrics.precision import precision
from tacit.metrics.recall import recall

HITS = np.array([[True, False, True, False]])
ALL = (precision, recall, f1, ndcg, average_precision, reciprocal_rank, hit_rate)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (precision, 2 / 4),
        (recall, 2 / 3),
        (f1, 2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3)),
        (ndcg, (1 + 1 / 2) / (1 + 1 / math.log2(3) + 1 / 2)),
        (average_precision, (1 + 2 / 3) / 3),
        (reciprocal_rank, 1.0),
        (hit_rate, 1.0),
    ],
)
def test_by_hand(metric: Callable[..., Any], expected: float) -> None:
    assert metric(HITS, np.array([3]))[0] == pytest.approx(expected)


@pytest.mark.parametrize("metric", ALL)
def test_a_user_without_held_out_items_has_no_value(metric: Callable[..., Any]) -> None:
    assert np.isnan(metric(np.zeros((1, 4), bool), np.array([0]))[0])


@pytest.mark.parametrize("metric", ALL)
def test_no_hit_is_zero(metric: Callable[..., Any]) -> None:
    assert metric(np.zeros((1, 4), bool), np.array([2]))[0] == 0


@pytest.mark.parametrize("metric", [ndcg, average_precision, reciprocal_rank, hit_rate, recall])
def test_a_perfect_list_is_one(metric: Callable[..., Any]) -> None:
    assert metric(np.array([[True, True, False]]), np.array([2]))[0] == pytest.approx(1)


def test_ndcg_of_one_held_out_item_is_the_papers_formula() -> None:
    for rank in range(4):
        hits = np.zeros((1, 4), bool)
        hits[0, rank] = True
        assert ndcg(hits, np.array([1]))[0] == pytest.approx(math.log(2) / math.log(rank + 2))
