from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tacit.core.errors import BadInput, Interrupted
from tacit.experiment import folder as files
from tacit.experiment.batch import Host, Task, folder_of, run_all
from tacit.experiment.preparing import prepare

RECIPE = "baseline/central-mf"


def test_a_finished_run_is_taken_from_its_folder(tmp_path: Path, tiny: dict[str, Any]) -> None:
    said: list[str] = []
    tasks = [Task(RECIPE, "synthetic", tiny, seed) for seed in (0, 1)]
    first = run_all(tasks[:1], tmp_path, Host(say=said.append))
    assert said == []
    again = run_all(tasks, tmp_path, Host(say=said.append))
    assert len(said) == 1
    assert "seed 0 (1 of 2): finished before" in said[0]
    assert again[0].to_json() == first[0].to_json()
    assert again[0].notes == first[0].notes
    assert again[0].per_user.equals(first[0].per_user)
    assert again[1].seed == 1


def test_other_parameters_are_run_anew_beside_the_old_ones(tmp_path: Path, tiny: dict[str, Any]) -> None:
    run_all([Task(RECIPE, "synthetic", tiny)], tmp_path)
    (other,) = run_all([Task(RECIPE, "synthetic", {**tiny, "rounds": 2})], tmp_path)
    assert other.parameters["rounds"] == 2
    assert len(list(tmp_path.iterdir())) == 2


def test_models_are_kept_only_where_wanted(tmp_path: Path, tiny: dict[str, Any]) -> None:
    run_all([Task(RECIPE, "synthetic", tiny)], tmp_path)
    assert not list(tmp_path.glob(f"*/{files.STATE}"))
    run_all([Task(RECIPE, "synthetic", tiny, keep=True)], tmp_path)
    assert len(list(tmp_path.glob(f"*/{files.STATE}"))) == 1


def test_stopped_and_begun_again_ends_with_the_same_figures(tmp_path: Path, tiny: dict[str, Any]) -> None:
    tasks = [Task(RECIPE, "synthetic", tiny, seed) for seed in (0, 1, 2)]
    asked = iter([False] * 5 + [True] * 9)  # before each run and after each of its three rounds
    with pytest.raises(Interrupted, match=r"1 of 3 runs are finished; the same command goes on"):
        run_all(tasks, tmp_path, Host(stop=lambda: next(asked)))
    resumed = run_all(tasks, tmp_path)
    straight = run_all(tasks)
    assert [r.metrics for r in resumed] == [r.metrics for r in straight]
    assert [r.curve for r in resumed] == [r.curve for r in straight]


def test_a_damaged_folder_is_run_anew(tmp_path: Path, tiny: dict[str, Any]) -> None:
    task = Task(RECIPE, "synthetic", tiny, keep=True)
    (first,) = run_all([task], tmp_path)
    where = folder_of(prepare(RECIPE, "synthetic", tiny), tmp_path)
    (where / "result.json").write_text("{")
    (where / files.STATE).write_bytes(b"nothing")
    (again,) = run_all([task], tmp_path)
    assert again.metrics == first.metrics


def test_a_mistake_in_the_last_task_is_found_before_the_first_runs(
    tmp_path: Path, tiny: dict[str, Any]
) -> None:
    tasks = [Task(RECIPE, "synthetic", tiny), Task(RECIPE, "synthetic", {**tiny, "model.kk": 3})]
    with pytest.raises(BadInput, match=r"model\.kk"):
        run_all(tasks, tmp_path / "never")
    assert not (tmp_path / "never").exists()
