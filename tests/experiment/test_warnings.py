from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import polars as pl

import tacit
from tacit.experiment.prepare import prepare
from tacit.experiment.warnings import warnings

SMALL = {"data.users": 40, "data.items": 150, "data.interactions": 1500, "data.min_user": 0}


def notes(recipe: str, data: str | pl.DataFrame = "synthetic", **more: object) -> list[str]:
    base = SMALL if isinstance(data, str) else {"data.min_user": 0}
    return tacit.run(recipe, data, settings={**base, **more}, progress=False).notes


def said(words: str, told: list[str]) -> bool:
    return any(words in note for note in told)


def constant() -> pl.DataFrame:
    pairs = [(u, i) for u in range(20) for i in range(25) if (u * 7 + i * 3) % 4]
    return pl.DataFrame(pairs, schema=["user", "item"], orient="row").with_columns(rating=pl.lit(1.0))


def test_constant_ratings_with_a_model_of_ratings() -> None:
    assert said(
        "all ratings are 1: mf is a model of ratings and has nothing to learn",
        notes("hegedus/federated", constant(), rounds=2),
    )
    ranked = notes("hegedus/federated", constant(), rounds=2, evaluate="full")
    assert said("all ratings are 1", ranked)
    assert said("ties decided", ranked)
    assert not said("all ratings", notes("baseline/popular", constant()))
    assert not said("all ratings", notes("hegedus/federated", rounds=2))


def test_models_that_ran_away_are_told_in_every_evaluation() -> None:
    for kind in ("rating", "full", "sampled"):
        told = notes("hegedus/federated", rounds=40, evaluate=kind, **{"model.eta": 1000})
        assert said("learning ran away", told), kind


def test_scores_that_are_no_numbers_are_told_apart_from_models_that_ran_away() -> None:
    x = prepare(
        "hegedus/federated", "synthetic", {"data.users": 20, "data.items": 30, "data.interactions": 200}
    )
    evaluation: Any = SimpleNamespace(headline="rmse", ties=lambda simulation: None)
    told = warnings(x, x.protocol.build(x.scenario()), evaluation, float("nan"), None)
    assert said(
        "rmse is not a number, though all numbers of the models are finite: look at how mf scores", told
    )
    assert not said("ran away", told)


def test_what_is_no_better_than_a_guess() -> None:
    far = notes("hegedus/federated", rounds=1, **{"model.eta": 1e-9})
    assert said("is no better than always predicting the mean training rating, which has", far)
    flat = notes("hegedus/federated", rounds=1, evaluate="sampled", **{"model.eta": 1e-9})
    assert said("hr@20", [note for note in flat if "is no better than ranking at random" in note])
    learned = notes("baseline/popular", evaluate="sampled")
    assert not said("no better", learned)
    assert not said("no better", notes("baseline/random")), "that is what it is for"


def test_a_run_that_ends_before_anybody_learns() -> None:
    assert said("nobody learned anything", notes("hegedus/gossip", hours=0.0001))


def test_notes_are_in_the_json_and_in_the_file(tmp_path: Path) -> None:
    settings = {**SMALL, "negatives": "paper", "epochs": 1}
    result = tacit.run("baseline/bpr-mf", "synthetic", settings=settings, out=tmp_path, progress=False)
    written = msgspec.json.decode((tmp_path / "result.json").read_bytes())
    assert written["notes"] == result.to_json()["notes"] == result.notes
    assert written["notes"][0].startswith("negatives=paper")
