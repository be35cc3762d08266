"""The exact solve of one side against NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.math.als_solver import alternate, by_rule, cholesky_solve, gram, solve, solve_side


def plain(rows: np.ndarray, had: np.ndarray, w0: float, reg: float) -> np.ndarray:
    own = rows[had]
    ridge = reg * np.sqrt(len(had) + w0 * len(rows)) * np.eye(rows.shape[1])
    return np.linalg.solve(w0 * rows.T @ rows + own.T @ own + ridge, own.sum(axis=0))


@given(st.integers(1, 9), st.integers(1, 20), st.integers(0, 20), st.integers(0, 2**32))
@settings(max_examples=50, deadline=None)
def test_a_row_is_the_minimum_of_its_ridge_regression(k: int, items: int, count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(items, k))
    had = np.sort(rng.choice(items, min(count, items), replace=False)).astype(np.int32)
    out = np.empty(k)
    solve(rows, gram(rows), had, 0.2, 0.5, out)
    assert out == pytest.approx(plain(rows, had, 0.2, 0.5), abs=1e-9)


def test_by_hand() -> None:
    # One factor: q = 2 and 1, the first one is had. (0.5 * 5 + 4 + 3 sqrt(1 + 0.5 * 2))^-1 * 2
    rows, out = np.array([[2.0], [1.0]]), np.empty(1)
    solve(rows, gram(rows), np.array([0], np.int32), 0.5, 3.0, out)
    assert out[0] == pytest.approx(2 / (6.5 + 3 * np.sqrt(2)))


def test_cholesky_solves() -> None:
    left = np.array([[4.0, 2.0], [2.0, 5.0]])
    right = np.array([2.0, 9.0])
    cholesky_solve(left.copy(), right)
    assert left @ right == pytest.approx([2.0, 9.0])


def test_everybody_at_once_is_one_by_one() -> None:
    rows = np.random.default_rng(1).normal(size=(6, 3))
    start, index = np.array([0, 2, 2, 5]), np.array([1, 4, 0, 2, 5], np.int32)
    out = np.empty((3, 3))
    solve_side(0, 3, start, index, rows, gram(rows), 0.1, 0.3, out)
    for u in range(3):
        assert out[u] == pytest.approx(plain(rows, index[start[u] : start[u + 1]], 0.1, 0.3))
    assert out[1].tolist() == [0, 0, 0]


def test_the_rule_by_hand_and_at_its_ends() -> None:
    assert by_rule(90.0, 5000) == pytest.approx((0.1, 0.3 + 1 / 30))
    assert by_rule(90.0, 450) == pytest.approx((0.2, 0.3 + 1 / 30)), "a small catalogue"
    assert by_rule(0.0, 5000) == by_rule(5.0, 5000)
    assert by_rule(1e9, 5000) == pytest.approx((1.0, 0.3 + 1 / 300))
    assert by_rule(40.0, 10)[0] == 1.0


def test_sides_in_turn_lower_the_loss_and_end_with_exact_people() -> None:
    rng = np.random.default_rng(0)
    user, item = np.nonzero(rng.random((12, 9)) < 0.4)
    table = Interactions.from_pairs(user, item, users=12, items=9)

    def loss(people: np.ndarray, rows: np.ndarray) -> float:
        scores = people @ rows.T
        fit = ((1 - scores[user, item]) ** 2).sum() + 0.1 * (scores**2).sum()
        asked = np.sqrt(np.bincount(user, minlength=12) + 0.1 * 9) @ (people**2).sum(1)
        held = np.sqrt(np.bincount(item, minlength=9) + 0.1 * 12) @ (rows**2).sum(1)
        return float(fit + 0.3 * (asked + held))

    losses = []
    for sweeps in (0, 1, 2, 8):
        rows = 0.1 * np.random.default_rng(1).normal(size=(9, 3))
        people = alternate(table, rows, 0.1, 0.3, sweeps, Workers(1))
        losses.append(loss(people, rows))
        assert people[4] == pytest.approx(plain(rows, table.of(4)[0], 0.1, 0.3), abs=1e-9)
    assert losses == sorted(losses, reverse=True)
