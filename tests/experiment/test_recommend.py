from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.node_state import NodeState
from tacit.experiment.recommend import favourites, recommend, titles
from tacit.models.mf import MatrixFactorization

ITEMS = pl.DataFrame(
    {
        "item": ["a", "b", "c", "d", "e"],
        "title": ["Alpha", "Beta (1990)", None, "Delta", "Epsilon"],
        "year": ["1980", "1990", "2000", None, None],
    }
)
TRAIN = Interactions.from_pairs([0, 0, 1], [0, 3, 1], [5, 1, 3], users=2, items=5)


def state() -> NodeState:
    """k = 1, user factor 1, biases 0: an item's score is its factor."""
    rows = np.array([[0.9, 0], [0.2, 0], [0.5, 0], [0.1, 0], [0.8, 0]], np.float32)
    ages = np.array([1, 1, 1, 1, 0], np.int32)
    return NodeState(rows, ages, np.zeros(0, np.float32), 1, np.array([1, 0], np.float32))


def test_the_best_items_that_are_new_to_the_user_and_known_to_the_node() -> None:
    found = recommend(MatrixFactorization(k=1), state(), TRAIN, 0, ITEMS)
    assert [s.key for s in found] == ["c", "b"], "a and d were rated, nobody ever updated e"
    assert found[0].score == pytest.approx(0.5)
    assert found[0].because[0] == "Alpha (1980)"


def test_as_many_as_asked_for() -> None:
    assert len(recommend(MatrixFactorization(k=1), state(), TRAIN, 0, ITEMS, n=1)) == 1
    with pytest.raises(BadInput, match="-n"):
        recommend(MatrixFactorization(k=1), state(), TRAIN, 0, ITEMS, n=0)


def test_titles_with_their_year_and_ids_without_title() -> None:
    assert titles(ITEMS) == ["Alpha (1980)", "Beta (1990)", "c (2000)", "Delta", "Epsilon"]


def test_favourites_are_the_highest_ratings() -> None:
    assert favourites(TRAIN, 0, ITEMS, n=1) == ["Alpha (1980)"]
