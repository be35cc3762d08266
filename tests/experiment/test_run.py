from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tacit.core.errors import Interrupted
from tacit.experiment.prepare import prepare
from tacit.experiment.run import evaluation_points
from tacit.experiment.run_folder import read_facts, read_result
from tests.experiment.running import SMALL, figures, run, small

RECIPES = [
    "hegedus/gossip",
    "hegedus/gossip-merge",
    "hegedus/gossip-10",
    "hegedus/federated",
    "hegedus/federated-10",
    "baseline/central-mf",
]


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("churn", ["none", "generated"])
def test_every_recipe_learns(recipe: str, churn: str) -> None:
    size = {"data.users": 200, "data.items": 100, "data.interactions": 8000}
    more = {"bandwidth": "high", "churn": churn} if churn == "generated" else {}
    x = prepare(recipe, "synthetic", {**size, "hours": 24, **more}, seed=3)
    result = run(x)
    guess = float(((x.split.test.value - 3) ** 2).mean() ** 0.5)
    assert result.metrics["rmse"] < guess - 0.05, "better than always guessing the middle of the scale"
    assert result.per_user.height == 200
    assert result.split["train"] + result.split["test"] == 8000


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_same_seed_gives_the_same_figures_whatever_the_threads(recipe: str) -> None:
    one, three = run(small(recipe), threads=1), run(small(recipe), threads=3)
    assert figures(one) == figures(three)
    other = prepare(recipe, "synthetic", SMALL, seed=4)
    assert figures(run(other)) != figures(one)


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_stopped_run_goes_on_to_the_same_end(recipe: str, tmp_path: Path) -> None:
    whole = run(small(recipe))
    calls = iter(range(1000))
    with pytest.raises(Interrupted, match="--resume"):
        run(small(recipe), out=tmp_path, stop=lambda: next(calls) == 2)
    assert not (tmp_path / "result.json").exists()
    assert figures(run(small(recipe), out=tmp_path, resume=True)) == figures(whole)
    assert read_result(tmp_path)[0].per_user.equals(whole.per_user)
    again = run(small(recipe), out=tmp_path, resume=True)
    assert figures(again) == figures(whole), "a finished run is read back"


def test_who_watches_is_told_after_every_round_and_of_a_figure_when_there_is_one() -> None:
    class Watch:
        def __init__(self) -> None:
            self.told: list[tuple[float, float | None, float]] = []

        def update(self, *, rounds: float, metric: float | None, fraction: float, **_: Any) -> None:
            self.told.append((rounds, metric, fraction))

    watch = Watch()
    seldom: dict[str, Any] = {"rounds": 5, "evaluate.points": 1}
    result = run(small(**seldom), watch=watch)
    rounds, figures, shares = zip(*watch.told, strict=True)
    assert rounds == (1, 2, 3, 4, 5, 5, 5), "the last instant of the last round is a step of its own"
    assert figures == (None,) * 6 + (result.metrics["rmse"],)
    assert shares == tuple(sorted(shares))
    assert shares[-1] == 1


def test_a_state_saved_between_two_measurements_goes_on_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seldom: dict[str, Any] = {"rounds": 5, "evaluate.points": 1}
    whole, calls, one = run(small(**seldom)), iter(range(1000)), tmp_path / "one"
    for name in ("_FIRST_SAVE", "_SAVE_EVERY"):
        monkeypatch.setattr(f"tacit.experiment.run.{name}", 0.0)

    def power_cut() -> bool:
        if next(calls) == 3:
            raise OSError("no power")
        return False

    with pytest.raises(OSError, match="no power"):
        run(small(**seldom), out=one, stop=power_cut)
    assert read_facts(one)["curve"] == [], "nothing was measured yet"
    assert figures(run(small(**seldom), out=one, resume=True)) == figures(whole)


def test_measured_at_whole_transfers_and_whole_hours() -> None:
    hour = 3600 * 10**6
    p = small(hours=48).settings.time
    points = evaluation_points(48 * hour, 1728 * 10**6, p)
    assert {5 * hour, 10 * hour, 24 * hour, 48 * hour} <= set(points)
    assert points[0] == 1728 * 10**6
    assert points[-1] == 48 * hour
    assert len(points) < 160
    by_rounds = evaluation_points(7 * 100, 100, replace(p, rounds=7))
    assert by_rounds == [100, 200, 300, 400, 500, 600, 700]


def test_rounds_instead_of_hours() -> None:
    result = run(small(rounds=5))
    assert [point["round"] for point in result.curve] == [1, 2, 3, 4, 5]
    assert result.cost.virtual_hours == pytest.approx(5 * 1728 / 3600)


def test_the_curve_counts_everything_sent() -> None:
    result = run(small())
    assert result.curve[-1]["bytes"] == result.cost.bytes_sent == result.per_user["bytes_sent"].sum()
    assert result.cost.messages == result.per_user["messages"].sum()


def test_lazy_evaluation_starts_at_the_middle_of_the_scale() -> None:
    """Before anything arrives every node predicts 3 on a scale of 1 to 5."""
    x = small(lazy="true", hours=0.001, start="synchronous")
    test = x.split.test
    expected = float(((test.value - (x.scale[0] + x.scale[1]) / 2) ** 2).mean() ** 0.5)
    assert run(x).metrics["rmse"] == pytest.approx(expected)


def test_nobody_online_is_no_figure(tmp_path: Path) -> None:
    trace = tmp_path / "trace.csv"
    trace.write_text("node,start,end\n1,0,10\n")
    result = run(small(churn=str(trace)))
    assert result.metrics["rmse"] is None
    assert any("never online" in note for note in result.notes)


def test_a_trace_that_ends_with_the_run_still_counts(tmp_path: Path) -> None:
    trace = tmp_path / "trace.csv"
    trace.write_text("node,start,end\n" + "".join(f"{u},0,21600\n" for u in range(1, 41)))
    with_trace, without = run(small(churn=str(trace))), run(small())
    assert with_trace.metrics["rmse"] == pytest.approx(without.metrics["rmse"], abs=0.2)


def test_the_contracts_object() -> None:
    result = run(small()).to_json()
    assert list(result) == [
        "tacit", "recipe", "seed", "parameters", "data", "split", "metrics", "curve", "cost",
        "evaluation", "notes",
    ]  # fmt: skip
    assert set(result["data"]) == {"name", "users", "items", "interactions", "sha256"}
    assert {"kind", "n", "train", "test"} <= set(result["split"])
    assert set(result["cost"]) == {
        "bytes_sent", "messages", "node_rounds", "virtual_hours", "wall_seconds", "compile_seconds", "peak_rss_mb",
    }  # fmt: skip
    assert {"round", "hours", "bytes", "rmse"} <= set(result["curve"][0])


def test_double_precision_ends_near_single() -> None:
    single, double = run(small()), run(small(storage="float64"))
    assert single.metrics["rmse"] == pytest.approx(double.metrics["rmse"], abs=1e-3)
    assert double.cost.bytes_sent > 1.5 * single.cost.bytes_sent
