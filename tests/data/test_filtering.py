"""Which users and items stay."""

from __future__ import annotations

import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.data.filtering import filter_rows

ROWS = pl.DataFrame(
    {"user": [1, 1, 1, 2, 2, 3, 3, 3], "item": ["a", "a", "b", "a", "b", "c", "c", "c"]},
)


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
