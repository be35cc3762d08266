import numpy as np
import pytest

from tacit.core.errors import BadInput
from tacit.core.node_state import NodeArrays, Ratings
from tacit.experiment.prepare import prepare
from tacit.models.bpr import PairwiseRanking, draw_triple, learn, surprise

OWN = np.array([1, 4], np.int32)


def test_surprise_is_the_logistic_of_the_margin() -> None:
    rows = np.array([[1.0, 2.0, 0.5], [0.0, 1.0, 0.0]], np.float32)
    private = np.array([0.5, -1.0], np.float32)
    margin = 0.5 + 0.5 * 1.0 - 1.0 * 1.0
    assert surprise(rows, private, 0, 1) == pytest.approx(1 / (1 + np.exp(margin)))


def test_triples_are_of_own_items_and_others_and_hit_all_of_them() -> None:
    seen = [draw_triple(OWN, OWN, 6, (0, 0, event), 0) for event in range(300)]
    assert {i for i, _, _ in seen} == {1, 4}
    assert {j for _, j, _ in seen} == {0, 2, 3, 5}


def test_one_step_by_hand() -> None:
    model = PairwiseRanking(k=1, lr=0.1, reg_u=0.2, reg_pos=0.3, reg_neg=0.4)
    rows, ages, private = (
        np.array([[1.0, 0.0], [2.0, 0.0]], np.float32),
        np.zeros(2, np.int32),
        np.array([0.5], np.float32),
    )
    learn(
        NodeArrays(rows, ages, np.zeros(0, np.float32), private, None),
        Ratings(np.array([0], np.int32), np.ones(1, np.float32)),
        (0, 0, 0),
        model.hyper(),
    )
    g = 1 / (1 + np.exp(0.5 * (1 - 2)))
    assert private[0] == pytest.approx(0.5 + 0.1 * (g * (1 - 2) - 0.2 * 0.5))
    assert rows[0] == pytest.approx([1 + 0.1 * (g * 0.5 - 0.3 * 1), 0.1 * g])
    assert rows[1] == pytest.approx([2 + 0.1 * (-g * 0.5 - 0.4 * 2), -0.1 * g])
    assert ages.tolist() == [1, 1]


def test_the_papers_regularization_follows_the_learning_rate() -> None:
    hyper = PairwiseRanking(lr=0.2).hyper()
    assert (hyper.reg_u, hyper.reg_pos, hyper.reg_neg) == pytest.approx((0.01, 0.01, 0.001))


def test_where_negatives_have_no_rows_it_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^model: got bpr; allowed: .* with protocol federated"):
        prepare("hegedus/federated", "synthetic", {"model": "bpr"})
