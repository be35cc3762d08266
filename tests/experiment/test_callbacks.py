"""Callbacks see every measured point, may end a run, and never cost its result."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit.core.errors import BadInput
from tacit.experiment.batch import RunListener, finished
from tacit.experiment.callbacks import CsvLogger, Measured, callbacks_of, ends
from tacit.experiment.compare import compare
from tacit.experiment.run import Run
from tests.experiment.running import figures, small

NOW = Measured("a/recipe", 3, 2, 0.5, 100, 0.25, {"rmse": 1.5, "mae": None})


def test_every_callback_is_called_and_one_is_enough_to_end() -> None:
    seen: list[str] = []
    assert ends([lambda now: seen.append("a"), lambda now: True, lambda now: seen.append("b")], NOW)
    assert seen == ["a", "b"]
    assert not ends([lambda now: None], NOW)
    assert not ends([], NOW)


def test_an_answer_is_true_false_or_nothing() -> None:
    assert ends([lambda now: np.float64(1) < 2], NOW)
    assert not ends([lambda now: np.bool_(False)], NOW)
    for wrong in ("continue", 0, np.array([True, False])):
        says = (
            rf"^on_round: got <lambda>, which returned a {type(wrong).__name__}; "
            r"allowed: what returns True, False or None \(.*callbacks.py, line \d+\)$"
        )
        with pytest.raises(BadInput, match=says):
            ends([lambda now, wrong=wrong: wrong], NOW)  # type: ignore[misc]


def test_one_callback_several_or_none() -> None:
    assert callbacks_of(None) == []
    assert callbacks_of(print) == [print]
    assert callbacks_of((print, repr)) == [print, repr]
    assert len(callbacks_of(lambda now, more=1: None)) == 1
    with pytest.raises(
        BadInput, match=r"^on_round: got <lambda>\(a, b\); allowed: a function of one argument"
    ):
        callbacks_of(lambda a, b: None)  # type: ignore[arg-type, misc]
    for wrong in (42, [print, 42]):
        with pytest.raises(BadInput, match=r"on_round: got .*; allowed: a function of one argument"):
            Run(small(rounds=2)).go(on_round=wrong)  # type: ignore[arg-type]


def test_a_callback_sees_the_points_of_the_curve() -> None:
    seen: list[Measured] = []
    result = Run(small(rounds=4)).go(on_round=seen.append).result
    assert [(now.round, now.hours, now.bytes) for now in seen] == [
        (point["round"], point["hours"], point["bytes"]) for point in result.curve
    ]
    assert [now.metrics["rmse"] for now in seen] == [point["rmse"] for point in result.curve]
    assert seen[-1].fraction == 1
    assert (seen[0].recipe, seen[0].seed) == ("hegedus/gossip-merge", 3)
    assert "stopped" not in result.to_json()


def test_a_run_that_is_ended_is_the_beginning_of_the_whole_one() -> None:
    whole = Run(small(rounds=4)).go().result
    result = Run(small(rounds=4)).go(on_round=lambda now: now.round == 2).result
    assert result.curve == whole.curve[:2]
    assert result.metrics["rmse"] == whole.curve[1]["rmse"]
    assert result.notes[-1] == "ended by a callback after round 2, at 50% of the run"
    assert result.to_json()["stopped"] == {"round": 2, "of": 4}


def test_to_end_a_run_at_its_end_changes_nothing() -> None:
    whole, ended = (
        Run(small(rounds=2)).go().result,
        Run(small(rounds=2)).go(on_round=lambda now: now.round == 2).result,
    )
    assert figures(whole) == figures(ended)
    assert whole.notes == ended.notes


def test_an_ended_run_can_be_resumed(tmp_path: Path) -> None:
    whole = Run(small(rounds=4)).go().result
    Run(small(rounds=4), out=tmp_path).go(on_round=lambda now: now.round == 2)
    assert finished(tmp_path, small(rounds=4)) is None, "nobody takes it for the whole run"
    result = Run(small(rounds=4), out=tmp_path, resume=True).go().result
    assert figures(result) == figures(whole)
    assert finished(tmp_path, small(rounds=4)) is not None


def test_a_callback_that_fails_costs_nothing(tmp_path: Path) -> None:
    def broken(now: Measured) -> None:
        if now.round == 2:
            raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        Run(small(rounds=4), out=tmp_path).go(on_round=broken)
    again = Run(small(rounds=4), out=tmp_path, resume=True)
    assert [point["round"] for point in again.curve] == [1, 2]
    assert figures(again.go().result) == figures(Run(small(rounds=4)).go().result)


def test_the_logger_writes_a_line_per_point(tmp_path: Path, tiny: dict[str, Any]) -> None:
    log = tmp_path / "log.csv"
    recipes = ["hegedus/gossip", "hegedus/federated"]
    found = compare(recipes, "synthetic", tiny, seeds=2, host=RunListener(on_round=CsvLogger(log)))
    with log.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0])[:5] == ["recipe", "seed", "round", "hours", "bytes"]
    for result in found.results:
        mine = [row for row in rows if (row["recipe"], row["seed"]) == (result.recipe, str(result.seed))]
        assert [float(row["rmse"]) for row in mine] == [point["rmse"] for point in result.curve]


def test_a_log_that_is_there_is_refused_added_to_or_replaced(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    logger = CsvLogger(log)
    logger(NOW)
    logger(NOW)
    once = log.read_text()
    with pytest.raises(
        BadInput, match=r"log.csv, which exists; allowed: a new file, append=True or overwrite"
    ):
        CsvLogger(log)
    with pytest.raises(BadInput, match="csv logger: got append and overwrite; allowed: one of the two"):
        CsvLogger(log, append=True, overwrite=True)
    logger = CsvLogger(log, overwrite=True)
    assert log.read_text() == once, "until there is something to write"
    logger(NOW)
    logger(NOW)
    assert log.read_text() == once


def test_a_log_is_added_to_and_never_mixed(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    CsvLogger(log)(NOW)
    CsvLogger(log, append=True)(NOW)
    assert log.read_text() == "recipe,seed,round,hours,bytes,rmse,mae\n" + "a/recipe,3,2,0.5,100,1.5,\n" * 2
    other = Measured("a/recipe", 3, 2, 0.5, 100, 0.25, {"hr@10": 1.5})
    with pytest.raises(BadInput, match=r"csv logger: got columns .*hr@10; allowed: .*mae, as there"):
        CsvLogger(log, append=True)(other)
    for wrong in (tmp_path, tmp_path / "nowhere" / "log.csv"):
        with pytest.raises(BadInput, match="a file in a folder that exists"):
            CsvLogger(wrong)
    assert repr(CsvLogger(log, append=True)).startswith("CsvLogger(")
