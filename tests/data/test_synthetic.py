"""Invented data have the numbers asked for and behave like real ones."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.errors import BadInput
from tacit.data.dataset import load
from tacit.data.synthetic import FEW, Synthetic, generate


@st.composite
def sizes(draw: st.DrawFn) -> Synthetic:
    users, items = draw(st.integers(2, 40)), draw(st.integers(2, 40))
    return Synthetic(users, items, draw(st.integers(max(users, items), users * items)))


@given(sizes(), st.integers(0, 2**40))
def test_the_numbers_are_exact(size: Synthetic, seed: int) -> None:
    rows, items = generate(size, seed)
    assert len(rows) == rows.select("user", "item").n_unique() == size.interactions
    assert rows["user"].n_unique() == size.users
    assert rows["item"].n_unique() == size.items == len(items)
    assert rows["user"].max() == size.users
    assert rows["item"].max() == size.items
    assert set(rows["rating"].unique().to_list()) <= {1.0, 2.0, 3.0, 4.0, 5.0}
    if size.interactions >= FEW * size.users and size.items >= FEW:
        assert int(rows.group_by("user").len()["len"].min()) >= FEW  # type: ignore[arg-type]


def test_users_go_forward_in_time() -> None:
    rows, _ = generate(Synthetic(50, 80, 1000))
    assert np.all(np.diff(rows["timestamp"].to_numpy())[np.diff(rows["user"].to_numpy()) == 0] > 0)


def test_the_same_seed_gives_the_same_data_on_any_number_of_threads() -> None:
    size = Synthetic(100, 100, 2000)
    before = numba.get_num_threads()
    many, _ = generate(size, 7)
    numba.set_num_threads(1)
    try:
        one, _ = generate(size, 7)
    finally:
        numba.set_num_threads(before)
    assert many.equals(one)
    assert not many.equals(generate(size, 8)[0])


def test_popularity_and_activity_have_heavy_tails() -> None:
    table = load("synthetic").table
    for counts in (table.counts, np.bincount(table.item)):
        top = np.sort(counts)[::-1][: len(counts) // 5].sum()
        assert top > 0.5 * len(table), "a fifth makes more than half"


def test_liking_is_there_to_be_learned() -> None:
    """Users of one kind meet and rate the items of some category higher: more than chance would do."""
    data = load("synthetic")
    category = data.items["category"].to_numpy()[data.table.item]
    kinds, kind = np.unique(category, return_inverse=True)
    taken = np.zeros((data.users, len(kinds)))
    np.add.at(taken, (data.table.user, kind), 1.0)
    share = taken / taken.sum(axis=1, keepdims=True)
    active = data.table.counts >= 50
    assert np.median(share[active].max(axis=1)) > 2.0 * share[active].mean(axis=0).max()


def test_items_have_titles_and_places() -> None:
    items = load("synthetic", synthetic=Synthetic(20, 1200, 2000)).items
    assert items["title"].n_unique() == 1200
    assert items["lat"].null_count() == items["category"].null_count() == 0


@pytest.mark.parametrize(
    ("size", "said"),
    [
        ((1, 5, 5), "synthetic users: got 1"),
        ((5, 1, 5), "synthetic items: got 1"),
        ((5, 5, 26), "synthetic interactions: got 26"),
        ((5, 9, 8), "allowed: 9 .every user and item occurs. to 45"),
    ],
)
def test_impossible_sizes_are_refused(size: tuple[int, int, int], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        Synthetic(*size)
