"""iALS, item-kNN and BPR against the library `implicit`, on small data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import tacit
from tacit.baselines.ials import FactorScorer
from tacit.baselines.item_knn import ItemNeighbours
from tacit.baselines.nearest_neighbours import Vectors, nearest
from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.math.als_solver import gram, solve_side
from tacit.core.rng import Stream, normals, uniforms
from tacit.experiment.prepare import prepare
from tacit.metrics.ndcg import ndcg
from tacit.metrics.top_k import hits_of, top_lists

als = pytest.importorskip("implicit.als", reason="implicit is not installed: pip install '.[oracles]'")
bpr = pytest.importorskip("implicit.bpr")
neighbours = pytest.importorskip("implicit.nearest_neighbours")
pytestmark = pytest.mark.filterwarnings("ignore:OpenBLAS", "ignore:Method expects CSR")
USERS, ITEMS = 40, 30


def small() -> Interactions:
    pairs = np.argwhere(uniforms(6, Stream.SYNTHETIC, 0, USERS, ITEMS) < 0.25)
    return Interactions.from_pairs(pairs[:, 0], pairs[:, 1], users=USERS, items=ITEMS)


def matrix(train: Interactions, value: float = 1.0) -> csr_matrix:
    values = np.full(len(train), value, np.float32)
    return csr_matrix((values, train.item, train.start), (train.users, train.items))


def test_a_users_factors_are_those_of_the_librarys_exact_solver() -> None:
    """The same equations, multiplied by w0: confidence 1 + 1/w0, ridge/w0, and (1 + w0) times our vector."""
    train, w0, reg, k = small(), 0.1, 0.3, 5
    rows = normals(1, Stream.INIT_ROWS, 0, ITEMS, k)
    ours = np.zeros((USERS, k))
    solve_side(0, USERS, train.start, train.item, rows, gram(rows), w0, reg, ours)
    for u in range(USERS):
        ridge = reg * np.sqrt(train.counts[u] + w0 * ITEMS)
        library = als.AlternatingLeastSquares(
            factors=k, regularization=ridge / w0, alpha=1.0, use_cg=False, num_threads=1, dtype=np.float64
        )
        library.item_factors = rows
        theirs = library.recalculate_user([u], matrix(train, 1 + 1 / w0)[[u]])[0]
        assert (1 + w0) * ours[u] == pytest.approx(theirs, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("k", [3, 10, ITEMS])
def test_neighbours_are_as_near_as_the_librarys(k: int) -> None:
    """Its K counts the item itself. Among equally near ones each picks by its own rule, so values are compared."""
    train = small()
    library = neighbours.CosineRecommender(K=k + 1, num_threads=1)
    library.fit(matrix(train), show_progress=False)
    start, entries = train.by_item()
    ones = np.ones(len(train), np.float32)
    _, similarity = nearest(
        Vectors(start, train.user[entries], ones), Vectors(train.start, train.item, ones), k, 0, Workers(1)
    )
    table = library.similarity.toarray()
    np.fill_diagonal(table, 0)
    theirs = -np.sort(-table, axis=1)[:, :k]
    assert similarity[:, : theirs.shape[1]] == pytest.approx(theirs, abs=1e-6)


def test_scores_of_owned_items_neighbours_are_the_librarys() -> None:
    train = small()
    library = neighbours.CosineRecommender(K=ITEMS + 1, num_threads=1)
    library.fit(matrix(train), show_progress=False)
    scorer = ItemNeighbours(ITEMS, neighbours="owned").fit(train, 0, Workers(1))
    ours = np.zeros((USERS, ITEMS))
    scorer.block(0, USERS, ours)
    table = library.similarity.toarray()
    np.fill_diagonal(table, 0)
    assert ours == pytest.approx(matrix(train).toarray() @ table, abs=1e-5)


def test_bpr_with_the_librarys_negatives_start_and_regularization_ranks_as_well() -> None:
    """Both learn by chance, so figures are near and not equal.

    The library passes over a triple whose negative the user has, where we draw another: so it learns from fewer.
    """
    passes, k, rate, reg = 30, 8, 0.05, 0.01
    settings: dict[str, Any] = {
        "data.users": 300, "data.items": 200, "data.interactions": 9000, "data.seed": 3, "data.min_user": 0,
        "split": "random-share", "split.share": 0.2, "model.k": k, "model.lr": rate, "negatives.popular": 1.0,
        "model.spread": 0.5 / k / np.sqrt(3), "evaluate.points": 1,
        **{f"model.reg_{part}": reg for part in ("u", "pos", "neg", "bias")},
    }  # fmt: skip
    x = prepare("baseline/bpr-mf", "synthetic", settings, 0)
    train, held = x.split.train, x.held_out
    popularity = np.bincount(train.item, minlength=train.items) / len(train)
    known = sum(popularity[train.of(u)[0]].sum() * train.counts[u] for u in range(train.users)) / len(train)
    settings["epochs"] = round(passes * (1 - known))
    ours = tacit.run("baseline/bpr-mf", "synthetic", settings=settings, progress=False).metrics["ndcg@10"]
    theirs = []
    for start in range(3):
        library = bpr.BayesianPersonalizedRanking(
            factors=k,
            learning_rate=rate,
            regularization=reg,
            iterations=passes,
            random_state=start,
            num_threads=1,
        )
        library.fit(matrix(train), show_progress=False)
        factors = (library.user_factors.astype(float), library.item_factors.astype(float))
        scorer = FactorScorer(*factors, Workers(1))
        lists = top_lists(scorer, train, held.counts > 0, 10, seed=0, workers=Workers(1)).lists
        theirs.append(float(np.nanmean(ndcg(hits_of(lists, held.start, held.item), held.counts))))
    assert ours == pytest.approx(np.mean(theirs), rel=0.1)
