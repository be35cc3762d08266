"""Nothing between what is shared and the wire."""

from __future__ import annotations

import numpy as np

from tacit.core.message.update import Draws, release
from tacit.core.node_state import NodeState
from tacit.models.mf import MatrixFactorization
from tacit.privacy.none import Nothing
from tacit.testing import check_shield


def test_holds_what_every_shield_has_to_hold() -> None:
    check_shield(Nothing())


def test_the_update_leaves_as_it_is() -> None:
    state = NodeState(np.ones((3, 2)), np.arange(3, dtype=np.int32), np.zeros(0), 4, np.ones(2))
    rated, draws = np.array([1], np.int32), Draws(0, 0, 0)
    update = release(MatrixFactorization.fields, state, rated, (), draws)
    assert Nothing().apply(update, rated, draws) is update
