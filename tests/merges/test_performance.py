import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.merges.base import SCORE
from tacit.merges.performance import Performance, hits, share

OTHERS = np.array([5.0, 3.0, 1.0])


def test_each_item_by_itself_or_all_together() -> None:
    own = np.array([4.0, 3.5, 0.5])
    # Among the others alone the ranks are 1, 1, 3; together 1, 2, 5.
    assert [hits(own, OTHERS, k, False) for k in (1, 2, 3, 4)] == [0, 2, 2, 3]
    assert [hits(own, OTHERS, k, True) for k in (1, 2, 3, 5, 6)] == [0, 1, 2, 2, 3]


def test_a_tie_counts_against_the_item() -> None:
    assert hits(np.array([3.0]), OTHERS, 2, False) == 0
    assert hits(np.array([3.0]), OTHERS, 3, False) == 1
    constant = np.zeros(20)
    assert hits(np.zeros(5), constant, 20, False) == 0


def test_a_model_that_diverged_hits_nothing() -> None:
    assert hits(np.full(3, np.nan), np.full(20, np.nan), 20, False) == 0
    assert hits(np.full(3, np.nan), OTHERS, 3, True) == 0


def test_weights_by_hand_and_equal_where_both_are_zero() -> None:
    assert share(0.5, 0.25) == pytest.approx(1 / 3)
    assert share(0.0, 0.25) == 1.0
    assert share(0.25, 0.0) == 0.0
    assert share(0.0, 0.0) == 0.5


@given(st.floats(0, 1), st.floats(0, 1))
def test_what_one_takes_the_other_gives(mine: float, theirs: float) -> None:
    assert 0 <= share(mine, theirs) <= 1
    assert share(mine, theirs) + share(theirs, mine) == pytest.approx(1)


def test_it_weighs_by_score() -> None:
    assert Performance().basis == SCORE
