"""A message that is too large travels in part, another part each time."""

import numpy as np

from tacit.core.message.update import Draws, release
from tacit.core.node_state import NodeState
from tacit.models.mf import MatrixFactorization
from tacit.privacy.row_limit import AtMost
from tacit.testing import check_shield


def test_kit() -> None:
    check_shield(AtMost(5))


def test_at_most_so_many_rows_travel() -> None:
    model = MatrixFactorization(k=2)
    state = NodeState(
        np.ones((20, 3), np.float32), np.ones(20, np.int32), np.zeros(0, np.float32), 3, np.zeros(3)
    )
    rated = np.array([4, 7], np.int32)
    whole = release(model.fields, state, rated, (AtMost(20),), Draws(0, 0, 0))
    assert whole.index is None, "what fits is left as it is"
    parts = [
        release(model.fields, state, rated, (AtMost(6),), Draws(0, 0, event)).index for event in range(5)
    ]
    assert all(part is not None and len(part) == 6 for part in parts)
    assert len({tuple(part) for part in parts if part is not None}) > 1
