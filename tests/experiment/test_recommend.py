from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import polars as pl
import pytest

import tacit
from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput, Interrupted
from tacit.core.interactions import Interactions
from tacit.core.node_state import NodeState
from tacit.experiment.prepare import prepare
from tacit.experiment.recipes import recipes
from tacit.experiment.recommend import (
    favourites,
    node_state,
    position_of,
    recommend,
    recommend_from,
    reopen,
    titles,
)
from tacit.models.mf import MatrixFactorization
from tacit.simulator.scoring import scorer_of
from tests.experiment.running import run, run_to_end

ITEMS = pl.DataFrame(
    {
        "item": ["a", "b", "c", "d", "e"],
        "title": ["Alpha", "Beta (1990)", None, "Delta", "Epsilon"],
        "year": ["1980", "1990", "2000", None, None],
    }
)
TRAIN = Interactions.from_pairs([0, 0, 1], [0, 3, 1], [5, 1, 3], users=2, items=5)


def state() -> NodeState:
    """k = 1, user factor 1, biases 0: an item's score is its factor."""
    rows = np.array([[0.9, 0], [0.2, 0], [0.5, 0], [0.1, 0], [0.8, 0]], np.float32)
    ages = np.array([1, 1, 1, 1, 0], np.int32)
    return NodeState(rows, ages, np.zeros(0, np.float32), 1, np.array([1, 0], np.float32))


def test_the_best_items_that_are_new_to_the_user_and_known_to_the_node() -> None:
    found = recommend(MatrixFactorization(k=1), state(), TRAIN, 0, ITEMS)
    assert [s.key for s in found] == ["c", "b"], "a and d were rated, nobody ever updated e"
    assert found[0].score == pytest.approx(0.5)
    assert found[0].because[0] == "Alpha (1980)"


def test_as_many_as_asked_for() -> None:
    assert len(recommend(MatrixFactorization(k=1), state(), TRAIN, 0, ITEMS, n=1)) == 1
    with pytest.raises(BadInput, match="-n"):
        recommend(MatrixFactorization(k=1), state(), TRAIN, 0, ITEMS, n=0)


def test_titles_with_their_year_and_ids_without_title() -> None:
    assert titles(ITEMS) == ["Alpha (1980)", "Beta (1990)", "c (2000)", "Delta", "Epsilon"]


def test_favourites_are_the_highest_ratings() -> None:
    assert favourites(TRAIN, 0, ITEMS, n=1) == ["Alpha (1980)"]


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
        expected = recommend(x.model, alive, x.split.train, who, x.dataset.items, 4)
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
    monkeypatch.setattr("tacit.experiment.recommend.reopen", lambda folder, progress: images)
    with pytest.raises(BadInput, match="run: got one on images"):
        recommend_from(tmp_path, "1")


def test_an_unknown_user_is_told_near_ids() -> None:
    ids = [str(n) for n in range(2000)] + ["margaret"]
    assert position_of("17", ids) == 17
    with pytest.raises(BadInput, match=r"user: got margret; allowed: one of 2,001 ids such as margaret$"):
        position_of("margret", ids)
    with pytest.raises(BadInput, match=r"such as 0, 1, 2, 3, 4$"):
        position_of("zzzzzz", ids)


BASELINES = [name for name in recipes() if name.startswith("baseline/")]


@pytest.mark.parametrize("recipe", [name for name in BASELINES if name != "baseline/vae"])
def test_every_baseline_recommends_what_it_was_measured_by(
    tmp_path: Path, tiny: dict[str, Any], recipe: str
) -> None:
    ended = run_to_end(prepare(recipe, "synthetic", {**tiny, "evaluate": "full"}, seed=3), out=tmp_path)
    x = ended.experiment
    user, who = str(x.dataset.user_ids[4]), 4
    found = recommend_from(tmp_path, user, 5)
    assert len(found.items) == 5
    scores = np.empty((1, x.dataset.table.items))
    scorer_of(x.model, ended.simulation, False, Workers(1)).block(who, who + 1, scores)
    by_key = dict(zip(x.dataset.item_ids.tolist(), scores[0], strict=True))
    own = {str(x.dataset.item_ids[i]) for i in x.split.train.of(who)[0]}
    best = sorted((score for key, score in by_key.items() if key not in own), reverse=True)[:5]
    assert [item.score for item in found.items] == pytest.approx(best, rel=1e-5)
    assert not own & {item.key for item in found.items}


def test_a_run_on_a_frame_keeps_its_rows_and_recommends(tmp_path: Path) -> None:
    rows = [(u, f"film {i}", 1 + (u * i) % 5) for u in range(6) for i in range(8)]
    frame = pl.DataFrame(rows, schema=["user", "item", "rating"], orient="row")
    more: dict[str, Any] = {"rounds": 2, "split.n": 2}
    run(prepare("hegedus/federated", frame, more), out=tmp_path / "run")
    (tmp_path / "run").rename(tmp_path / "moved")
    assert len(tacit.recommend(tmp_path / "moved", 3).items) == 2, "a number for a user will do"
    assert tacit.recommend(tmp_path / "moved", "3") == tacit.recommend(tmp_path / "moved", 3)
    run(prepare("hegedus/federated", frame, more), out=tmp_path / "without", keep=False)
    assert not (tmp_path / "without" / "data.parquet").exists(), "not needed where no models are kept"
    kept = tmp_path / "moved" / "data.parquet"
    frame.head(40).write_parquet(kept)
    with pytest.raises(BadInput, match=r"another data.parquet than then"):
        recommend_from(tmp_path / "moved", "3")
    kept.write_bytes(b"nothing")
    with pytest.raises(BadInput, match="a damaged file"):
        recommend_from(tmp_path / "moved", "3")
    kept.unlink()
    with pytest.raises(BadInput, match=r"a run on a frame, without data.parquet"):
        recommend_from(tmp_path / "moved", "3")


def test_models_of_a_half_done_run_are_not_taken_for_the_last_ones(
    tmp_path: Path, tiny: dict[str, Any]
) -> None:
    x = prepare("hegedus/federated", "synthetic", tiny)
    calls = iter(range(9))
    with pytest.raises(Interrupted):
        run(x, out=tmp_path, stop=lambda: next(calls) == 1)
    half = (tmp_path / "state.npz").read_bytes()
    run(x, out=tmp_path)
    (tmp_path / "state.npz").write_bytes(half)
    with pytest.raises(BadInput, match="models: got those of a half-done run"):
        recommend_from(tmp_path, "1")
