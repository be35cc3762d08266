"""The class is used as `implicit`'s models are: by hand, and by implicit's own evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from tacit.core.errors import BadInput
from tacit.interop.implicit_like import Recommender, _best

USERS, ITEMS = 30, 25


def matrix() -> Any:
    """Two groups of users with a taste each; user 7 and item 3 have nothing."""
    users, items = np.meshgrid(np.arange(USERS), np.arange(ITEMS), indexing="ij")
    chance = (users * users * 3 + items * items * 5 + users * items) % 11 > 3
    there = ((users + items) % 2 == 0) & chance & (users != 7) & (items != 3)
    return sp.csr_matrix(there.astype(np.float64))


@pytest.fixture(scope="module")
def fitted() -> Recommender:
    model = Recommender("baseline/ials", {"baseline.k": 4}, seed=1)
    model.fit(matrix(), show_progress=False)
    return model


def test_one_user_and_several(fitted: Recommender) -> None:
    liked = matrix()
    ids, scores = fitted.recommend(0, liked[0], N=4)
    assert ids.shape == scores.shape == (4,)
    assert list(scores) == sorted(scores, reverse=True)
    assert not set(ids) & set(liked[0].indices), "what a user has is not recommended"
    assert all(i % 2 == 0 for i in ids), "the taste of the user's group"
    many, many_scores = fitted.recommend(np.array([0, 5]), liked[[0, 5]], N=4)
    assert many.shape == (2, 4)
    assert np.array_equal(many[0], ids)
    assert np.array_equal(many_scores[0], scores)
    assert np.array_equal(fitted.recommend(0, N=4)[0], ids), "without user_items: what it was fitted with"


def test_filters(fitted: Recommender) -> None:
    liked = matrix()
    everything, _ = fitted.recommend(0, liked[0], N=ITEMS, filter_already_liked_items=False)
    assert set(everything) == set(range(ITEMS)) - {3} | {-1}, "item 3 is in nobody's row"
    first = fitted.recommend(0, liked[0], N=1)[0][0]
    assert fitted.recommend(0, liked[0], N=1, filter_items=[first])[0][0] != first
    ids, scores = fitted.recommend(0, liked[0], N=5, items=[int(first), 3])
    assert ids.tolist() == [first, -1, -1, -1, -1]
    assert np.isneginf(scores[1:]).all()
    assert fitted.recommend(7, liked[7], N=2)[0].tolist() == [-1, -1], "an empty row has no model"


def test_no_column_is_better_off_where_scores_are_equal() -> None:
    first = {int(_best(np.zeros(50), 3, None, 0, user)[0][0]) for user in range(40)}
    assert len(first) > 15
    few = _best(np.zeros(50), 3, [7, 9], 0, 1)[0].tolist()
    assert sorted(few) == [-1, 7, 9]
    assert few[-1] == -1


def test_similar_items(fitted: Recommender) -> None:
    ids, scores = fitted.similar_items(4, N=6)
    assert ids[0] == 4
    assert scores[0] == pytest.approx(1)
    assert all(i % 2 == 0 for i in ids)
    assert fitted.similar_items(3, N=2)[0].tolist() == [-1, -1]


def test_similar_items_of_neighbours() -> None:
    model = Recommender("baseline/item-knn", {"baseline.k": 3})
    model.fit(matrix())
    ids, scores = model.similar_items(4, N=6)
    assert ids[0] == 4
    assert scores[0] == pytest.approx(1)
    assert (ids >= 0).tolist() == [True] * 4 + [False] * 2, "as many as it found, and itself"
    columns = matrix().toarray()[:, [4, *ids[1:4]]]
    cosine = columns.T @ columns[:, 0] / np.sqrt((columns**2).sum(axis=0) * (columns[:, 0] ** 2).sum())
    assert scores[1:4] == pytest.approx(cosine[1:])
    assert model.similar_items(3, N=2)[0].tolist() == [-1, -1]
    other = Recommender("baseline/user-knn")
    other.fit(matrix())
    with pytest.raises(BadInput, match="item factors: got none in user-knn"):
        other.similar_items(4)


def test_where_every_node_has_its_own_rows() -> None:
    model = Recommender("hegedus/gossip-merge", {"rounds": 2, "hours": None})
    model.fit(matrix())
    assert model.recommend(2, matrix()[2], N=3)[0].shape == (3,)
    assert model.similar_items(4, N=3, userid=2)[0][0] == 4
    with pytest.raises(BadInput, match="item factors: got no user; allowed: user=ID"):
        model.similar_items(4)


def test_the_same_seed_gives_the_same_model(fitted: Recommender) -> None:
    again = Recommender("baseline/ials", {"baseline.k": 4}, seed=1)
    again.fit(matrix())
    assert np.array_equal(again.item_factors(), fitted.item_factors())
    assert repr(again) == "<Recommender baseline/ials, fitted to 30 x 25>"


def test_mistakes(fitted: Recommender) -> None:
    for ask in (lambda: Recommender().recommend(1), lambda: Recommender().similar_items(1)):
        with pytest.raises(BadInput, match=r"^the model is not fitted: call fit.user_items. first$"):
            ask()
    with pytest.raises(BadInput, match="not fitted"):
        Recommender("baseline/ials").item_factors()
    with pytest.raises(BadInput, match="user_items: got list; allowed: a SciPy sparse matrix"):
        Recommender("baseline/ials").fit([[1]])  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="userid: got 30; allowed: numbers of rows, 0 to 29"):
        fitted.recommend(30)
    with pytest.raises(
        BadInput, match="user_items: got 30 x 25; allowed: one row per user asked for, 1 x 25"
    ):
        fitted.recommend(0, matrix())
    with pytest.raises(BadInput, match="itemid: got 25"):
        fitted.similar_items(25)


@pytest.mark.filterwarnings("ignore:OpenBLAS")  # of implicit's own ALS
def test_implicits_own_evaluation_takes_it(fitted: Recommender) -> None:
    """What `implicit` computes from our lists is what they give by hand; its own ALS is measured the same way."""
    evaluation = pytest.importorskip(
        "implicit.evaluation", reason="implicit is not installed (extra oracles)"
    )
    als = pytest.importorskip("implicit.als")
    train, test = matrix().tolil(), sp.lil_matrix((USERS, ITEMS))
    for user in range(USERS):
        for item in train.rows[user][:2]:
            test[user, item], train[user, item] = 1, 0
    train, test = train.tocsr(), test.tocsr()
    model = Recommender("baseline/ials", {"baseline.k": 4}, seed=1)
    model.fit(train)
    found = evaluation.ranking_metrics_at_k(model, train, test, K=5, show_progress=False, num_threads=1)
    hits, most = 0, 0
    for user in range(USERS):
        if test[user].nnz:
            hits += len(set(model.recommend(user, train[user], N=5)[0]) & set(test[user].indices))
            most += min(5, test[user].nnz)
    assert found["precision"] == pytest.approx(hits / most)
    chance = Recommender("baseline/random")
    chance.fit(train)
    by_chance = evaluation.ranking_metrics_at_k(chance, train, test, K=5, show_progress=False, num_threads=1)
    assert found["precision"] > by_chance["precision"]
    theirs = als.AlternatingLeastSquares(factors=4, iterations=16, random_state=1, num_threads=1)
    theirs.fit(train, show_progress=False)
    other = evaluation.ranking_metrics_at_k(theirs, train, test, K=5, show_progress=False, num_threads=1)
    assert abs(other["precision"] - found["precision"]) < 0.25
