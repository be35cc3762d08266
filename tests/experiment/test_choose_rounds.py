"""`best=METRIC`: the number of rounds is chosen on a validation part, the test part is only measured at the end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tacit.core.errors import BadInput, Interrupted
from tacit.experiment.choose_rounds import best_point
from tacit.experiment.prepare import prepare
from tacit.experiment.result import Result
from tacit.experiment.sweep import Search, sweep
from tests.experiment.running import run

SMALL: dict[str, Any] = {
    "data.users": 60,
    "data.items": 80,
    "data.interactions": 2400,
    "data.seed": 1,
    "data.min_user": 0,
    "model.k": 4,
    "epochs": 6,
}
RECIPE = "federank/tx"


def made(more: dict[str, Any] | None = None, seed: int = 2, **keywords: Any) -> Result:
    return run(prepare(RECIPE, "synthetic", {**SMALL, **(more or {})}, seed), threads=1, **keywords)


def test_the_best_point_is_the_earliest_among_equals_and_knows_which_way_is_better() -> None:
    curve: list[dict[str, Any]] = [
        {"round": 1, "rmse": 0.9, "hr@10": 0.3},
        {"round": 2, "rmse": None, "hr@10": None},
        {"round": 3, "rmse": 0.8, "hr@10": 0.5},
        {"round": 4, "rmse": 0.8, "hr@10": 0.5},
        {"round": 5, "rmse": 1.1, "hr@10": 0.4},
    ]
    assert best_point(curve, "rmse") == (3, 0.8)
    assert best_point(curve, "hr@10") == (3, 0.5)
    with pytest.raises(BadInput, match="no round"):
        best_point([{"round": 1, "rmse": None}], "rmse")


def test_as_many_rounds_as_were_best_on_validation_then_everything_is_learned() -> None:
    tuned = made({"evaluate.on": "validation"})
    at, value = best_point(tuned.curve, "precision@10")
    chosen = made({"best": "precision@10"})
    assert (chosen.more["best"]["round"], chosen.more["best"]["validation"]) == (at, value)
    assert chosen.more["best"]["of"] == 6
    # The final run is exactly a run of that many epochs on the whole training part.
    plain = made({"epochs": at})
    assert chosen.metrics == plain.metrics
    assert chosen.split == plain.split
    assert chosen.curve[-1]["round"] == at
    assert any(f"{at} of 6" in note for note in chosen.notes)


def test_the_test_part_has_no_say() -> None:
    """Two data sets that differ only in who has which held-out item choose alike."""
    early = [(u, (u * 7 + n * n) % 97, n) for u in range(40) for n in range(16)]
    chosen, ended = [], []
    for shift in (0, 13):
        late = [(u, 100 + ((u + shift) % 40) * 4 + n, 16 + n) for u in range(40) for n in range(4)]
        rows = pl.DataFrame(early + late, schema=["user", "item", "timestamp"], orient="row")
        frame = rows.unique(["user", "item"], keep="first").sort("user", "timestamp")
        settings = {"model.k": 4, "data.min_user": 0, "epochs": 5, "split.share": 0.2, "best": "recall@10"}
        found = run(prepare(RECIPE, frame, settings), threads=1)
        chosen.append({key: found.more["best"][key] for key in ("round", "validation")})
        ended.append(found.per_user["recall@10"].to_list())
    assert chosen[0] == chosen[1]
    assert len(ended[0]) == 40


def test_stopped_while_choosing_and_resumed(tmp_path: Path) -> None:
    asked = iter([False, False, True])
    with pytest.raises(Interrupted, match=r"while choosing.*--resume"):
        made({"best": "ndcg@10"}, out=tmp_path, stop=lambda: next(asked))
    resumed = made({"best": "ndcg@10"}, out=tmp_path, resume=True)
    whole = made({"best": "ndcg@10"})
    assert resumed.metrics == whole.metrics
    assert resumed.more["best"]["round"] == whole.more["best"]["round"]


@pytest.mark.parametrize(
    ("recipe", "more", "told"),
    [
        (RECIPE, {"best": "precision@11"}, "did you mean precision@10"),
        (RECIPE, {"best": "precision@10", "epochs": 1}, "two rounds or more"),
        ("baseline/popular", {"best": "precision@10", "epochs": None, "model.k": None}, "two rounds or more"),
        ("hegedus/gossip-merge", {"best": "rmse"}, "with rounds to choose among"),
    ],
)
def test_refused(recipe: str, more: dict[str, Any], told: str) -> None:
    settings = {key: value for key, value in {**SMALL, **more}.items() if value is not None}
    with pytest.raises(BadInput, match=told):
        run(prepare(recipe, "synthetic", settings, 0), threads=1)


def test_gossip_by_rounds_can_choose_too() -> None:
    settings = {**SMALL, "epochs": 2, "rounds": 5, "best": "rmse"}
    found = run(prepare("hegedus/gossip-merge", "synthetic", settings, 0), threads=1)
    assert found.curve[-1]["round"] == found.more["best"]["round"] <= 5


def test_a_sweep_counts_each_setting_by_its_best_round(tmp_path: Path) -> None:
    found = sweep(
        RECIPE, {"model.lr": [0.02, 0.3]}, "synthetic", {**SMALL, "best": "precision@10"}, out=tmp_path
    )
    for tried in found.tried:
        assert tried.mean == best_point(tried.runs[0].curve, "precision@10")[1]
    assert found.test[0].more["best"]["validation"] == found.best.mean
    with pytest.raises(BadInput, match="one of the two"):
        sweep(RECIPE, {"model.lr": [0.1]}, "synthetic", {**SMALL, "best": "f1@10"}, Search(metric="hr@10"))
