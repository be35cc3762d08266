"""Each baseline against a plain computation on a small table."""

from importlib.util import find_spec

import numpy as np
import pytest

import tacit
from tacit.baselines.item_knn import ItemNeighbours
from tacit.baselines.nearest_neighbours import Vectors, nearest
from tacit.baselines.popular import Popular
from tacit.baselines.random import Random
from tacit.baselines.user_knn import UserNeighbours
from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.rng import Stream, philox
from tacit.core.scorer import Scorer, Scores
from tacit.experiment.prepare import prepare

DENSE = np.array([[1, 1, 0, 0, 1], [1, 1, 1, 0, 0], [0, 1, 1, 0, 0], [0, 0, 0, 1, 1]], float)
TABLE = Interactions.from_pairs(*np.nonzero(DENSE), users=4, items=5)
RATINGS = DENSE * np.array([[5, 1, 0, 0, 3], [4, 2, 2, 0, 0], [0, 5, 1, 0, 0], [0, 0, 0, 2, 4]])
RATED = Interactions.from_pairs(*np.nonzero(DENSE), RATINGS[np.nonzero(DENSE)], users=4, items=5)
SMALL = {"data.users": 60, "data.items": 80, "data.interactions": 1500, "data.min_user": 0}


def scores(scorer: Scorer) -> Scores:
    out = np.full((4, 5), np.nan)
    scorer.block(0, 2, out[:2])
    scorer.block(2, 4, out[2:])
    return out


def cosine(rows: np.ndarray, k: int, seed: int = 0) -> np.ndarray:
    """Likeness of each row to its k nearest others, 0 to the rest; ties by random keys."""
    length = np.sqrt((rows**2).sum(axis=1))
    like = rows @ rows.T / np.outer(length, length)
    np.fill_diagonal(like, 0)
    kept = np.zeros_like(like)
    for a, row in enumerate(like):
        best = sorted(
            range(len(row)), key=lambda b: (-row[b], -int(philox(seed, Stream.NEIGHBOURS, a, 0, b)[0]))
        )[:k]
        kept[a, best] = row[best]
    return kept


@pytest.mark.parametrize("k", [1, 2, 10])
def test_user_neighbours(k: int) -> None:
    assert scores(UserNeighbours(k).fit(TABLE, 0, Workers(2))) == pytest.approx(cosine(DENSE, k) @ DENSE)


@pytest.mark.parametrize("k", [1, 2, 10])
def test_item_neighbours(k: int) -> None:
    assert scores(ItemNeighbours(k).fit(TABLE, 0, Workers(2))) == pytest.approx(DENSE @ cosine(DENSE.T, k).T)


@pytest.mark.parametrize("k", [1, 2, 10])
def test_neighbours_of_what_the_user_has(k: int) -> None:
    fitted = ItemNeighbours(k, neighbours="owned").fit(TABLE, 0, Workers(2))
    assert scores(fitted) == pytest.approx(DENSE @ cosine(DENSE.T, k))


@pytest.mark.parametrize("k", [1, 2, 10])
def test_cosines_of_ratings(k: int) -> None:
    users = UserNeighbours(k, "ratings").fit(RATED, 0, Workers(2))
    assert scores(users) == pytest.approx(cosine(RATINGS, k) @ RATINGS)
    items = ItemNeighbours(k, "ratings").fit(RATED, 0, Workers(2))
    assert scores(items) == pytest.approx(RATINGS @ cosine(RATINGS.T, k).T)
    owned = ItemNeighbours(k, "ratings", "owned").fit(RATED, 0, Workers(2))
    assert scores(owned) == pytest.approx(RATINGS @ cosine(RATINGS.T, k))


def test_equally_near_neighbours_are_chosen_whatever_their_number() -> None:
    """Item 0 is as near to each of ten others, of which one can be its neighbour."""
    people = Vectors(np.array([0, 11]), np.arange(11, dtype=np.int32), np.ones(11, np.float32))
    items = Vectors(np.arange(12), np.zeros(11, np.int32), np.ones(11, np.float32))
    chosen = [int(nearest(items, people, 1, seed, Workers(1))[0][0, 0]) for seed in range(1000)]
    counts = np.bincount(chosen, minlength=11)[1:]
    assert ((counts - 100) ** 2 / 100).sum() < 27.9, "chi squared with 9 degrees of freedom, p 0.001"


def test_popular_counts_users() -> None:
    assert scores(Popular().fit(TABLE, 0, Workers(1))).tolist() == [[2, 3, 2, 1, 2]] * 4


def test_random_is_everyone_their_own_and_repeats_with_the_seed() -> None:
    first, again = (scores(Random().fit(TABLE, 3, Workers(n))) for n in (1, 2))
    assert np.array_equal(first, again)
    assert len(np.unique(first)) == 20
    assert not np.array_equal(first, scores(Random().fit(TABLE, 4, Workers(1))))


@pytest.mark.parametrize("name", ["random", "popular", "user-knn", "item-knn", "bpr-mf", "fcf"])
def test_through_the_same_command_split_and_metrics(name: str) -> None:
    result = tacit.run(f"baseline/{name}", "synthetic", settings={**SMALL, "epochs": 4}, progress=False)
    assert 0 <= result.metrics["precision@10"] <= 1
    assert result.metrics["item_coverage@10"] >= 10
    assert result.split["kind"] == "temporal"
    sampled = {**SMALL, "epochs": 2, "evaluate": "sampled"}
    assert "hr@10" in tacit.run(f"baseline/{name}", "synthetic", settings=sampled, progress=False).metrics


def test_ratings_are_refused_in_one_line() -> None:
    with pytest.raises(
        BadInput, match=r"^evaluate: got rating; allowed: full or sampled with baseline popular"
    ):
        prepare("baseline/popular", "synthetic", {**SMALL, "evaluate": "rating"})


@pytest.mark.skipif(find_spec("torch") is not None, reason="torch is installed")
def test_a_missing_extra_names_the_command_that_installs_it() -> None:
    with pytest.raises(
        BadInput,
        match=r"^baseline: got vae without torch; allowed: after pip install '\.\[neural\]' in a checkout of tacit$",
    ):
        prepare("baseline/vae", "synthetic", SMALL)


@pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed: pip install '.[neural]'")
def test_vae_learns() -> None:
    settings = {**SMALL, "baseline.hidden": 20, "baseline.latent": 8, "baseline.epochs": 60}
    result = tacit.run("baseline/vae", "synthetic", settings=settings, progress=False)
    chance = tacit.run("baseline/random", "synthetic", settings=SMALL, progress=False)
    assert result.metrics["precision@10"] > chance.metrics["precision@10"]
