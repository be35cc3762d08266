"""Which users and items stay."""

from __future__ import annotations

import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.data.dataset import load
from tacit.data.filtering import filter_rows, keep_density
from tacit.experiment.prepare import prepare

ROWS = pl.DataFrame({"user": [1, 1, 1, 2, 2, 3, 3, 3], "item": ["a", "a", "b", "a", "b", "c", "c", "c"]})


def test_items_count_distinct_users_and_users_count_rows() -> None:
    rows, notes = filter_rows(ROWS, min_user=3, min_item=1)
    assert rows["user"].unique().sort().to_list() == [1, 3]
    assert notes == ["filters kept 2 of 3 users, 3 of 3 items and 6 of 8 rows"]
    rows, _ = filter_rows(ROWS, min_item=2)
    assert rows["item"].unique().sort().to_list() == ["a", "b"], "c has three visits by one user"


def test_items_go_first_and_there_is_one_pass() -> None:
    with pytest.raises(BadInput) as caught:
        filter_rows(ROWS, min_user=3, min_item=2)
    assert "1 users and 2 items of 3 users, 3 items, 8 rows" in str(caught.value)


def test_no_limits_change_nothing() -> None:
    rows, notes = filter_rows(ROWS)
    assert rows.equals(ROWS)
    assert notes == []


def test_limits_that_leave_nothing_say_so() -> None:
    with pytest.raises(BadInput, match="got nothing of 3 users, 3 items, 8 rows"):
        filter_rows(ROWS, min_item=4)
    with pytest.raises(BadInput, match=r"data\.min_user: got -1"):
        filter_rows(ROWS, min_user=-1)


COUNTS = [2] * 6 + [10] * 5 + [40] * 4
OF_THREE_DENSITIES = pl.DataFrame(
    {
        "user": [f"u{u:02}" for u, count in enumerate(COUNTS) for _ in range(count)],
        "item": [f"i{i}" for count in COUNTS for i in range(count)],
    }
)


@pytest.mark.parametrize(
    ("density", "users"), [("dense", range(11, 15)), ("sparse", range(6)), ("all", range(15))]
)
def test_the_busiest_and_the_quietest_are_found(density: str, users: range) -> None:
    kept, notes = keep_density(OF_THREE_DENSITIES, density)
    assert sorted(kept["user"].unique()) == [f"u{u:02}" for u in users]
    assert bool(notes) == (density != "all")


def test_items_nobody_has_any_more_are_gone_and_the_reader_is_told() -> None:
    data = load(OF_THREE_DENSITIES, density="sparse")
    assert (data.table.users, data.table.items) == (6, 2)
    assert data.notes == ["sparse users: 6 of 15, 2 items, sparsity 0.00"]


def test_it_is_a_setting_of_every_recipe() -> None:
    whole, dense = (prepare("baseline/popular", "synthetic", {"data.density": d}) for d in ("all", "dense"))
    assert dense.dataset.users < whole.dataset.users
    assert dense.dataset.table.counts.mean() > whole.dataset.table.counts.mean()
