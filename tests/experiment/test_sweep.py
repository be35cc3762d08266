from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit.core.errors import BadInput
from tacit.experiment.batch import RunListener
from tacit.experiment.prepare import prepare
from tacit.experiment.sweep import Search, Tried, choose, combinations, parse_vary, sweep

RECIPE = "baseline/central-mf"


def test_grid_in_order_with_checked_values() -> None:
    grid = combinations(RECIPE, {"model.k": ["2", "4"], "epochs": [1, "3"]}, {}, None)
    assert grid == [
        {"model.k": 2, "epochs": 1},
        {"model.k": 2, "epochs": 3},
        {"model.k": 4, "epochs": 1},
        {"model.k": 4, "epochs": 3},
    ]
    assert combinations(RECIPE, {"model.eta": ["0.1", "0.10"]}, {}, None) == [{"model.eta": 0.1}]


def test_random_draws_that_many_different_ones_and_the_same_each_time() -> None:
    vary = {"model.k": list(range(1, 7)), "epochs": [1, 2, 3]}
    drawn = combinations(RECIPE, vary, {}, 5)
    everything = combinations(RECIPE, vary, {}, None)
    assert len(drawn) == 5
    assert all(setting in everything for setting in drawn)
    assert len({str(setting) for setting in drawn}) == 5
    assert drawn == combinations(RECIPE, vary, {}, 5)
    assert drawn != everything[:5]
    assert combinations(RECIPE, vary, {}, 99) == everything


@pytest.mark.parametrize(
    ("vary", "settings", "random", "told"),
    [
        ({}, {}, None, "--vary: got nothing"),
        ({"model.k": []}, {}, None, "no values"),
        ({"model.kk": [1]}, {}, None, r"did you mean model\.k"),
        ({"model.k": ["x"]}, {}, None, "a whole number"),
        ({"split.n": [1, 2]}, {}, None, "does not change the data, the split"),
        ({"evaluate.on": ["test"]}, {}, None, "does not change the data, the split"),
        ({"epochs": [1]}, {"epochs": "2"}, None, "which is also set"),
        ({"epochs": [1, 2]}, {}, 0, "--random: got 0"),
    ],
)
def test_mistakes(
    vary: dict[str, list[Any]], settings: dict[str, str], random: int | None, told: str
) -> None:
    with pytest.raises(BadInput, match=told):
        combinations(RECIPE, vary, settings, random)


def test_texts_of_the_command_line() -> None:
    assert parse_vary(["a=1, 2,", " b =x"]) == {"a": ["1", "2"], "b": ["x"]}
    for text in ("a", "=1", "a=", "a=,"):
        with pytest.raises(BadInput, match="--vary"):
            parse_vary([text])
    with pytest.raises(BadInput, match="a twice"):
        parse_vary(["a=1", "a=2"])


def test_the_best_is_lowest_for_errors_and_highest_otherwise() -> None:
    tried = [Tried({"k": k}, [], mean, None) for k, mean in enumerate([None, 0.5, 0.2, 0.9, 0.2])]
    assert choose(tried, "rmse").setting == {"k": 2}
    assert choose(tried, "hr@10").setting == {"k": 3}
    with pytest.raises(BadInput, match="no run with a rmse"):
        choose(tried[:1], "rmse")


def test_choosing_never_sees_the_test_part(tiny: dict[str, Any]) -> None:
    test = prepare(RECIPE, "synthetic", {**tiny, "data.seed": 0})
    tuning = prepare(RECIPE, "synthetic", {**tiny, "data.seed": 0, "evaluate.on": "validation"})
    assert np.array_equal(test.split.test.item, tuning.split.test.item)
    assert tuning.split.validation is not None
    assert tuning.held_out is tuning.split.validation
    assert test.held_out is test.split.test

    def pairs(table: Any) -> set[tuple[int, int]]:
        return set(zip(table.user.tolist(), table.item.tolist(), strict=True))

    seen = pairs(tuning.split.train) | pairs(tuning.held_out)
    assert seen == pairs(test.split.train)
    assert not pairs(tuning.split.train) & pairs(tuning.held_out)
    assert not seen & pairs(test.split.test)


def test_a_sweep_chooses_by_validation_and_runs_the_choice_once_on_test(
    tiny: dict[str, Any], tmp_path: Path
) -> None:
    said: list[str] = []
    found = sweep(
        RECIPE, {"model.eta": [0.0001, 0.02]}, "synthetic", tiny, Search(seeds=2, metric="mae"), out=tmp_path
    )
    assert [one.setting["model.eta"] for one in found.tried] == [0.0001, 0.02]
    assert found.best.setting == {"model.eta": 0.02}
    assert found.best.mean == min(one.mean for one in found.tried if one.mean is not None)
    assert found.ranking()[0] is found.best
    assert all(run.parameters["evaluate.on"] == "validation" for one in found.tried for run in one.runs)
    assert [(run.seed, run.parameters["evaluate.on"]) for run in found.test] == [(0, "test"), (1, "test")]
    assert {run.parameters["model.eta"] for run in found.test} == {0.02}
    told = found.to_json()
    assert set(told) == {"runs", "best", "tests"}
    assert len(told["runs"]) == 4
    assert set(told["best"]) == {"settings", "metric", "validation", "test", "runs"}
    again = sweep(
        RECIPE, {"model.eta": [0.0001, 0.02]}, "synthetic", tiny, Search(seeds=2, metric="mae"), out=tmp_path,
        host=RunListener(say=said.append),
    )  # fmt: skip
    assert sum("finished before" in line for line in said) == 6
    assert again.to_json() == told


def test_a_wrong_metric_is_found_after_the_first_run(tiny: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"--metric: got ndcg; known: mae, rmse"):
        sweep(RECIPE, {"epochs": [1, 2]}, "synthetic", tiny, Search(metric="ndcg"), out=tmp_path)
    assert len(list(tmp_path.iterdir())) == 1


def test_nothing_left_for_validation() -> None:
    size = {"data.users": 30, "data.items": 40, "data.interactions": 150, "split.n": 4}
    with pytest.raises(BadInput, match=r"evaluate\.on: got validation"):
        prepare(RECIPE, "synthetic", {**size, "evaluate.on": "validation"})
