"""The weighted majority algorithm over received models, with numbers worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.node_state import Ratings
from tacit.models.mf import MatrixFactorization
from tacit.protocols.ensemble.kernels import EMPTY, EnsembleModels, Trust, combine, judge, make_consider

RATINGS = Trust(size=2, beta=0.5, margin=0.5, floor=0.2, classes=0)
CLASSES = RATINGS._replace(classes=10)
BIASES = MatrixFactorization(k=0, scale=(1.0, 5.0))


def judged(said: list[list[float]], values: list[float], trust: Trust, present: list[float]) -> list[float]:
    weight = np.array(present)
    judge(np.array(said, np.float64), np.array(values, np.float32), trust, weight)
    return weight.tolist()


def test_together_they_say_the_weighted_mean_or_the_class_with_most_weight() -> None:
    assert combine(np.array([1.0, 4.0]), np.array([1.0, 0.5]), 0) == pytest.approx(2.0)
    assert combine(np.array([7.0, 3.0, 3.0]), np.array([1.0, 0.4, 0.4]), 10) == 7
    assert combine(np.array([7.0, 3.0, 3.0]), np.array([0.8, 0.4, 0.4]), 10) == 3, "of equals the lowest"
    assert combine(np.array([9.0, 0.0]), np.array([1.0, 0.0]), 10) == 9, "the absent have no voice"


def test_whoever_is_much_further_off_than_all_together_loses_weight() -> None:
    # Together 3; the rating is 4, so together they are off by 1 and 1.5 is the bound: 2 loses half, 4 loses nothing.
    assert judged([[4.0, 2.0]], [4.0], RATINGS, [1.0, 1.0]) == [1.0, 0.5]
    # Next case: together (4 + 0.5 * 1) / 1.5 = 3, again off by 1.
    assert judged([[4.0, 2.0], [4.0, 1.0]], [4.0, 4.0], RATINGS, [1.0, 1.0]) == [1.0, 0.25]
    assert judged([[4.0, 3.5]], [4.0], RATINGS, [1.0, 1.0]) == [1.0, 1.0], "a little worse is not bad"


def test_a_wrong_class_costs_weight_even_where_the_others_are_right() -> None:
    said = [[1.0, 1.0, 2.0], [3.0, 4.0, 4.0]]
    assert judged(said, [1.0, 3.0], CLASSES, [1.0, 1.0, 1.0]) == [1.0, 0.5, 0.25]


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), max_size=60), st.floats(0.01, 0.99))
def test_weights_are_shares_of_the_best(said: list[list[int]], beta: float) -> None:
    values = np.zeros(len(said), np.float32)
    weight = np.array([1.0, 0.0, 1.0])
    judge(np.array(said, np.float64).reshape(-1, 3), values, CLASSES._replace(beta=beta), weight)
    assert weight.max() == 1.0
    assert weight[1] == 0.0, "the absent stay absent"
    assert (weight >= 0).all()


class Node:
    """Biases alone: the person's 3; items 0 and 1 are rated 4 and 2."""

    def __init__(self, trust: Trust) -> None:
        self.trust, places = trust, trust.size + 1
        self.members = EnsembleModels(
            np.zeros((places, 2, 1), np.float32),
            np.zeros((places, 0), np.float32),
            np.full(places, EMPTY, np.int32),
            np.zeros(places + 1),
        )

    def receive(self, sender: int, *biases: float) -> bool:
        none, items = np.zeros(0, np.float32), np.array([0, 1], np.int32)
        own = Ratings(items, np.array([4.0, 2.0], np.float32))
        return make_consider(BIASES.kernels.score)(
            np.array([3.0], np.float32), own, np.array(biases, np.float32)[:, None], none, sender, self.members,
            self.trust, BIASES.hyper(),
        )  # fmt: skip

    @property
    def peers(self) -> set[int]:
        return set(self.members.peer.tolist()) - {EMPTY}


def test_good_models_are_kept_and_garbage_is_dropped_and_not_merged() -> None:
    node = Node(RATINGS._replace(floor=0.3))
    assert node.receive(7, 1.0, -1.0)
    assert node.receive(8, 0.9, -0.9)
    assert not node.receive(9, -40.0, 40.0), "two bad guesses leave a quarter of its weight"
    assert node.peers == {7, 8}
    assert node.members.weight.max() == 1.0


def test_a_newer_model_of_the_same_sender_takes_the_place_of_the_old_one() -> None:
    node = Node(RATINGS)
    node.receive(7, 1.0, -1.0)
    node.receive(7, 0.8, -0.8)
    assert node.peers == {7}
    place = node.members.peer.tolist().index(7)
    assert node.members.rows[place, :, 0].tolist() == pytest.approx([0.8, -0.8])


def test_of_too_many_the_worst_leaves_and_of_equals_an_older_one() -> None:
    node = Node(RATINGS)
    for sender, size in ((1, 1.0), (2, 0.9)):
        node.receive(sender, size, -size)
    assert node.receive(3, 1.0, -1.0), "it is trusted, and all are equal"
    assert 3 in node.peers
    assert len(node.peers) == 2
    node.receive(4, -0.2, 0.2)
    assert 4 not in node.peers
