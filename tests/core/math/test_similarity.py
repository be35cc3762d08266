from __future__ import annotations

import numpy as np

from tacit.core.math.similarity import nearest

# Factors (1, 0), (3, 1), (0, 2), (-1, 0), (0, 0); the last column is a bias.
ROWS = np.array([[1, 0, 5], [3, 1, 0], [0, 2, 0], [-1, 0, 5], [0, 0, 5]], np.float32)


def test_the_direction_counts_not_the_length_nor_the_bias() -> None:
    assert nearest(ROWS, 0, np.array([1, 2, 3]), 3) == [1, 2, 3]


def test_a_row_without_a_direction_is_neither_near_nor_far() -> None:
    assert nearest(ROWS, 0, np.array([3, 4, 1]), 3) == [1, 4, 3]


def test_no_place_is_better_off_among_equally_near_rows() -> None:
    same = np.ones((50, 3), np.float32)
    first = {nearest(same, item, np.arange(40), 1)[0] for item in range(50)}
    assert len(first) > 10
    assert nearest(same, 3, np.arange(40), 5) == nearest(same, 3, np.arange(40), 5)


def test_nothing_to_compare_with() -> None:
    assert nearest(ROWS, 0, np.array([], np.int32)) == []
    assert nearest(ROWS[:, :1], 0, np.array([1])) == []
