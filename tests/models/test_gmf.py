import math

import numpy as np
import pytest

from tacit.core.math.negative_sampling import draw_one
from tacit.core.node_state import NodeArrays, Ratings
from tacit.core.rng import Stream
from tacit.models.gmf import GeneralizedMatrixFactorization as Gmf
from tacit.models.gmf import init_private, init_rows, learn, score
from tacit.testing import check_model


@pytest.mark.parametrize("user_vectors", ["private", "travel"])
def test_the_kit(user_vectors: str) -> None:
    check_model(Gmf(k=3, lr=0.2, user_vectors=user_vectors), ratings=False)


def test_one_example_by_hand() -> None:
    model = Gmf(k=2, lr=0.1, lr_h=0.5, reg=0.2, negatives=0)
    rows, dense = np.array([[1.0, -2.0]], np.float32), np.array([1.0, 0.5], np.float32)
    private = np.array([3.0, 1.0], np.float32)
    ages = np.zeros(1, np.int32)
    one = np.zeros(1, np.int32)
    learn(
        NodeArrays(rows, ages, dense, private, None),
        Ratings(one, np.ones(1, np.float32)),
        (0, 0, 0),
        model.hyper(),
    )
    # z = 1*3*1 + .5*1*(-2) = 2; g = sigma(2) - 1
    g = 1 / (1 + math.exp(-2)) - 1
    assert private == pytest.approx([3 - 0.1 * (g * 1 + 0.2 * 3), 1 - 0.1 * (g * 0.5 * -2 + 0.2 * 1)])
    assert rows[0] == pytest.approx([1 - 0.1 * (g * 3 + 0.2 * 1), -2 - 0.1 * (g * 0.5 * 1 + 0.2 * -2)])
    assert dense == pytest.approx([1 - 0.5 * (g * 3 * 1), 0.5 - 0.5 * (g * 1 * -2)])
    assert ages.tolist() == [1]


def naive(
    rows: list[list[float]],
    h: list[float],
    p: list[float],
    items: list[int],
    known: list[int],
    model: Gmf,
    event: int,
) -> None:
    """The same rule in plain Python: lists, double precision, nothing shared but the draws."""
    draw = 0
    for i in items:
        examples = [(i, 1.0)]
        for _ in range(model.negatives):
            j, draw = draw_one(
                5, Stream.TRAINING_NEGATIVES, 3, event, draw, np.array(known, np.int32), len(rows)
            )
            examples.append((j, 0.0))
        for j, y in examples:
            q = list(rows[j])
            z = sum(a * b * c for a, b, c in zip(h, p, q, strict=True))
            g = 1 / (1 + math.exp(-z)) - y
            old_h, old_p = list(h), list(p)
            for f in range(len(p)):
                p[f] -= model.lr * (g * old_h[f] * q[f] + model.reg * old_p[f])
                rows[j][f] -= model.lr * (g * old_h[f] * old_p[f] + model.reg * q[f])
                h[f] -= model.lr_h * g * old_p[f] * q[f]


@pytest.mark.parametrize("travel", [False, True])
def test_passes_are_those_of_plain_python(travel: bool) -> None:
    model = Gmf(k=4, lr=0.3, lr_h=0.1, reg=0.01, negatives=3, user_vectors="travel" if travel else "private")
    rows, dense = np.zeros((20, 4)), np.zeros(model.dense_size)
    private, ages = np.zeros(model.private_size), np.zeros(20, np.int32)
    init_rows(5, 3, rows, dense, model.hyper())
    init_private(5, 3, private, model.hyper())
    person = dense[4:] if travel else private
    slow_rows, slow_h, slow_p = rows.tolist(), dense[:4].tolist(), person.tolist()
    items, known = [2, 7, 11], [2, 5, 7, 11]
    values = np.array([1, np.nan, 4, 2], np.float32)  # 5 is known, and not learned from
    for event in range(6):
        learn(
            NodeArrays(rows, ages, dense, private, None),
            Ratings(np.array(known, np.int32), values),
            (5, 3, event),
            model.hyper(),
        )
        naive(slow_rows, slow_h, slow_p, items, known, model, event)
    assert rows == pytest.approx(np.array(slow_rows), rel=1e-5, abs=1e-6)
    assert dense[:4] == pytest.approx(slow_h, rel=1e-5, abs=1e-6)
    assert person == pytest.approx(slow_p, rel=1e-5, abs=1e-6)
    assert ages[5] == 0
    assert ages[items].tolist() == [6, 6, 6]
    expected = sum(a * b * c for a, b, c in zip(slow_h, slow_p, slow_rows[9], strict=True))
    assert score(rows, dense, private, 9, model.hyper()) == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_negatives_are_whatever_the_node_does_not_know_of() -> None:
    model = Gmf(k=2, negatives=5)
    rows, dense, private = np.zeros((8, 2), np.float32), np.ones(2, np.float32), np.ones(2, np.float32)
    ages, known = np.zeros(8, np.int32), np.array([1, 4], np.int32)
    for event in range(30):
        learn(
            NodeArrays(rows, ages, dense, private, None),
            Ratings(known, np.array([1, np.nan], np.float32)),
            (0, 0, event),
            model.hyper(),
        )
    assert ages[4] == 0  # known, not learned from, never a negative
    assert (ages[[0, 2, 3, 5, 6, 7]] > 0).all()


def test_who_has_everything_learns_without_negatives() -> None:
    model = Gmf(k=2)
    rows, dense, private = np.ones((2, 2), np.float32), np.ones(2, np.float32), np.ones(2, np.float32)
    ages = np.zeros(2, np.int32)
    learn(
        NodeArrays(rows, ages, dense, private, None),
        Ratings(np.arange(2, dtype=np.int32), np.ones(2, np.float32)),
        (0, 0, 0),
        model.hyper(),
    )
    assert ages.tolist() == [1, 1]
