from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import polars as pl

import tacit
from tacit.experiment.experiment import Experiment
from tacit.experiment.prepare import prepare
from tacit.experiment.warnings import no_numbers, warnings
from tacit.models.mf import MatrixFactorization
from tacit.simulator.simulation import Simulation

SMALL = {"data.users": 40, "data.items": 150, "data.interactions": 1500, "data.min_user": 0}


def notes(recipe: str, data: str | pl.DataFrame = "synthetic", **more: object) -> list[str]:
    base = SMALL if isinstance(data, str) else {"data.min_user": 0}
    return tacit.run(recipe, data, settings={**base, **more}, progress=False).notes


def said(words: str, told: list[str]) -> bool:
    return any(words in note for note in told)


def begun() -> tuple[Experiment, Simulation]:
    data = {"data.users": 20, "data.items": 30, "data.interactions": 200}
    x = prepare("hegedus/federated", "synthetic", data)
    return x, x.protocol.build(x.scenario())


def measured(headline: str, spread: tuple[float, float] | None = None) -> Any:
    """An evaluation whose guess has 0.5."""
    return SimpleNamespace(
        headline=headline,
        ties=lambda simulation: None,
        guess=lambda: ("a guess", 0.5),
        spread=lambda simulation: spread,
    )


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
    learned = notes("hegedus/federated", constant(), rounds=2)
    assert not said("no better", learned), "the note about ratings says it"
    assert not said("hardly vary", learned)
    assert said("ties decided", ranked)
    assert not said("all ratings", notes("baseline/popular", constant()))
    assert not said("all ratings", notes("hegedus/federated", rounds=2))


def test_models_that_ran_away_are_told_in_every_evaluation() -> None:
    for kind in ("rating", "full", "sampled"):
        told = notes("hegedus/federated", rounds=40, evaluate=kind, **{"model.eta": 1000})
        assert said("learning ran away", told), kind


def test_scores_that_are_no_numbers_are_told_apart_from_models_that_ran_away() -> None:
    x, simulation = begun()
    told = warnings(x, simulation, measured("rmse"), float("nan"), None)
    assert said(
        "rmse is not a number, though all numbers of the models are finite: look at how mf scores", told
    )
    assert not said("ran away", told)


def test_what_is_no_better_than_a_guess() -> None:
    far = notes("hegedus/federated", rounds=1, **{"model.eta": 1e-9})
    assert said("is no better than always predicting the mean training rating, which has", far)
    flat = notes("hegedus/federated", rounds=1, evaluate="sampled", **{"model.eta": 1e-9})
    assert said("hr@20", [note for note in flat if "better than ranking at random, which has" in note])
    learned = notes("baseline/popular", evaluate="sampled")
    assert not said("no better", learned)
    assert not said("no better", notes("baseline/random")), "that is what it is for"


def test_what_is_better_by_less_than_two_standard_errors() -> None:
    x, simulation = begun()
    each = np.array([0.4, 0.6] * 50)  # a standard error of 0.01
    for metric, sign in (("rmse", -1), ("precision@10", 1)):
        for gain, words in (
            (0.0, "is no better than a guess, which has 0.5"),
            (0.015, "is not clearly better than a guess, which has 0.5 (standard error 0.01)"),
            (0.025, ""),
        ):
            told = warnings(x, simulation, measured(metric), 0.5 + sign * gain, each)
            assert said(f"{metric} {0.5 + sign * gain:.4g} {words}", told) == bool(words), (metric, gain)
            assert said("better", told) == bool(words)


def test_predictions_that_hardly_vary() -> None:
    x, simulation = begun()
    advice = "look at what mf learns and how it scores"
    told = warnings(x, simulation, measured("rmse", (0.001, 1.1)), 0.1, None)
    assert (
        f"predictions hardly vary: their standard deviation is 0.001, that of ratings 1.1; {advice}" in told
    )
    for spread in ((0.2, 1.1), (0.0, 0.0), None):
        assert not said("hardly vary", warnings(x, simulation, measured("rmse", spread), 0.1, None))


def test_advice_names_settings_that_the_model_has() -> None:
    x, simulation = begun()
    simulation.fleet.slots.rows[:] = np.nan
    told = warnings(x, simulation, measured("rmse"), float("nan"), None)[-1]
    assert told.endswith("try smaller steps (model.eta)")
    foreign: Any = type("Own", (MatrixFactorization,), {"__module__": "mine"})()
    own = {"model": "mine", "model.pull": 3}
    told = warnings(replace(x, model=foreign, parameters=own), simulation, measured("rmse"), 1.0, None)[-1]
    advice = "look for a division by zero in learn of mf"
    assert told.endswith(f"{advice} or try other values of model.pull")
    told = warnings(replace(x, model=foreign, parameters={}), simulation, measured("rmse"), 1.0, None)[-1]
    assert told.endswith(advice)


def test_a_metric_that_is_no_number() -> None:
    metrics = {"precision@10": 0.1, "mine@10": float("nan"), "none@10": None}
    assert no_numbers(metrics, "precision@10") == ["mine@10 is no number: look at how it is computed"]
    assert no_numbers({**metrics, "precision@10": float("nan")}, "precision@10") == []


def test_a_run_that_ends_before_anybody_learns() -> None:
    assert said("nobody learned anything", notes("hegedus/gossip", hours=0.0001))


def test_notes_are_in_the_json_and_in_the_file(tmp_path: Path) -> None:
    settings = {**SMALL, "negatives": "paper", "epochs": 1}
    result = tacit.run("baseline/bpr-mf", "synthetic", settings=settings, out=tmp_path, progress=False)
    written = msgspec.json.decode((tmp_path / "result.json").read_bytes())
    assert written["notes"] == result.to_json()["notes"] == result.notes
    assert written["notes"][0].startswith("negatives=paper")
