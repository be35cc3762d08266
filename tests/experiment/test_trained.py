"""What a run's models can be asked, in memory and from its folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.experiment.prepare import prepare
from tacit.experiment.recommend import recommend
from tacit.experiment.trained import Trained, fit, node_state, recommend_from, reopen
from tests.experiment.running import run, run_to_end

ROWS = [(u, i, 1 + (u * i) % 5) for u in range(12) for i in range(20) if (u * 3 + i * 7) % 4]
FRAME = pl.DataFrame(ROWS, schema=["user", "item", "rating"], orient="row")
SMALL = {"split": "random-n", "split.n": 3, "data.min_user": 0, "data.min_item": 0}


def both(recipe: str, folder: Path, **more: Any) -> tuple[Trained, Trained]:
    """The models of a run in memory, and those in its folder."""
    x = prepare(recipe, FRAME, {**SMALL, **more}, seed=1)
    ended = run_to_end(x, out=folder)
    return Trained(ended.experiment, ended.simulation), Trained(folder=folder)


EACH = [
    ("hegedus/gossip-merge", {"rounds": 3}),
    ("hegedus/federated-10", {"rounds": 3}),
    ("tacit/best", {"rounds": 3}),
    ("tacit/ratings", {"rounds": 3}),
    ("baseline/item-knn", {}),
    ("baseline/popular", {}),
]


@pytest.mark.parametrize(("recipe", "settings"), EACH)
def test_memory_and_folder_answer_alike(recipe: str, settings: dict[str, Any], tmp_path: Path) -> None:
    """Also for a run on a frame: its rows are in the folder."""
    alive, saved = both(recipe, tmp_path, **settings)
    assert alive.recommend(3, 4) == saved.recommend("3", 4)
    assert alive.lists(4).equals(saved.lists(4))
    assert np.array_equal(alive.score([0, 5], [1, 2]), saved.score([0, 5], [1, 2]))
    assert alive.parts().equals(saved.parts())
    assert alive.items.equals(saved.items)


@pytest.mark.parametrize(("recipe", "settings"), EACH)
def test_lists_are_the_highest_scores_of_what_is_new(
    recipe: str, settings: dict[str, Any], tmp_path: Path
) -> None:
    trained, _ = both(recipe, tmp_path, **settings)
    lists = trained.lists(5)
    assert lists.columns == ["user", "item", "rank", "score"]
    assert lists["user"].dtype == lists["item"].dtype == pl.Int64, "ids as they are in the data"
    train = trained.parts().filter(split="train")
    for user in (0, 7):
        mine = lists.filter(user=user)
        own = set(train.filter(user=user)["item"])
        every = [i for i in range(20) if i not in own]
        scores = trained.score(user, every)
        assert mine["rank"].to_list() == [1, 2, 3, 4, 5]
        assert not own & set(mine["item"])
        assert np.allclose(mine["score"].to_numpy(), np.sort(scores)[::-1][:5])
        assert np.allclose(trained.score(user, mine["item"].to_numpy()), mine["score"].to_numpy())


def test_the_lists_give_the_metrics_of_the_run(tmp_path: Path) -> None:
    x = prepare("baseline/item-knn", FRAME, {**SMALL, "split": "random-n", "evaluate.k": 4}, seed=1)
    ended = run_to_end(x)
    trained = Trained(ended.experiment, ended.simulation)
    test = trained.parts().filter(split="test")
    hits = trained.lists(4).join(test, on=["user", "item"], how="semi").group_by("user").len()
    assert ended.result.metrics["hr@4"] == pytest.approx(len(hits) / test["user"].n_unique())


def test_scores_take_one_id_or_several(tmp_path: Path) -> None:
    trained, _ = both("hegedus/federated", tmp_path, rounds=2)
    pairs = trained.score([4, 2, 4], [0, 1, 2])
    assert pairs.shape == (3,)
    assert trained.score(4, 2) == pairs[2]
    assert np.array_equal(trained.score(4, [0, 2]), pairs[[0, 2]])
    assert np.array_equal(trained.score(pl.Series([2]), np.array(["1"])), pairs[[1]])
    with pytest.raises(BadInput, match=r"item: got 99; allowed: one of 20 ids such as 9"):
        trained.score(4, [0, 99])
    with pytest.raises(BadInput, match="score: got 2 users and 3 items; allowed: as many of each"):
        trained.score([1, 2], [0, 1, 2])
    for users, items in (([1, 2], [3]), ([1], [2, 3]), ([[1], [2]], [2, 3])):
        with pytest.raises(BadInput, match="as many of each in one list, or a single id without a list"):
            trained.score(users, items)
    with pytest.raises(BadInput, match="user: got 77"):
        trained.score([77], 0)


def test_factors_of_a_shared_model_and_of_own_ones(tmp_path: Path) -> None:
    server, again = both("hegedus/federated", tmp_path / "server", rounds=2, **{"model.k": 3})
    assert server.item_factors().shape == (20, 4)
    assert np.array_equal(server.item_factors(), again.item_factors())
    assert np.array_equal(server.item_factors(), server.item_factors(user=3))
    peers, saved = both("hegedus/gossip", tmp_path / "peers", rounds=3)
    own = peers.item_factors(user=3)
    assert np.array_equal(own, saved.item_factors(user="3"))
    assert not np.array_equal(own, peers.item_factors(user=4))
    for models in (peers, saved):
        with pytest.raises(
            BadInput, match=r"no user; allowed: user=ID: each of 12 nodes has rows of its own"
        ):
            models.item_factors()
    own[:] = 7
    assert not np.array_equal(own, peers.item_factors(user=3)), "a copy: nobody's model changes"


def test_a_baseline_without_rows_says_so(tmp_path: Path) -> None:
    knn, _ = both("baseline/item-knn", tmp_path / "knn")
    with pytest.raises(BadInput, match="item factors: got none in item-knn"):
        knn.item_factors()
    ials, _ = both("baseline/ials", tmp_path / "ials", **{"baseline.k": 3})
    assert ials.item_factors().shape == (20, 3)


def test_fit_learns_from_everything() -> None:
    trained = fit("hegedus/federated", FRAME, {"rounds": 2, "hours": None}, seed=1)
    assert len(trained.experiment.split.train) == len(FRAME)
    assert set(trained.parts()["split"]) == {"train"}
    assert not trained.lists(20).join(FRAME, on=["user", "item"], how="semi").height
    two_each = FRAME.filter(pl.col("item") < 4)
    assert fit("hegedus/federated", two_each, {"rounds": 2}).lists(1).height <= 12, "too little to hold out"


def test_numbers_that_make_no_sense(tmp_path: Path) -> None:
    trained, _ = both("baseline/popular", tmp_path)
    with pytest.raises(BadInput, match="k: got 0"):
        trained.lists(0)
    with pytest.raises(BadInput, match="-n: got 0"):
        trained.recommend(1, 0)
    assert trained.lists(1000)["rank"].max() <= 20


def test_a_run_on_a_frame_without_its_rows(tmp_path: Path) -> None:
    _, saved = both("baseline/popular", tmp_path)
    (tmp_path / "data.parquet").unlink()
    with pytest.raises(BadInput, match="a run on a frame, without its rows"):
        saved.recommend(1)


def test_filters_are_applied_to_the_saved_rows_once(tmp_path: Path) -> None:
    """One pass of `min_user` and `min_item` on what it left would leave less."""
    alive, saved = both("baseline/popular", tmp_path, **{"data.min_user": 15, "data.min_item": 9})
    assert saved.experiment.dataset.counts() == alive.experiment.dataset.counts()


def test_another_split_file_than_then_is_refused(tmp_path: Path) -> None:
    held = tmp_path / "held.csv"
    held.write_text("user,item\n0,1\n1,1\n")
    settings = {"data.min_user": 0, "split": "given", "split.file": str(held)}
    run_to_end(prepare("baseline/popular", FRAME, settings), out=tmp_path / "run")
    saved = Trained(folder=tmp_path / "run")
    assert saved.lists(1).height
    held.write_text("user,item\n0,1\n2,2\n")
    with pytest.raises(BadInput, match=r"another split.file than then"):
        Trained(folder=tmp_path / "run").lists(1)


@pytest.mark.parametrize("recipe", ["hegedus/federated", "baseline/central-mf", "hegedus/gossip-merge"])
def test_the_folder_gives_what_the_run_would_have_given(
    tmp_path: Path, tiny: dict[str, Any], recipe: str
) -> None:
    ended = run_to_end(prepare(recipe, "synthetic", tiny, seed=3), out=tmp_path)
    x = ended.experiment
    for who in (0, 7, 29):
        alive, saved = ended.simulation.fleet.node(who), node_state(tmp_path, who)
        assert np.array_equal(alive.rows, saved.rows)
        assert np.array_equal(alive.private, saved.private)
        user = str(x.dataset.user_ids[who])
        expected = recommend(x.model, alive, x.split.train, who, x.dataset.items, 4, seed=x.seed)
        found = recommend_from(tmp_path, user, 4)
        assert found.items == expected
        assert found.user == user
        own = {str(x.dataset.item_ids[i]) for i in x.split.train.of(who)[0]}
        assert not own & {item.key for item in found.items}


def test_a_file_is_found_again_from_elsewhere_and_must_be_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [(u, i, 1 + (u * i) % 5) for u in range(6) for i in range(8)]
    frame = pl.DataFrame(rows, schema=["user", "item", "rating"], orient="row")
    (tmp_path / "here").mkdir()
    frame.write_csv(tmp_path / "here" / "mine.csv")
    monkeypatch.chdir(tmp_path / "here")
    run(prepare("hegedus/federated", "mine.csv", {"rounds": 2, "split.n": 2}), out=tmp_path / "run")
    monkeypatch.chdir(tmp_path)
    assert len(recommend_from(tmp_path / "run", "3").items) == 2  # the two that were held out
    frame.head(40).write_csv(tmp_path / "here" / "mine.csv")
    with pytest.raises(BadInput, match=r"another .*mine\.csv than then"):
        recommend_from(tmp_path / "run", "3")


def test_folders_that_cannot_be_used(tmp_path: Path, tiny: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="models: got none"):
        recommend_from(tmp_path, "1")
    with pytest.raises(
        BadInput, match=r"^folder: got .*nowhere, which does not exist; allowed: the --out of tacit run$"
    ):
        recommend_from(tmp_path / "nowhere", "1")
    run(prepare("hegedus/federated", "synthetic", tiny), out=tmp_path / "several" / "one")
    with pytest.raises(BadInput, match="a run that kept them, here: one"):
        recommend_from(tmp_path / "several", "1")
    (tmp_path / "several" / "one" / "state.npz").write_bytes(b"PK and nothing")
    with pytest.raises(BadInput, match="a damaged file"):
        recommend_from(tmp_path / "several" / "one", "1")


def test_images_are_nothing_to_recommend(
    tmp_path: Path, tiny: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(prepare("hegedus/federated", "synthetic", tiny), out=tmp_path)
    images = replace(reopen(tmp_path), images=cast(Any, "some"))
    monkeypatch.setattr("tacit.experiment.trained.reopen", lambda folder, progress: images)
    with pytest.raises(BadInput, match="run: got one on images"):
        recommend_from(tmp_path, "1")
