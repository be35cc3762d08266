"""Rows weighted by age, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.merges.age_average import merge
from tacit.merges.row_merging import row_merging
from tacit.testing import check_merge


def test_holds_what_every_merge_has_to_hold() -> None:
    check_merge(merge())


@pytest.mark.parametrize(
    ("own", "theirs", "weight"),
    [(1, 3, 0.75), (3, 1, 0.25), (2, 2, 0.5), (0, 5, 1.0), (5, 0, 0.0), (0, 0, 0.0)],
)
def test_weight_is_the_received_row_s_share_of_the_ages(own: int, theirs: int, weight: float) -> None:
    assert merge().weight(own, theirs, 0.0) == weight


def test_rows_by_hand() -> None:
    # ages 1 and 3: 1/4 * 1 + 3/4 * 5 = 4; ages 2 and 0: stays; ages 0 and 5: taken over; ages 0 and 0: stays
    loops = row_merging(merge().weight)
    rows = np.array([[1.0], [1], [1], [1]], np.float32)
    ages = np.array([1, 2, 0, 0], np.int32)
    theirs = np.array([[5.0], [9], [7], [9]], np.float32)
    loops.merge_all(rows, ages, theirs, np.array([3, 0, 5, 0], np.int32), rows, ages, 0.0)
    assert rows[:, 0].tolist() == [4, 1, 7, 1]
    assert ages.tolist() == [3, 2, 5, 0]


def test_rows_of_age_zero_never_dilute_however_often_they_arrive() -> None:
    loops = row_merging(merge().weight)
    rows, ages = np.full((3, 2), 2.5, np.float32), np.array([1, 4, 9], np.int32)
    never = np.full((3, 2), -100, np.float32)
    for _ in range(50):
        loops.merge_all(rows, ages, never, np.zeros(3, np.int32), rows, ages, 0.0)
    assert (rows == 2.5).all()
    assert ages.tolist() == [1, 4, 9]
