"""Statistics and read-out against plain NumPy, and against the exact solve they stand in for."""

import numpy as np
import pytest

from tacit.core.interactions import Interactions
from tacit.core.math.als_solver import gram, solve_side
from tacit.core.node_state import NodeArrays, Ratings
from tacit.models.ials import ImplicitLeastSquares, learn, mean_items_per_person, score, tell, weights
from tacit.models.ials_rows import read_out

USERS, ITEMS, K = 30, 12, 3
MODEL = ImplicitLeastSquares()


def network(seed: int = 0) -> tuple[Interactions, np.ndarray]:
    rng = np.random.default_rng(seed)
    table = Interactions.from_pairs(*np.nonzero(rng.random((USERS, ITEMS)) < 0.4), users=USERS, items=ITEMS)
    return table, rng.normal(size=(USERS, K)).astype(np.float32)


def sums_of(
    table: Interactions, people: np.ndarray, rows: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """(B, n), with D of some rows beside them."""
    columns = K + 1 if rows is None else 2 * K + 1
    present = np.zeros((ITEMS, K), np.float32) if rows is None else rows.astype(np.float32)
    total, outer = np.zeros((ITEMS, columns)), np.zeros(K * (K + 1) // 2)
    for u in range(USERS):
        own, mine = np.zeros((ITEMS, columns), np.float32), np.zeros(len(outer), np.float32)
        tell(people[u], *table.of(u), present, own, mine, MODEL.hyper())
        total, outer = total + own, outer + mine
    return total.astype(np.float32), outer.astype(np.float32)


def plain_read_out(table: Interactions, people: np.ndarray, w0: float, reg: float) -> np.ndarray:
    """Every row by a matrix inverse, no eigenvectors."""
    rows = np.zeros((ITEMS, K))
    for j in range(ITEMS):
        those = people[table.user[table.item == j]].astype(float)
        if len(those):
            b, n = those.sum(axis=0), len(those)
            left = w0 * people.T @ people + np.outer(b, b) / n + reg * np.sqrt(n + w0 * USERS) * np.eye(K)
            rows[j] = np.linalg.solve(left, b)
    return rows


def test_what_one_person_tells() -> None:
    sums, outer = np.zeros((4, 3), np.float32), np.zeros(3, np.float32)
    tell(
        np.array([2.0, -1.0], np.float32),
        np.array([1, 3], np.int32),
        np.ones(2, np.float32),
        np.zeros((4, 2), np.float32),
        sums,
        outer,
        MODEL.hyper(),
    )
    assert sums.tolist() == [[0, 0, 0], [2, -1, 1], [0, 0, 0], [2, -1, 1]]
    assert outer.tolist() == [4, -2, 1]


def test_what_one_person_tells_for_the_secant() -> None:
    sums, outer = np.zeros((2, 5), np.float32), np.zeros(3, np.float32)
    had, p = np.array([1], np.int32), np.array([2.0, -1.0], np.float32)
    rows = np.array([[9, 9], [1, 0.5]], np.float32)
    tell(p, had, np.ones(1, np.float32), rows, sums, outer, MODEL.hyper())
    # p.q = 2 - .5 = 1.5
    assert sums.tolist() == [[0, 0, 0, 0, 0], [2, -1, 1, 3, -1.5]]


@pytest.mark.parametrize("weight", [1.0, 0.37, 30.0])
def test_rows_are_read_out_of_sums_whatever_weight_they_carry(weight: float) -> None:
    table, people = network()
    sums, outer = sums_of(table, people)
    rows = np.zeros((ITEMS, K))
    share = weight / USERS
    read_out(
        (sums * share).astype(np.float32),
        (outer * share).astype(np.float32),
        weight,
        USERS,
        0.2,
        0.4,
        0.0,
        True,
        rows,
    )
    assert rows == pytest.approx(plain_read_out(table, people, 0.2, 0.4), abs=1e-5)
    assert mean_items_per_person(sums, K, USERS) == pytest.approx(len(table) / USERS)


@pytest.mark.parametrize("weight", [1.0, 30.0])
def test_the_secant_adds_how_people_differ_along_the_present_row(weight: float) -> None:
    table, people = network()
    rows = 0.3 * np.random.default_rng(1).normal(size=(ITEMS, K))
    before, expected = rows.copy(), np.zeros((ITEMS, K))
    for j in range(ITEMS):
        those, q = people[table.user[table.item == j]].astype(float), rows[j]
        b, n = those.sum(axis=0), len(those)
        d = those.T @ (those @ q) - b * (b @ q) / n
        assert d @ q > 0
        left = 0.2 * people.T @ people + np.outer(b, b) / n + np.outer(d, d) / (d @ q)
        expected[j] = np.linalg.solve(left + 0.4 * np.sqrt(n + 0.2 * USERS) * np.eye(K), b)
    sums, outer = sums_of(table, people, rows)
    share = np.float32(weight / USERS)
    read_out(sums * share, outer * share, weight, USERS, 0.2, 0.4, 0.0, True, rows)
    assert rows == pytest.approx(0.5 * (before + expected), abs=1e-5)


def test_rows_that_were_never_read_out_say_nothing_about_people() -> None:
    table, people = network()
    sums, outer = sums_of(table, people, np.random.default_rng(1).normal(size=(ITEMS, K)))
    rows = np.random.default_rng(2).normal(size=(ITEMS, K))
    read_out(sums, outer, float(USERS), float(USERS), 0.2, 0.4, 0.0, False, rows)
    assert rows == pytest.approx(plain_read_out(table, people, 0.2, 0.4), abs=1e-5)


def test_with_the_secant_rows_come_to_those_of_exact_least_squares() -> None:
    table, people = network()
    back, entries = table.by_item()
    exact = np.zeros((ITEMS, K))
    solve_side(0, ITEMS, back, table.user[entries], people, gram(people), 0.2, 0.4, exact)
    rows, plain = np.zeros((ITEMS, K)), np.zeros((ITEMS, K))
    for _ in range(60):
        sums, outer = sums_of(table, people, rows)
        read_out(sums, outer, float(USERS), float(USERS), 0.2, 0.4, 0.0, True, rows)
    read_out(*sums_of(table, people), float(USERS), float(USERS), 0.2, 0.4, 0.0, True, plain)
    assert rows == pytest.approx(exact, abs=1e-4)
    assert np.abs(plain - exact).max() > 0.02


def test_rows_that_others_did_not_tell_of_never_blow_up() -> None:
    """Who missed a read-out has other rows than those that D is about: people differ by no more than they can."""
    table, people = network()
    told = np.random.default_rng(1).normal(size=(ITEMS, K))
    sums, outer = sums_of(table, people, told)
    plain = plain_read_out(table, people, 0.2, 0.4)
    for seed in range(20):
        rows = 1e-3 * np.random.default_rng(seed).normal(size=(ITEMS, K))
        read_out(sums, outer, float(USERS), float(USERS), 0.2, 0.4, 0.0, True, rows)
        assert (np.linalg.norm(rows, axis=1) <= 2 * np.linalg.norm(plain, axis=1)).all()
        assert (np.linalg.norm(rows, axis=1) > 0.1 * np.linalg.norm(plain, axis=1)).all()


def test_exact_where_those_who_have_an_item_are_alike() -> None:
    table, people = network()
    people[:] = people[0]
    sums, outer = sums_of(table, people)
    rows, exact = np.zeros((ITEMS, K)), np.zeros((ITEMS, K))
    read_out(sums, outer, float(USERS), float(USERS), 0.2, 0.4, 0.0, True, rows)
    start, entries = table.by_item()
    solve_side(0, ITEMS, start, table.user[entries], people, gram(people), 0.2, 0.4, exact)
    assert rows == pytest.approx(exact, abs=1e-5)


def test_of_few_people_what_noise_left_of_masks_would_drown_is_not_trusted() -> None:
    table, people = network()
    sums, outer = sums_of(table, people)
    clear, noisy = np.zeros((ITEMS, K)), np.zeros((ITEMS, K))
    read_out(sums, outer, float(USERS), float(USERS), 0.2, 0.4, 0.0, True, clear)
    read_out(sums, outer, float(USERS), float(USERS), 0.2, 0.4, 1e-4, True, noisy)
    assert noisy == pytest.approx(clear, rel=1e-3)
    read_out(sums, outer, float(USERS), float(USERS), 0.2, 0.4, 100.0, True, noisy)
    assert np.abs(noisy).max() < 0.01 * np.abs(clear).max()


def test_an_item_nobody_has_gets_no_row() -> None:
    table, people = network()
    bare = table.take(table.item != 5)
    rows = np.ones((ITEMS, K))
    sums, outer = sums_of(bare, people)
    read_out(sums, outer, float(USERS), float(USERS), 0.2, 0.4, 0.0, True, rows)
    assert rows[5].tolist() == [0, 0, 0]
    assert (rows[:5] != 0).any(axis=1).all()


def test_a_device_solves_its_own_vector_and_ranks_its_own_items_high() -> None:
    rng = np.random.default_rng(3)
    model = ImplicitLeastSquares(k=4, w0=0.1, reg=0.1)
    rows, private = rng.normal(size=(20, 4)).astype(np.float32), np.zeros(4, np.float32)
    own = np.array([2, 7], np.int32)
    none = np.zeros(0, np.float32)
    learn(
        NodeArrays(rows, np.zeros(20, np.int32), none, private, None),
        Ratings(own, np.ones(2, np.float32)),
        (0, 0, 0),
        model.hyper(),
    )
    scores = np.array([score(rows, none, private, i, model.hyper()) for i in range(20)])
    assert set(np.argsort(-scores)[:2]) == {2, 7}


def test_numbers_that_are_set_win_over_the_rule() -> None:
    set_one = ImplicitLeastSquares(w0=0.7).hyper()
    rule = weights(40.0, 2000, ImplicitLeastSquares().hyper())
    assert weights(40.0, 2000, set_one) == (0.7, rule[1])
    assert weights(-1.0, 2000, set_one)[1] > 0
