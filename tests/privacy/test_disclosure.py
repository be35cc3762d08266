import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.interactions import Interactions
from tacit.core.message.update import Draws, Update, release
from tacit.core.node_state import NodeState
from tacit.models.bpr import PairwiseRanking
from tacit.privacy.disclosure import Disclosure, discloses, fixed_items

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


TABLE = Interactions.from_pairs(
    np.repeat(np.arange(20), 50), np.tile(np.arange(0, 100, 2), 20), users=20, items=100
)


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 1000))
def test_a_higher_pi_only_adds_items(low: float, high: float, seed: int) -> None:
    low, high = sorted((low, high))
    few, more = (fixed_items(seed, TABLE, np.full(20, pi)) for pi in (low, high))
    assert not (few & ~more).any()


@given(st.integers(0, 1000), st.sets(st.integers(0, 999), min_size=1))
def test_whether_an_item_takes_part_does_not_depend_on_the_others(seed: int, entries: set[int]) -> None:
    keep = np.isin(np.arange(len(TABLE)), list(entries))
    pi = np.linspace(0, 1, 20)
    assert np.array_equal(fixed_items(seed, TABLE, pi)[keep], fixed_items(seed, TABLE.take(keep), pi))


def test_each_user_by_their_own_pi() -> None:
    part = fixed_items(3, TABLE, np.array([0.0] * 10 + [1.0] * 5 + [0.5] * 5)).reshape(20, 50)
    assert not part[:10].any()
    assert part[10:15].all()
    assert part[15:].mean() == pytest.approx(0.5, abs=0.1)
    assert len({row.tobytes() for row in part[15:]}) == 5, "everybody draws for themselves"
