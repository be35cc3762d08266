"""Biased ALS: the own part against NumPy, rows against a plain computation, and learning."""

import numpy as np
import pytest

from tacit.models.als import BiasedLeastSquares, init_private, read_rows, score, solve_own, tell, unseen

MODEL = BiasedLeastSquares(k=2, reg_user=2.0, reg_bias=3.0, reg_item=1.0)
HYPER = MODEL.hyper()
USERS, ITEMS = 40, 15


def network() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    known = rng.random((USERS, ITEMS)) < 0.5
    taste = 3.5 + rng.normal(0, 0.5, (USERS, 1)) + rng.normal(0, 0.7, (1, ITEMS))
    taste = taste + rng.normal(0, 0.8, (USERS, 2)) @ rng.normal(0, 0.8, (2, ITEMS))
    return known, np.clip(taste, 1, 5)


def own_part(rows: np.ndarray, had: np.ndarray, values: np.ndarray, level: float) -> np.ndarray:
    private = np.zeros(4, np.float32)
    solve_own(rows, had, values, np.array([-1.0, -1.0, level, 0.0]), private, HYPER)
    return private


def test_a_persons_part_is_a_ridge_regression() -> None:
    rng = np.random.default_rng(0)
    rows, had = rng.normal(size=(6, 3)).astype(np.float32), np.array([0, 2, 5], np.int32)
    values = np.array([5, 1, 4], np.float32)
    x = np.column_stack((rows[had, :2], np.ones(3)))
    ridge = np.diag([2 * np.sqrt(4), 2 * np.sqrt(4), 3])
    wanted = np.linalg.solve(x.T @ x + ridge, x.T @ (values - 3.4 - rows[had, 2]))
    assert own_part(rows, had, values, 3.4)[:3] == pytest.approx(wanted, rel=1e-5)


def test_what_is_foreseen() -> None:
    rows, private = np.array([[1.0, 2.0, 0.5]], np.float32), np.array([0.5, -0.25, 0.1, 3.5], np.float32)
    assert score(rows, np.zeros(0), private, 0, HYPER) == pytest.approx(3.5 + 0.1 + 0.5 + 0.5 - 0.5)
    assert unseen(private, HYPER) == pytest.approx(3.6)
    init_private(0, 0, private, HYPER)
    assert unseen(private, HYPER) == 3.0


def test_rows_against_a_plain_computation_and_sweeps_learn() -> None:
    known, values = network()
    rows = np.random.default_rng(1).normal(0, 0.1, (ITEMS, 3)).astype(np.float32)
    rows[:, 2] = 0
    level, errors = -1.0, []
    for _ in range(6):
        total, outer = np.zeros((ITEMS, 4)), np.zeros(6)
        people, rest = np.zeros((USERS, 3)), np.zeros((USERS, ITEMS))
        mean = level if level > 0 else 3.0
        wrong = []
        for u in range(USERS):
            had = np.flatnonzero(known[u]).astype(np.int32)
            given = values[u, had].astype(np.float32)
            private = own_part(rows, had, given, level)
            own, mine = np.zeros((ITEMS, 4), np.float32), np.zeros(6, np.float32)
            tell(private, had, given, rows, own, mine, HYPER)
            total, outer = total + own, outer + mine
            people[u], rest[u] = [*private[:2], 1], values[u] - mean - private[2]
            for i in np.flatnonzero(~known[u]):
                wrong.append(score(rows, np.zeros(0), private, i, HYPER) - values[u, i])
        errors.append(np.sqrt(np.mean(np.square(wrong))))
        told = np.array([-1.0, USERS, level, 0.0])
        sums, part = (total / USERS).astype(np.float32), (outer / USERS).astype(np.float32)
        read_rows(sums, part, 1.0, told, rows, HYPER)
        shift = rest[known].mean()
        assert told[2] == pytest.approx(mean + shift, rel=1e-4)
        level = told[2]
        c = sum(known[u].sum() * np.outer(people[u], people[u]) for u in range(USERS)) / known.sum()
        for j in range(ITEMS):
            n = known[:, j].sum()
            b = sum((rest[u, j] - shift) * people[u] for u in np.flatnonzero(known[:, j]))
            # The mean over all ratings stands in for those of this item, also where the level moves.
            b = b + shift * (people[known[:, j]].sum(axis=0) - n * c[:, 2])
            wanted = np.linalg.solve(n * c + np.sqrt(n + 1) * np.eye(3), b)
            assert rows[j] == pytest.approx(wanted, rel=2e-3, abs=2e-4)
    assert errors[-1] < 0.85 * errors[0]
