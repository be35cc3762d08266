"""Rows of finished runs: those that the run itself ranked with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit.core.errors import BadInput
from tacit.experiment.experiment import Experiment
from tacit.experiment.run_folder import STATE, write_result
from tacit.experiment.run_rows import run_rows
from tests.experiment.running import run_to_end, small

SETTINGS: dict[str, dict[str, Any]] = {
    "baseline/ials": {"baseline.k": 4},
    "tacit/federated": {"model.k": 4, "rounds": 5},
    "tacit/best": {"model.k": 4, "rounds": 60, "masks": 0},
}


def finished(recipe: str, folder: Path, **more: Any) -> tuple[Experiment, Any]:
    experiment = small(recipe, **({"hours": None} | SETTINGS.get(recipe, {}) | more))
    done = run_to_end(experiment, out=folder)
    write_result(folder, done.result, "synthetic")
    return experiment, done.simulation


@pytest.mark.parametrize("recipe", sorted(SETTINGS))
def test_rows_and_vectors_rank_as_the_run_did(recipe: str, tmp_path: Path) -> None:
    experiment, simulation = finished(recipe, tmp_path)
    found = run_rows(tmp_path, threads=1)
    assert found.rows.shape == (experiment.split.train.items, 4)
    assert found.people.shape == (experiment.split.train.users, 4)
    assert np.isfinite(found.rows).all()
    assert found.w0 > 0
    assert found.reg > 0
    if recipe == "baseline/ials":
        assert np.array_equal(found.rows, simulation.scorer.rows)
        assert np.array_equal(found.people, simulation.scorer.factors)
    else:
        states = [simulation.fleet.node(user) for user in range(experiment.split.train.users)]
        most = max(range(len(states)), key=lambda user: states[user].clock)
        assert np.array_equal(found.rows, states[most].rows)
        assert found.people[most] == pytest.approx(states[most].private, abs=0.05)


def test_other_runs_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    finished("baseline/popular", tmp_path / "popular")
    with pytest.raises(BadInput, match=r"run: got baseline/popular; allowed: a run of baseline/ials"):
        run_rows(tmp_path / "popular")
    finished("tacit/federated", tmp_path / "sums")
    (tmp_path / "sums" / STATE).write_bytes(b"PK rubbish")
    with pytest.raises(BadInput, match="models: got a damaged file"):
        run_rows(tmp_path / "sums")
