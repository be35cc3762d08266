"""One step by hand, the start, and what every model has to hold."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.core.node_state import NodeArrays, Ratings
from tacit.models.mf import MatrixFactorization
from tacit.testing import check_model


@pytest.mark.parametrize("k", [0, 1, 5])
def test_holds_what_every_model_has_to_hold(k: int) -> None:
    check_model(MatrixFactorization(k=k))


def test_holds_it_with_parameters_of_one_s_own() -> None:
    check_model(MatrixFactorization(k=3, eta=0.05, eta_b=0.02, lam=0.0, scale=(0.5, 10.0)))


def learn(
    model: MatrixFactorization,
    rows: list[list[float]],
    private: list[float],
    items: list[int],
    values: list[float],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One pass in float64; hyper-parameters stay float32, as on every device."""
    Y, ages, x = np.array(rows), np.zeros(len(rows), np.int32), np.array(private)
    data = Ratings(np.array(items, np.int32), np.array(values, np.float32))
    model.kernels.learn(NodeArrays(Y, ages, np.zeros(0), x, None), data, (0, 0, 0), model.hyper())
    return Y, ages, x


def test_one_step_with_one_factor() -> None:
    # eta 0.5, lambda 0.5: keep = 1 - 0.25 = 0.75, all exact in binary.
    # err = 4 - x y - b - c = 4 - 1*2 - 0.5 - 0.5 = 1;  eta err = 0.5
    # y = 0.75*2 + 0.5*1 = 2;  x = 0.75*1 + 0.5*2 (the old y) = 1.75;  c = b = 0.5 + 0.5 = 1
    Y, ages, x = learn(MatrixFactorization(k=1, eta=0.5, lam=0.5), [[2, 0.5]], [1, 0.5], [0], [4])
    assert Y.tolist() == [[2.0, 1.0]]
    assert x.tolist() == [1.75, 1.0]
    assert ages.tolist() == [1]


def test_biases_have_their_own_rate() -> None:
    # err = 1 as above; biases move by eta_b err = 0.25, and feel no regularization
    Y, _, x = learn(MatrixFactorization(k=1, eta=0.5, eta_b=0.25, lam=0.5), [[2, 0.5]], [1, 0.5], [0], [4])
    assert (Y[0, 1], x[1]) == (0.75, 0.75)


def test_two_ratings_in_ascending_order_with_two_factors() -> None:
    # eta 0.5, lambda 0: keep = 1. x = (1, 0), b = 0.
    # Item 0: Y = (1, 1), c = 0, rating 3: err = 3 - 1 = 2, step 1
    #   Y0 = (1, 1) + (1, 0) = (2, 1); x = (1, 0) + (1, 1) = (2, 1); c0 = 1; b = 1
    # Item 2: Y = (0, 2), c = 1, rating 2: err = 2 - (2*0 + 1*2) - 1 - 1 = -2, step -1
    #   Y2 = (0, 2) - (2, 1) = (-2, 1); x = (2, 1) - (0, 2) = (2, -1); c2 = 0; b = 0
    Y, ages, x = learn(
        MatrixFactorization(k=2, eta=0.5, lam=0.0),
        [[1, 1, 0], [7, 7, 7], [0, 2, 1]],
        [1, 0, 0],
        [0, 2],
        [3, 2],
    )
    assert Y.tolist() == [[2, 1, 1], [7, 7, 7], [-2, 1, 0]]
    assert x.tolist() == [2, -1, 0]
    assert ages.tolist() == [1, 0, 1]


def test_without_factors_only_biases_learn() -> None:
    # err = 4 - 1 - 1 = 2; both biases move by 0.5 * 2
    Y, _, x = learn(MatrixFactorization(k=0, eta=0.5), [[1.0]], [1.0], [0], [4])
    assert (Y.tolist(), x.tolist()) == ([[2.0]], [2.0])


@pytest.mark.parametrize("scale", [(1.0, 5.0), (0.5, 5.0), (1.0, 10.0)])
def test_first_predictions_fall_into_the_scale(scale: tuple[float, float]) -> None:
    model = MatrixFactorization(k=4, scale=scale)
    rows, private = np.zeros((50, 5), np.float32), np.zeros(5, np.float32)
    model.kernels.init_rows(1, 0, rows, rows[0, :0], model.hyper())
    spread = ((scale[1] - scale[0]) / 4) ** 0.5
    assert rows[:, :4].min() >= 0
    assert spread * 0.9 < rows[:, :4].max() <= spread
    assert (rows[:, 4] == scale[0] / 2).all()
    for node in range(20):
        model.kernels.init_private(1, node, private, model.hyper())
        for item in range(50):
            said = model.kernels.score(rows, rows[0, :0], private, item, model.hyper())
            assert scale[0] <= said <= scale[1] + 1e-5


def test_score_is_the_product_and_both_biases() -> None:
    model = MatrixFactorization(k=2)
    # 1*3 + 2*4 + 0.5 + 0.25
    rows, private = np.array([[0.0, 0, 0], [3, 4, 0.25]]), np.array([1, 2, 0.5])
    assert model.kernels.score(rows, rows[0, :0], private, 1, model.hyper()) == 11.75
    assert model.kernels.unseen(private, model.hyper()) == 0.5


def test_on_a_wider_scale_steps_are_the_papers_where_that_is_asked_for() -> None:
    # From 0.5 to 5 is 9/8 times as wide as from 1 to 5.
    pulls = [MatrixFactorization(eta=0.01, scale=(0.5, 5.0), scaled=s).hyper().pull for s in (True, False)]
    assert pulls == [pytest.approx(0.01 * 8 / 9), pytest.approx(0.01)]


def test_learning_is_the_same_on_a_wider_scale() -> None:
    """Ratings, biases 25 times as large, factors 5 times: so is everything after a pass."""
    narrow, wide = (
        MatrixFactorization(k=2, eta=0.1, eta_b=0.02, scale=s) for s in ((1.0, 5.0), (0.0, 100.0))
    )
    rows, private = np.array([[0.3, -0.2, 0.5], [0.1, 0.4, -0.5]]), np.array([0.2, 0.1, 3.0])
    grow = np.array([5.0, 5.0, 25.0])
    Y, _, x = learn(narrow, rows.tolist(), private.tolist(), [0, 1], [4, 2])
    wider, _, z = learn(wide, (rows * grow).tolist(), (private * grow).tolist(), [0, 1], [100, 50])
    np.testing.assert_allclose(wider, Y * grow, rtol=1e-6)
    np.testing.assert_allclose(z, x * grow, rtol=1e-6)
