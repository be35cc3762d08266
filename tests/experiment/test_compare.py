from __future__ import annotations

from typing import Any

import pytest

from tacit.core.errors import BadInput
from tacit.experiment.compare import (
    Arm,
    arms_of,
    by_arm,
    common_ground,
    compare,
    parse_arm,
    plan,
    seeds_of,
    standing,
)
from tacit.experiment.result import Result
from tacit.experiment.significance import PairedTest
from tacit.models import MF
from tacit.protocols import Gossip
from tests.experiment.test_significance import run_of


def test_everybody_gets_the_first_recipes_ground_unless_it_is_set() -> None:
    ground = common_ground("hegedus/gossip", "movielens-100k", {"split.n": "5", "epochs": "2"})
    assert (ground["split"], ground["split.n"], ground["evaluate"]) == ("random-n", 5, "rating")
    assert "epochs" not in ground
    assert ground["data.seed"] is None
    assert common_ground("hegedus/gossip", "synthetic", {})["data.seed"] == 0


def test_a_setting_goes_to_the_recipes_that_know_it() -> None:
    arms = arms_of(["hegedus/gossip-10", "baseline/central-mf"])
    tasks = plan(arms, "synthetic", {"subsample": "0.5"}, 2)
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
        plan(arms_of(recipes), "synthetic", settings, seeds)


def test_an_arm_is_a_recipe_with_settings_under_a_label() -> None:
    given = {"eta 0.01": ("hegedus/gossip-10", {"model.eta": 0.01}), "gossip": "hegedus/gossip-10"}
    arms = arms_of(given)
    assert arms == [
        Arm("hegedus/gossip-10", {"model.eta": 0.01}, "eta 0.01"),
        Arm("hegedus/gossip-10", {}, "gossip"),
    ]
    tasks = plan(arms, "movielens-100k", {"epochs": 2}, [7, 3])
    assert [(t.label, t.seed, t.keep, t.settings.get("model.eta")) for t in tasks] == [
        ("eta 0.01", 7, True, 0.01),
        ("eta 0.01", 3, False, 0.01),
        ("gossip", 7, True, None),
        ("gossip", 3, False, None),
    ]
    assert all(t.settings["epochs"] == 2 for t in tasks)
    assert arms_of({"hegedus/gossip": "hegedus/gossip"})[0].label == "", "a recipe by its own name needs none"
    assert arms_of("hegedus/gossip") == [Arm("hegedus/gossip")]


def test_a_protocol_as_an_object_stands_in_for_a_recipe() -> None:
    plain, less, more = (
        arms_of([Gossip(), "hegedus/federated"])[0],
        *arms_of({"less": Gossip(subsample=0.5), "more": (Gossip(), {"model": MF(k=8)})}),
    )
    assert (plain.recipe, plain.name, plain.settings["subsample"]) == ("gossip", "gossip", 1.0)
    assert (less.recipe, less.name, less.settings["subsample"]) == ("gossip", "less", 0.5)
    assert (more.settings["model"], more.settings["model.k"]) == ("mf", 8)
    tasks = plan([plain, *arms_of(["hegedus/federated"])], "synthetic", {"epochs": 2}, 1)
    assert [task.settings["split"] for task in tasks] == ["random-share"] * 2


@pytest.mark.parametrize(
    ("text", "arm"),
    [
        ("a=r", Arm("r", {}, "a")),
        (" eta = 0.01 = r , x=1 , y=2", Arm("r", {"x": "1", "y": "2"}, "eta = 0.01")),
        ("a=r,layers=64,32,16,x=1", Arm("r", {"layers": "64,32,16", "x": "1"}, "a")),
    ],
)
def test_an_arm_on_the_command_line(text: str, arm: Arm) -> None:
    assert parse_arm(text) == arm


@pytest.mark.parametrize("text", ["hegedus/gossip", "=r", "a=", "a=r,epochs"])
def test_an_arm_that_cannot_be_read(text: str) -> None:
    with pytest.raises(BadInput, match=r"LABEL=RECIPE|key=value"):
        parse_arm(text)


@pytest.mark.parametrize(
    ("arms", "settings", "told"),
    [
        ({"a": ("hegedus/gossip", {"split.n": 5})}, {}, "arm a: got split.n; allowed: what does not change"),
        (
            {"a": ("hegedus/gossip", {"epochs": 5})},
            {"epochs": 3},
            "arm a: got epochs, which is also set for all",
        ),
        ({"a": ("hegedus/gossip", {"epoch": 5})}, {}, "did you mean epochs"),
        ({"a": ("hegedus/gosip", {})}, {}, "did you mean hegedus/gossip"),
        ({"a": ("hegedus/gossip",)}, {}, "arm a: got .*; allowed: a recipe's name, or label"),
        ({"a": 3}, {}, "arm a: got 3"),
        ([("hegedus/gossip", {"epochs": 2})], {}, "recipe: got .*; allowed: a recipe's name, or label"),
    ],
)
def test_mistakes_in_arms(arms: Any, settings: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        plan(arms_of(arms), "synthetic", settings, 1)


def test_seeds_are_counted_or_named() -> None:
    assert seeds_of(3) == [0, 1, 2]
    assert seeds_of([7, 3]) == [7, 3]
    for wrong in (0, -1, [], [3, 3], "3", "35", True, None, 1.5, [1, True], [0.5]):
        with pytest.raises(BadInput, match="--seeds"):
            seeds_of(wrong)  # type: ignore[arg-type]


def test_arms_of_one_recipe_are_told_apart_and_share_the_split(tiny: dict[str, Any]) -> None:
    arms = {
        "slow": ("hegedus/federated", {"model.eta": 0.001}),
        "fast": ("hegedus/federated", {"model.eta": 0.1}),
    }
    found = compare(arms, "synthetic", tiny, seeds=[4, 9])
    assert {name: [run.seed for run in runs] for name, runs in found.groups().items()} == {
        "slow": [4, 9],
        "fast": [4, 9],
    }
    assert found.results[0].split == found.results[2].split
    per_user = [run.per_user["test"].to_list() for run in found.results]
    assert per_user[0] == per_user[2]
    assert {(test.a, test.b) for test in found.tests} == {("slow", "fast")}
    assert set(found.table()["arm"]) == {"slow", "fast"}
    assert found.to_json()["runs"][0]["label"] == "slow"
    assert by_arm(found.results)["slow"][0].recipe == "hegedus/federated"


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
    kinds = standing(groups, tests).select("metric", "list").unique().rows()
    assert ("rmse", None) in kinds
    # Nobody measured this for single users, so nothing but the best itself is called level.
    assert standing(groups, tests).filter(metric="evenness@10")["level"].to_list() == [True, False, False]
