"""Merging rows, by hand."""

from __future__ import annotations

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.merges.age_average import AgeAverage
from tacit.merges.row_merging import row_merging


@kernel
def third(age, their_age, shape):  # type: ignore[no-untyped-def]
    """A weight that is none of the built-in ones: `shape` for whoever is older, else 0."""
    return np.float32(shape) if their_age > age else np.float32(0)


def test_the_chosen_weight_decides_and_gets_the_merge_s_own_number() -> None:
    rows, ages = np.array([[0.0], [0.0]], np.float32), np.array([1, 5], np.int32)
    theirs = np.array([[4.0], [4.0]], np.float32)
    row_merging(third).merge_all(rows, ages, theirs, np.array([2, 2], np.int32), rows, ages, 0.25)
    assert rows[:, 0].tolist() == [1, 0]  # a quarter of 4; not older
    assert ages.tolist() == [2, 5]


def test_only_the_rows_that_travelled_are_merged() -> None:
    # row 1: ages 1 and 3: 1/4 * 8 + 3/4 * 4 = 5; row 3: ages 2 and 2: the middle
    rows, ages = np.full((4, 1), 8, np.float32), np.array([1, 1, 1, 2], np.int32)
    theirs, their_ages = np.array([[4.0], [0.0]], np.float32), np.array([3, 2], np.int32)
    merge_some = row_merging(AgeAverage().weight).merge_some
    merge_some(rows, ages, np.array([1, 3], np.int32), theirs, their_ages, 0.0)
    assert rows[:, 0].tolist() == [8, 5, 8, 4]
    assert ages.tolist() == [1, 3, 1, 2]


def test_the_dense_part_is_a_row_whose_age_is_the_clock() -> None:
    dense = np.array([8.0, 0.0], np.float32)
    merge_dense = row_merging(AgeAverage().weight).merge_dense
    clock = merge_dense(dense, 1, np.array([4.0, 4.0], np.float32), 3, dense, 0.0)
    assert (clock, dense.tolist()) == (3, [5, 3])
