"""Which rows travel: own ones first, the rest at random."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tacit.core.message.update import Draws, Update, received
from tacit.privacy.subsample import Subsample, row_count, select
from tacit.testing import check_shield


@pytest.mark.parametrize("share", [0.001, 0.1, 0.3, 0.5, 0.99, 1.0])
def test_holds_what_every_shield_has_to_hold(share: float) -> None:
    check_shield(Subsample(share))


def chosen(rated: list[int], items: int, count: int, event: int = 0, node: int = 0) -> tuple[list[int], int]:
    index = np.full(count, -1, np.int32)
    own = select(0, node, event, np.array(rated, np.int32), items, count, index)
    return index.tolist(), own


@given(st.integers(1, 30), st.data())
def test_rated_rows_come_first_and_the_room_that_is_left_is_filled(items: int, data: st.DataObject) -> None:
    rated = sorted(data.draw(st.sets(st.integers(0, items - 1))))
    count = data.draw(st.integers(1, items))
    index, own = chosen(rated, items, count, event=data.draw(st.integers(0, 1000)))
    assert index == sorted(set(index))  # ascending, each once
    assert 0 <= index[0] <= index[-1] < items
    assert len(set(index) & set(rated)) == own == min(count, len(rated))


def test_with_more_rated_than_fit_all_come_from_the_rated_each_choice_equally_often() -> None:
    # D = {1, 4, 5, 7}, s = 2: the 6 pairs of D
    counts = Counter(tuple(chosen([1, 4, 5, 7], 9, 2, event)[0]) for event in range(3000))
    assert sorted(counts) == list(combinations([1, 4, 5, 7], 2))
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


def test_with_fewer_rated_all_of_them_and_others_each_choice_equally_often() -> None:
    # D = {2, 3}, s = 4 of 7: D and one of the 10 pairs of the other five
    counts = Counter(tuple(chosen([2, 3], 7, 4, event)[0]) for event in range(5000))
    assert sorted(counts) == sorted(tuple(sorted((2, 3, *pair))) for pair in combinations([0, 1, 4, 5, 6], 2))
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


def test_a_node_without_ratings_forwards_what_it_heard() -> None:
    index, own = chosen([], 10, 3)
    assert (len(index), own) == (3, 0)


def test_choices_of_two_nodes_and_of_two_events_are_independent() -> None:
    assert len({tuple(chosen([], 1000, 5, event, node)[0]) for event in range(5) for node in range(5)}) == 25


@pytest.mark.parametrize(("share", "rows"), [(0.1, 168), (0.0001, 1), (1.0, 1682), (0.5, 841)])
def test_the_share_is_rounded_down_to_whole_rows_and_at_least_one(share: float, rows: int) -> None:
    assert row_count(share, 1682) == rows


def update(items: int = 10) -> Update:
    rows = np.arange(2 * items, dtype=np.float32).reshape(items, 2)
    return received(items, None, rows, np.arange(items, dtype=np.int32), np.array([1], np.float32), 3)


def test_rows_and_ages_travel_as_they_were() -> None:
    out = Subsample(0.3).apply(update(), np.array([8], np.int32), Draws(0, 0, 0))
    assert out.index is not None
    assert len(out.index) == 3
    assert 8 in out.index
    assert out.rows.tolist() == [[2 * i, 2 * i + 1] for i in out.index]
    assert out.ages.tolist() == out.index.tolist()
    assert (out.items, out.clock, out.dense.tolist()) == (10, 3, [1])


def test_thinning_a_thinned_update_keeps_rows_with_their_positions() -> None:
    rated = np.array([8], np.int32)
    half = Subsample(0.5).apply(update(), rated, Draws(0, 0, 0))
    out = Subsample(0.2).apply(half, rated, Draws(0, 0, 1))
    assert half.index is not None
    assert out.index is not None
    assert len(out.index) == 2
    assert 8 in out.index
    assert set(out.index.tolist()) <= set(half.index.tolist())
    assert out.rows.tolist() == [[2 * i, 2 * i + 1] for i in out.index]


def test_the_whole_model_travels_without_an_index() -> None:
    whole = update()
    assert Subsample(1.0).apply(whole, np.zeros(0, np.int32), Draws(0, 0, 0)) is whole
