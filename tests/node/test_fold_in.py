from __future__ import annotations

import numpy as np

from tacit.core.node_state import NodeState
from tacit.models.bpr import PairwiseRanking
from tacit.models.ials import ImplicitLeastSquares
from tacit.models.mf import MatrixFactorization
from tacit.node.fold_in import affine, logistic, ridge, solve


def state(width: int, private: int, seed: int = 0) -> NodeState:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(30, width)).astype(np.float32)
    zeros = np.zeros(0, np.float32)
    return NodeState(rows, np.ones(30, np.int32), zeros, 1, np.zeros(private, np.float32))


def test_a_score_is_taken_apart_into_what_the_person_adds_and_the_rest() -> None:
    s = state(4, 4)
    offset, factors = affine(MatrixFactorization(k=3), s, np.arange(30))
    assert np.allclose(offset, s.rows[:, 3])
    assert np.allclose(factors[:, :3], s.rows[:, :3])
    assert np.allclose(factors[:, 3], 1)


def test_ridge_by_hand() -> None:
    # One factor: p = sum f y / (sum f^2 + n lam) = (1*2 + 2*1) / (5 + 2*0.5) = 4/6
    assert np.allclose(ridge(np.array([[1.0], [2.0]]), np.array([2.0, 1.0]), 0.5), [4 / 6])


def test_ridge_does_not_hold_back_a_bias() -> None:
    solved = ridge(np.array([[1.0, 0.1], [1.0, -0.1], [1.0, 0.2]]), np.array([4.0, 4.0, 4.0]), 1.0)
    assert abs(solved[0] - 4) < 0.01


def test_logistic_ends_where_the_gradient_is_zero() -> None:
    rng = np.random.default_rng(1)
    factors, offset = rng.normal(size=(500, 6)), rng.normal(size=500)
    p = logistic(factors, offset, 0.01)
    g = 1 / (1 + np.exp(factors @ p + offset))
    assert np.abs(factors.T @ g - 500 * 0.01 * p).max() < 1e-4


def test_logistic_stays_finite_where_everything_can_be_told_apart() -> None:
    p = logistic(np.ones((50, 2)) * 100, np.zeros(50), 0.0)
    assert np.isfinite(p).all()


def test_a_rating_model_s_person_fits_their_ratings_better_than_any_other_would() -> None:
    s, model = state(4, 4), MatrixFactorization(k=3, lam=0.01)
    taste = np.array([1.0, -1.0, 0.5, 3.0])
    rated = np.arange(12)
    values = s.rows[rated, :3] @ taste[:3] + taste[3] + s.rows[rated, 3]
    solved = solve(model, s, rated, values, np.arange(12, 30), 1)
    assert np.abs(solved - taste).max() < 0.1


def test_a_ranking_model_s_person_ranks_what_they_liked_first() -> None:
    s, model = state(9, 8, 2), PairwiseRanking(k=8)
    liked = np.argsort(-(s.rows[:, :8] @ np.ones(8)))[:6]
    others = np.setdiff1d(np.arange(30), liked)
    solved = solve(model, s, liked, np.ones(6), others, 1)
    score = s.rows[:, :8] @ solved + s.rows[:, 8]
    assert score[liked].mean() > np.sort(score[others])[-4]


def test_without_anything_to_go_on_the_learned_part_stays() -> None:
    s = state(4, 4)
    s.private[:] = 7
    nothing = np.zeros(0, np.int64)
    assert solve(MatrixFactorization(k=3), s, nothing, np.zeros(0), np.arange(30), 1).tolist() == [7] * 4
    assert solve(PairwiseRanking(k=4), s, np.arange(3), np.ones(3), nothing, 1).tolist() == [7] * 4


def test_least_squares_by_the_normal_equations() -> None:
    """p = (w0 Q'Q + Q_I'Q_I + reg sqrt(|I| + w0 M) Id)^-1 sum of q_j over I; w0, reg by rule for 60 items each."""
    s = state(4, 4)
    s.dense = np.array([60.0], np.float32)
    rated, q = np.array([7, 2, 19]), s.rows.astype(np.float64)
    w0, reg = min(60 / 30, 1.0), 0.3 + 3 / 60
    left = w0 * q.T @ q + q[rated].T @ q[rated] + reg * np.sqrt(3 + w0 * 30) * np.eye(4)
    wanted = np.linalg.solve(left, q[rated].sum(axis=0))
    found = solve(ImplicitLeastSquares(k=4), s, rated, np.ones(3), np.arange(20, 30), 1)
    assert np.allclose(found, wanted, atol=1e-6)
