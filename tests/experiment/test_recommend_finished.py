from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.experiment import recommend as revisiting
from tacit.experiment.prepare import prepare
from tacit.experiment.recommend import node_state, position_of, recommend, recommend_from
from tests.experiment.running import run, run_to_end


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
    images = replace(revisiting.reopen(tmp_path), images=cast(Any, "some"))
    monkeypatch.setattr(revisiting, "reopen", lambda folder, progress: images)
    with pytest.raises(BadInput, match="run: got one on images"):
        recommend_from(tmp_path, "1")


def test_an_unknown_user_is_told_near_ids() -> None:
    ids = [str(n) for n in range(2000)] + ["margaret"]
    assert position_of("17", ids) == 17
    with pytest.raises(BadInput, match=r"user: got margret; allowed: one of 2,001 ids such as margaret$"):
        position_of("margret", ids)
    with pytest.raises(BadInput, match=r"such as 0, 1, 2, 3, 4$"):
        position_of("zzzzzz", ids)
