from __future__ import annotations

import numpy as np

from tacit.core.message.update import Draws, Update, release
from tacit.core.node_state import NodeState
from tacit.models.mf import MatrixFactorization
from tacit.privacy.known import Known
from tacit.testing import check_shield


def shielded(ages: list[int], rated: list[int]) -> Update:
    rows = np.arange(len(ages), dtype=np.float32)[:, None]
    state = NodeState(rows, np.array(ages, np.int32), np.zeros(0, np.float32), 1, np.zeros(1, np.float32))
    positions = np.array(rated, np.int32)
    return release(MatrixFactorization.fields, state, positions, [Known()], Draws(0, 0, 0))


def test_it_is_a_shield() -> None:
    check_shield(Known())


def test_rows_nobody_updated_stay_unless_they_are_one_s_own() -> None:
    update = shielded([0, 3, 0, 0, 1], [2])
    assert update.index is not None
    assert update.index.tolist() == [1, 2, 4]
    assert update.rows[:, 0].tolist() == [1, 2, 4]
    assert update.ages.tolist() == [3, 0, 1]


def test_nothing_to_leave_out_is_a_whole_update() -> None:
    assert shielded([1, 2, 0], [2]).index is None
