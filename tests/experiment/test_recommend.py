from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.math.ties import tie_key
from tacit.core.node_state import NodeState
from tacit.experiment.recommend import Recommended, favourites, position_of, recommend, suggest, titles
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
    found = recommend(MatrixFactorization(k=1), state(), TRAIN, 0, ITEMS, seed=0)
    assert [s.key for s in found] == ["c", "b"], "a and d were rated, nobody ever updated e"
    assert found[0].score == pytest.approx(0.5)
    assert found[0].because[0] == "Alpha (1980)"


def test_ties_stand_as_in_the_lists_that_were_measured() -> None:
    level = replace(state(), rows=np.zeros((5, 2), np.float32), ages=np.ones(5, np.int32))
    for seed in range(20):
        found = recommend(MatrixFactorization(k=1), level, TRAIN, 0, ITEMS, seed=seed)
        expected = sorted([1, 2, 4], key=lambda i: -int(tie_key(seed, 0, i)))
        assert [s.key for s in found] == [ITEMS["item"][i] for i in expected]


def test_as_many_as_asked_for() -> None:
    assert len(recommend(MatrixFactorization(k=1), state(), TRAIN, 0, ITEMS, n=1, seed=0)) == 1
    with pytest.raises(BadInput, match="-n"):
        recommend(MatrixFactorization(k=1), state(), TRAIN, 0, ITEMS, n=0, seed=0)


def test_titles_with_their_year_and_ids_without_title() -> None:
    assert titles(ITEMS) == ["Alpha (1980)", "Beta (1990)", "c (2000)", "Delta", "Epsilon"]


def test_favourites_are_the_highest_ratings() -> None:
    assert favourites(TRAIN, 0, ITEMS, n=1) == ["Alpha (1980)"]


def test_an_unknown_user_is_told_near_ids() -> None:
    ids = [str(n) for n in range(2000)] + ["margaret"]
    assert position_of("17", ids) == 17
    with pytest.raises(BadInput, match=r"user: got margret; allowed: one of 2,001 ids such as margaret$"):
        position_of("margret", ids)
    with pytest.raises(BadInput, match=r"such as 0, 1, 2, 3, 4$"):
        position_of("zzzzzz", ids)
    assert position_of(17, ids) == 17, "a whole number is found by its text"
    with pytest.raises(BadInput, match="item: got 5000"):
        position_of(5000, ids, "item")


def test_scores_alone_are_enough() -> None:
    """A baseline has no rows that items could be near to."""
    found = suggest(np.array([5.0, 1.0, 2.0, 9.0, 3.0]), TRAIN, 0, ITEMS, n=2, seed=0)
    assert [(s.key, s.score, s.because) for s in found] == [("e", 3.0, []), ("c", 2.0, [])]


def test_it_is_shown_in_a_line() -> None:
    items = suggest(np.arange(5.0), TRAIN, 1, ITEMS, n=4, seed=0)
    assert repr(Recommended("7", "some/recipe", [], items)) == (
        "<Recommended to user 7 by some/recipe: Epsilon; Delta; c (2000); 1 more>"
    )
    assert repr(Recommended("7", "some/recipe", [], [])) == "<Recommended to user 7 by some/recipe: nothing>"
