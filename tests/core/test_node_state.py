"""A node's state: arrays that can be views."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tacit.core.node_state import Field, NodeState, Visibility


def test_a_state_made_of_views_writes_through_to_the_fleet() -> None:
    rows, private = np.zeros((2, 3, 1)), np.zeros((2, 2))
    node = NodeState(rows[1], np.zeros(3, np.int32), np.zeros(0), 0, private[1])
    node.rows[2, 0] = 5
    node.private[0] = 6
    assert rows[1, 2, 0] == 5
    assert private[1].tolist() == [6, 0]


def test_a_declaration_cannot_be_changed_afterwards() -> None:
    field = Field("private", Visibility.PRIVATE, "user factors")
    with pytest.raises(dataclasses.FrozenInstanceError):
        field.visibility = Visibility.SHARED  # type: ignore[misc]
