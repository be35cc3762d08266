from __future__ import annotations

from typing import Any

import pytest

from tacit.core.errors import BadInput
from tacit.experiment.compare import common_ground, compare, plan, standing
from tacit.experiment.result import Result
from tacit.experiment.significance import PairedTest
from tests.experiment.test_significance import run_of


def test_everybody_gets_the_first_recipes_ground_unless_it_is_set() -> None:
    ground = common_ground("hegedus/gossip", "movielens-100k", {"split.n": "5", "epochs": "2"})
    assert (ground["split"], ground["split.n"], ground["evaluate"]) == ("random-n", 5, "rating")
    assert "epochs" not in ground
    assert ground["data.seed"] is None
    assert common_ground("hegedus/gossip", "synthetic", {})["data.seed"] == 0


def test_a_setting_goes_to_the_recipes_that_know_it() -> None:
    tasks = plan(["hegedus/gossip-10", "baseline/central-mf"], "synthetic", {"subsample": "0.5"}, 2)
    assert [(t.recipe, t.seed, t.settings.get("subsample")) for t in tasks] == [
        ("hegedus/gossip-10", 0, "0.5"),
        ("hegedus/gossip-10", 1, "0.5"),
        ("baseline/central-mf", 0, None),
        ("baseline/central-mf", 1, None),
    ]


@pytest.mark.parametrize(
    ("recipes", "settings", "seeds", "told"),
    [
        ([], {}, 1, "at least one"),
        (["hegedus/gossip"], {}, 0, "--seeds: got 0"),
        (["hegedus/gossip", "hegedus/gossip"], {}, 1, "more than once"),
        (["hegedus/gosip"], {}, 1, "did you mean hegedus/gossip"),
        (["hegedus/gossip"], {"epoch": "3"}, 1, "did you mean epochs"),
        (["hegedus/gossip"], {"epochs": "x"}, 1, "a whole number from 1"),
    ],
)
def test_mistakes(recipes: list[str], settings: dict[str, str], seeds: int, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        plan(recipes, "synthetic", settings, seeds)


def test_all_runs_see_the_same_data_and_split(tiny: dict[str, Any]) -> None:
    found = compare(["hegedus/federated", "baseline/central-mf"], "synthetic", tiny, seeds=2)
    assert len({run.data["sha256"] for run in found.results}) == 1
    per_user = [run.per_user["test"].to_list() for run in found.results]
    assert all(counts == per_user[0] for counts in per_user)
    assert found.results[0].split == found.results[2].split
    assert [(t.metric, t.a, t.b) for t in found.tests] == [
        ("rmse", "hegedus/federated", "baseline/central-mf"),
        ("mae", "hegedus/federated", "baseline/central-mf"),
    ]
    assert found.table().height == 4


def test_standing_marks_the_best_and_those_not_significantly_worse() -> None:
    def group(name: str, *rmse: float) -> list[Result]:
        runs = [run_of(name, {"x": 1.0}, seed) for seed in range(len(rmse))]
        for run, value in zip(runs, rmse, strict=True):
            run.metrics["rmse"] = value  # type: ignore[index]
        return runs

    groups = {"a": group("a", 0.9, 1.1), "b": group("b", 0.98, 1.0), "c": group("c", 2.0, 2.0)}

    def test(a: str, b: str, significant: bool) -> PairedTest:
        return PairedTest("rmse", a, b, 0.0, -1.0, 1.0, 0.0, 9, 1, 1, 1, 1, significant)

    tests = [test("a", "b", False), test("a", "c", True), test("b", "c", True)]
    rows = standing(groups, tests).filter(metric="rmse").rows()
    assert [(r[0], r[4], r[5]) for r in rows] == [("a", False, True), ("b", True, True), ("c", False, False)]
    assert [r[2] for r in rows] == pytest.approx([1.0, 0.99, 2.0])
    assert [r[3] for r in rows] == pytest.approx([0.1414, 0.01414, 0.0], abs=1e-4)
    # Nobody measured this for single users, so nothing but the best itself is called level.
    assert standing(groups, tests).filter(metric="evenness@10")["level"].to_list() == [True, False, False]
