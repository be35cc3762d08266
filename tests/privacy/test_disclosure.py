import numpy as np
import pytest

from tacit.core.message.update import Draws, Update, release
from tacit.core.node_state import NodeState
from tacit.models.bpr import PairwiseRanking
from tacit.privacy.disclosure import Disclosure, discloses

RATED = np.arange(0, 100, 2, dtype=np.int32)


def shielded(pi: float, event: int = 0) -> Update:
    rows = np.arange(200, dtype=np.float32).reshape(100, 2)
    state = NodeState(rows, np.ones(100, np.int32), np.zeros(0, np.float32), 1, np.zeros(1, np.float32))
    return release(PairwiseRanking.fields, state, RATED, [Disclosure(pi)], Draws(0, 0, event))


def test_everything_at_one() -> None:
    assert shielded(1).index is None


def test_nothing_about_own_items_at_zero_and_all_of_the_others() -> None:
    update = shielded(0)
    assert update.index is not None
    assert update.index.tolist() == list(range(1, 100, 2))
    assert update.rows[:, 0].tolist() == [2.0 * i for i in range(1, 100, 2)]


def test_own_items_at_the_chosen_rate() -> None:
    told = sum(int(np.isin(shielded(0.3, event).index, RATED).sum()) for event in range(100))
    assert told == pytest.approx(0.3 * 5000, rel=0.1)


def test_each_decision_is_of_its_own() -> None:
    chances = [np.mean([discloses(7, node, 3, draw, 0.6) for draw in range(2000)]) for node in (0, 1)]
    assert chances == pytest.approx([0.6, 0.6], abs=0.04)
