"""Merging rows, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("over", ["own", "theirs", "third"])
@given(items=st.integers(0, 300), width=st.sampled_from([1, 3, 6, 11]), seed=st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=25)
def test_telling_the_width_changes_no_bit(dtype: type, over: str, items: int, width: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, theirs = rng.normal(size=(2, items, width)).astype(dtype)
    ages, their_ages = rng.integers(0, 4, (2, items)).astype(np.int32)
    ended = []
    for told in (0, width):
        a, b, c = rows.copy(), theirs.copy(), np.zeros_like(rows)
        p, q, r = ages.copy(), their_ages.copy(), np.zeros_like(ages)
        out, out_ages = {"own": (a, p), "theirs": (b, q), "third": (c, r)}[over]
        row_merging(AgeAverage().weight, told).merge_all(a, p, b, q, out, out_ages, 0.0)
        ended.append(out.tobytes() + out_ages.tobytes())
    assert ended[0] == ended[1]


@pytest.mark.parametrize("told", [0, 6])
@given(items=st.integers(0, 300), seed=st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=25)
def test_halves_are_merged_in_single_precision_and_rounded_once(told: int, items: int, seed: int) -> None:
    """As NumPy does it, row by row; `told`: in vector instructions."""
    rng = np.random.default_rng(seed)
    rows, theirs = rng.normal(size=(2, items, 6)).astype(np.float16)
    ages, their_ages = rng.integers(0, 4, (2, items)).astype(np.uint16)
    weight = np.divide(
        their_ages, ages + their_ages, out=np.zeros(items, np.float32), where=their_ages > 0, dtype=np.float32
    )[:, None]
    wanted = ((np.float32(1) - weight) * rows + weight * theirs).astype(np.float16)
    merging = row_merging(AgeAverage().weight, told, halves=True)
    index = np.flatnonzero(rng.random(items) < 0.5).astype(np.int32)
    some, some_ages = rows.copy(), ages.copy()
    merging.merge_some(
        some.view(np.uint16), some_ages, index, theirs[index].view(np.uint16), their_ages[index], 0.0
    )
    merging.merge_all(
        rows.view(np.uint16), ages, theirs.view(np.uint16), their_ages, rows.view(np.uint16), ages, 0.0
    )
    np.testing.assert_array_equal(rows, wanted)
    np.testing.assert_array_equal(some[index], wanted[index])
    np.testing.assert_array_equal(ages[index], some_ages[index])
