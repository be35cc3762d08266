"""Central implicit ALS: against a plain computation, and against the library `implicit` where that is installed."""

import numpy as np
import pytest

from tacit.baselines.ials import FactorScorer, ImplicitLeastSquares
from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.rng import Stream, normals


def blocks_of_taste(users: int = 60, items: int = 40) -> tuple[Interactions, np.ndarray]:
    """Two groups of people, two of items; people have some of their own group's and a few others."""
    rng = np.random.default_rng(5)
    near = (np.arange(users)[:, None] % 2) == (np.arange(items)[None, :] % 2)
    return Interactions.from_pairs(
        *np.nonzero(rng.random((users, items)) < np.where(near, 0.4, 0.05)), users=users, items=items
    ), near


def plain(table: Interactions, k: int, w0: float, reg: float, sweeps: int) -> np.ndarray:
    dense = np.zeros((table.users, table.items))
    dense[table.user, table.item] = 1
    rows = 0.1 * normals(0, Stream.INIT_ROWS, 0, table.items, k)

    def side(had: np.ndarray, other: np.ndarray) -> np.ndarray:
        out = []
        for one in had:
            weight = w0 + one
            ridge = reg * np.sqrt(one.sum() + w0 * len(other)) * np.eye(k)
            out.append(np.linalg.solve((other.T * weight) @ other + ridge, other.T @ one))
        return np.array(out)

    for _ in range(sweeps):
        people = side(dense, rows)
        rows = side(dense.T, people)
    return side(dense, rows) @ rows.T


@pytest.mark.parametrize("threads", [1, 3])
def test_scores_are_those_of_a_plain_computation(threads: int) -> None:
    table, _ = blocks_of_taste()
    found = ImplicitLeastSquares(k=4, w0=0.1, reg=0.3, sweeps=3).fit(table, 0, Workers(threads))
    out = np.empty((table.users, table.items))
    found.block(0, table.users, out)
    assert out == pytest.approx(plain(table, 4, 0.1, 0.3, 3), abs=1e-9)


def test_it_finds_the_groups() -> None:
    table, near = blocks_of_taste()
    found = ImplicitLeastSquares(k=4).fit(table, 0, Workers(1))
    out = np.empty((table.users, table.items))
    found.block(0, table.users, out)
    out[table.user, table.item] = np.nan
    assert np.nanmean(out[near]) > np.nanmean(out[~near]) + 0.1


@pytest.mark.filterwarnings("ignore:OpenBLAS")
def test_it_orders_training_pairs_as_well_as_the_library_implicit() -> None:
    als = pytest.importorskip("implicit.als", reason="the library implicit is not installed")
    from scipy import sparse

    table, _ = blocks_of_taste()
    w0, k, ridge = 0.1, 4, 2.0
    matrix = sparse.csr_matrix((np.ones(len(table)), (table.user, table.item)), (table.users, table.items))
    # Its loss: confidence 1 + alpha, target 1 for what one has; confidence 1, target 0 else; the same ridge for all.
    alpha = 1 / w0
    theirs = als.AlternatingLeastSquares(
        factors=k,
        regularization=ridge,
        alpha=1 + alpha,
        iterations=40,
        use_cg=False,
        random_state=0,
        num_threads=1,
    )
    theirs.fit(matrix, show_progress=False)
    ours = ImplicitLeastSquares(k=k, w0=w0, reg=0.3, sweeps=40).fit(table, 0, Workers(1))
    assert isinstance(ours, FactorScorer)
    dense = matrix.toarray()

    def ranks_own_above_others(scores: np.ndarray) -> float:
        return float(
            np.mean(
                [(s[d == 1][:, None] > s[d == 0][None, :]).mean() for s, d in zip(scores, dense, strict=True)]
            )
        )

    got = ranks_own_above_others(ours.factors @ ours.rows.T)
    assert got > ranks_own_above_others(theirs.user_factors @ theirs.item_factors.T) - 0.01


def test_equal_rows_have_equal_scores_wherever_they_stand() -> None:
    """Otherwise a tie would be decided by an item's place in the catalogue."""
    rng = np.random.default_rng(3)
    rows = np.tile(rng.normal(size=30), (1007, 1))
    ours = FactorScorer(rng.normal(size=(40, 30)), rows, Workers(2))
    together, alone = np.empty((40, 1007)), np.empty((1, 1007))
    ours.block(0, 40, together)
    ours.block(7, 8, alone)
    assert (together == together[:, :1]).all()
    assert (alone == together[7]).all()
    assert together[:, 0] == pytest.approx(ours.factors @ rows[0])
