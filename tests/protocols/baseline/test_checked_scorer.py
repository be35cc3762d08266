"""Scores of somebody else's baseline are numbers, and all of those that were asked for."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.core.errors import BadInput
from tacit.core.scorer import Scorer, Scores
from tacit.protocols.baseline.checked_scorer import CheckedScorer

START, ITEM = np.array([0, 1, 2, 3]), np.array([0, 2, 1], np.int32)


class ByNumber(Scorer):
    """The score of an item is its number; `wrong` users get none."""

    def __init__(self, wrong: int = 3, leaves: bool = False) -> None:
        super().__init__(3, 4)
        self._wrong, self._leaves = wrong, leaves

    def block(self, low: int, high: int, out: Scores) -> None:
        for user in range(low, high):
            if user < self._wrong:
                out[user - low] = np.arange(4)
                out[user - low, 3] = -np.inf
            elif not self._leaves:
                out[user - low] = np.nan


def test_scores_go_through_unchanged() -> None:
    checked, out = CheckedScorer(ByNumber(), "own"), np.zeros((2, 4))
    checked.block(1, 3, out)
    assert out.tolist() == [[0, 1, 2, -np.inf]] * 2
    assert checked.some(START, ITEM).tolist() == [0, 2, 1]
    assert (checked.users, checked.items, checked.rows) == (3, 4, None)


@pytest.mark.parametrize("leaves", [False, True], ids=["NaN", "not filled"])
def test_a_score_that_is_no_number(leaves: bool) -> None:
    checked, out = CheckedScorer(ByNumber(2, leaves), "own"), np.zeros((3, 4))
    says = r"got 4 of 12 scores that are no number; allowed: .* \(.*test_checked_scorer.py, line \d+\)$"
    with pytest.raises(BadInput, match=f"^baseline own: block of ByNumber: {says}"):
        checked.block(0, 3, out)
    checked.block(0, 2, out[:2])


def test_some_scores_that_are_no_number() -> None:
    with pytest.raises(
        BadInput, match=r"^baseline own: some of ByNumber: got 2 of 3 scores that are no number"
    ):
        CheckedScorer(ByNumber(1), "own").some(START, ITEM)
