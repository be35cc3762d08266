import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.scorer import Scorer, Scores
from tacit.metrics.top_k import hits_of, top_lists


class Table(Scorer):
    """Scores that are simply there."""

    def __init__(self, scores: Scores) -> None:
        super().__init__(*scores.shape)
        self.scores = scores

    def block(self, low: int, high: int, out: Scores) -> None:
        out[:] = self.scores[low:high]


def nothing_known(users: int, items: int) -> Interactions:
    return Interactions.from_pairs([], [], users=users, items=items)


def test_ties_go_to_the_earlier_item_and_training_items_are_left_out() -> None:
    scores = np.array([[1.0, 5.0, 5.0, 5.0, 2.0]])
    known = Interactions.from_pairs([0], [2], users=1, items=5)
    assert top_lists(Table(scores), known, np.array([True]), 3, Workers(1)).tolist() == [[1, 3, 4]]


def test_a_short_list_is_filled_with_minus_one() -> None:
    scores = np.array([[1.0, -np.inf, np.nan]])
    assert top_lists(Table(scores), nothing_known(1, 3), np.array([True]), 3, Workers(1)).tolist() == [
        [0, -1, -1]
    ]


def test_users_who_are_not_wanted_get_no_list() -> None:
    lists = top_lists(Table(np.ones((2, 3))), nothing_known(2, 3), np.array([False, True]), 2, Workers(1))
    assert lists.tolist() == [[-1, -1], [0, 1]]


@settings(deadline=None)
@given(st.data())
def test_as_a_stable_sort_whatever_the_threads(data: st.DataObject) -> None:
    users, items = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 12))
    k = data.draw(st.integers(1, items))
    cells = st.integers(-3, 3)
    scores = np.array(
        data.draw(st.lists(st.lists(cells, min_size=items, max_size=items), min_size=users, max_size=users)),
        float,
    )
    pairs = data.draw(st.sets(st.tuples(st.integers(0, users - 1), st.integers(0, items - 1))))
    known = Interactions.from_pairs([u for u, _ in pairs], [i for _, i in pairs], users=users, items=items)
    wanted = np.ones(users, bool)
    lists = top_lists(Table(scores), known, wanted, k, Workers(1))
    for u in range(users):
        free = [i for i in range(items) if (u, i) not in pairs]
        best = sorted(free, key=lambda i: (-scores[u, i], i))[:k]
        assert lists[u].tolist() == best + [-1] * (k - len(best))
    assert np.array_equal(lists, top_lists(Table(scores), known, wanted, k, Workers(3)))


def test_hits_are_the_held_out_items() -> None:
    lists = np.array([[3, 1, -1], [0, 2, 1]], np.int32)
    held = Interactions.from_pairs([0, 0, 1], [1, 4, 0], users=2, items=5)
    assert hits_of(lists, held.start, held.item).tolist() == [[False, True, False], [True, False, False]]
