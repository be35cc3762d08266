"""No merge: what arrives replaces what was there."""

from __future__ import annotations

import numpy as np

from tacit.merges.none import merge
from tacit.merges.row_merging import row_merging
from tacit.testing import check_merge


def test_holds_what_every_merge_has_to_hold() -> None:
    check_merge(merge())


def test_received_rows_replace_one_s_own_whatever_their_age() -> None:
    loops = row_merging(merge().weight)
    rows, ages = np.ones((3, 2), np.float32), np.array([5, 0, 2], np.int32)
    theirs = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
    loops.merge_all(rows, ages, theirs, np.array([0, 0, 3], np.int32), rows, ages, 0.0)
    assert rows.tolist() == theirs.tolist()
    assert ages.tolist() == [0, 0, 3]  # a row that was lost is not as old as it was
