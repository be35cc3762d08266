from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tacit.core.errors import BadInput, Interrupted
from tacit.experiment import run_folder
from tacit.experiment.batch import RunListener, Task, folder_of, run_all
from tacit.experiment.prepare import prepare
from tacit.experiment.result import VERSION
from tacit.experiment.run_settings import known

RECIPE = "baseline/central-mf"


def test_a_finished_run_is_taken_from_its_folder(tmp_path: Path, tiny: dict[str, Any]) -> None:
    said: list[str] = []
    tasks = [Task(RECIPE, "synthetic", tiny, seed) for seed in (0, 1)]
    first = run_all(tasks[:1], tmp_path, RunListener(say=said.append))
    assert said == []
    again = run_all(tasks, tmp_path, RunListener(say=said.append))
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


def test_a_run_kept_before_a_parameter_existed_is_still_that_run(
    tmp_path: Path, tiny: dict[str, Any]
) -> None:
    task, said = Task("hegedus/gossip-merge", "synthetic", tiny), []
    (first,) = run_all([task], tmp_path)
    x = prepare(task.recipe, "synthetic", tiny)
    # As such a run was named and kept.
    later = {key for key, one in known(x.parameters).items() if one.later}
    assert {"peers", "shield", "data.columns", "split.file"} <= later
    old = {key: value for key, value in x.parameters.items() if key not in later}
    identity = [VERSION, x.recipe, x.seed, sorted(old.items()), x.dataset.sha256]
    where = folder_of(x, tmp_path)
    assert where.name.endswith(hashlib.sha256(msgspec.json.encode(identity)).hexdigest()[:8])
    told = msgspec.json.decode((where / "result.json").read_bytes())
    (where / "result.json").write_bytes(msgspec.json.encode({**told, "parameters": old}))
    (again,) = run_all([task], tmp_path, RunListener(say=said.append))
    assert "finished before" in said[0]
    assert again.parameters == first.parameters
    assert again.parameters["peers"] == "uniform"
    # Set to something else, it is another run.
    assert folder_of(prepare(task.recipe, "synthetic", {**tiny, "shield": "known"}), tmp_path) != where


def test_models_are_kept_only_where_wanted(tmp_path: Path, tiny: dict[str, Any]) -> None:
    run_all([Task(RECIPE, "synthetic", tiny)], tmp_path)
    assert not list(tmp_path.glob(f"*/{run_folder.STATE}"))
    run_all([Task(RECIPE, "synthetic", tiny, keep=True)], tmp_path)
    assert len(list(tmp_path.glob(f"*/{run_folder.STATE}"))) == 1


def test_stopped_and_begun_again_ends_with_the_same_figures(tmp_path: Path, tiny: dict[str, Any]) -> None:
    tasks = [Task(RECIPE, "synthetic", tiny, seed) for seed in (0, 1, 2)]
    asked = iter([False] * 5 + [True] * 9)  # before each run and after each of its three rounds
    with pytest.raises(Interrupted, match=r"1 of 3 runs are finished; the same command continues"):
        run_all(tasks, tmp_path, RunListener(stop=lambda: next(asked)))
    resumed = run_all(tasks, tmp_path)
    straight = run_all(tasks)
    assert [r.metrics for r in resumed] == [r.metrics for r in straight]
    assert [r.curve for r in resumed] == [r.curve for r in straight]


def test_a_damaged_folder_is_run_anew(tmp_path: Path, tiny: dict[str, Any]) -> None:
    task = Task(RECIPE, "synthetic", tiny, keep=True)
    (first,) = run_all([task], tmp_path)
    where = folder_of(prepare(RECIPE, "synthetic", tiny), tmp_path)
    (where / "result.json").write_text("{")
    (where / run_folder.STATE).write_bytes(b"nothing")
    (again,) = run_all([task], tmp_path)
    assert again.metrics == first.metrics


def test_a_mistake_in_the_last_task_is_found_before_the_first_runs(
    tmp_path: Path, tiny: dict[str, Any]
) -> None:
    tasks = [Task(RECIPE, "synthetic", tiny), Task(RECIPE, "synthetic", {**tiny, "model.kk": 3})]
    with pytest.raises(BadInput, match=r"model\.kk"):
        run_all(tasks, tmp_path / "never")
    assert not (tmp_path / "never").exists()


PAIRS: dict[str, Any] = {
    "data.users": 30,
    "data.items": 40,
    "data.interactions": 600,
    "data.min_user": 0,
    "model.k": 3,
    "epochs": 3,
}


def test_runs_that_use_one_core_go_side_by_side_and_end_the_same(tmp_path: Path) -> None:
    tasks = [Task("federank/tx", "synthetic", PAIRS, seed) for seed in range(4)]
    told: list[int] = []
    said: list[str] = []
    together = run_all(
        tasks, tmp_path, RunListener(threads=3, say=said.append), lambda place, result: told.append(place)
    )
    assert told == [0, 1, 2, 3]
    assert [line.rpartition(": ")[2] for line in said] == ["done"] * 4
    one_by_one = run_all(tasks, host=RunListener(threads=1))
    assert [r.metrics for r in together] == [r.metrics for r in one_by_one]
    assert [r.seed for r in together] == [0, 1, 2, 3]


def test_a_mistake_in_one_of_several_stops_all_in_one_line(tmp_path: Path) -> None:
    wrong = Task("federank/tx", "synthetic", {**PAIRS, "triples": 10**6})
    tasks = [Task("federank/tx", "synthetic", PAIRS), wrong, Task("federank/tx", "synthetic", PAIRS, 1)]
    with pytest.raises(BadInput, match=r"^triples: got 1000000; allowed: at most"):
        run_all(tasks, tmp_path, RunListener(threads=2))


def test_several_at_once_are_stopped_in_order_and_taken_up_again(tmp_path: Path) -> None:
    tasks = [Task("federank/tx", "synthetic", PAIRS, seed) for seed in range(3)]
    asked: list[bool] = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) > 4

    with pytest.raises(Interrupted, match="the same command continues"):
        run_all(tasks, tmp_path, RunListener(threads=2, stop=stop))
    resumed = run_all(tasks, tmp_path, RunListener(threads=2))
    assert [r.curve for r in resumed] == [r.curve for r in run_all(tasks)]


def test_one_run_under_two_names_is_run_once(tmp_path: Path) -> None:
    tasks = [Task("federank/tx", "synthetic", PAIRS, label=label) for label in ("one", "other")]
    said: list[str] = []
    results = run_all(tasks, tmp_path, RunListener(threads=2, say=said.append))
    assert [result.label for result in results] == ["one", "other"]
    assert results[0].metrics == results[1].metrics
    assert sum("finished before" in line for line in said) == 1
