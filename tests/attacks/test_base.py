"""How evidence is judged."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.attacks.base import judge
from tacit.core.interactions import Interactions


def test_evidence_that_says_nothing_has_the_chance_level_whatever_the_ids_are() -> None:
    """Everybody has the first items: ids that follow popularity."""
    table = Interactions.from_pairs(
        [*[0] * 4, *[1] * 4, *[2] * 2], [0, 1, 2, 3, 0, 1, 2, 4, 0, 9], np.ones(10), users=3, items=20
    )
    found = judge("nobody", {user: np.zeros(20) for user in range(3)}, table)
    assert found.auc_all == 0.5
    assert found.precision == pytest.approx(np.mean([4 / 20, 4 / 20, 2 / 20]))


def test_evidence_that_says_everything() -> None:
    table = Interactions.from_pairs([0, 0, 1], [3, 4, 0], np.ones(3), users=2, items=6)
    found = judge("all", {0: np.array([0, 0, 0, 1, 1, 0.0])}, table)
    assert found.precision == found.auc_all == 1.0
