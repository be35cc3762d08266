"""FPL and FedeRank as papers to run again: every row can be run; claims on made-up numbers; figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from tacit.experiment.recipes import recipe
from tacit.experiment.result import Cost, Result
from tacit.experiment.run_settings import settle
from tacit.papers.base import Finding, Outcomes, Paper, Wanted, measured
from tacit.papers.federank.paper import paper as federank
from tacit.papers.fpl.figures import cost, pareto
from tacit.papers.fpl.paper import paper as fpl
from tacit.papers.pairwise_runs import baseline_run, federated_run, profile

PAPERS = (fpl, federank)
Made = Callable[[str, str, float], float]
"""P@10 of (recipe, data, pi)."""


def made(wanted: Wanted, precision: Made, wide: float = 100.0) -> Result:
    """A run with that precision for each of twenty users, give or take a little."""
    settings = dict(wanted.settings)
    value = precision(wanted.recipe, wanted.data, float(settings.get("pi") or 0))
    each = [value + 0.001 * (n % 3 - 1) for n in range(21)]
    per_user = pl.DataFrame({"user": [str(n) for n in range(21)], "precision@10": each})
    counts = [50, 30, 20] if settings.get("pi") != 0.0 else [34, 33, 33]
    per_item = pl.DataFrame(
        {"item": ["a", "b", "c"], "train": counts, "updates": counts, "recommended@10": counts}
    )
    metrics = {"precision@10": value, "recall@10": value, "f1@10": value, "evenness@10": 0.1}
    metrics["item_coverage@10"] = wide * (9 if settings.get("pi") == 0.0 else 1)
    bias = {"bias@10": {"Food": {"disparity": 0.25}}}
    data, split = {"users": 17_473, "items": 47_270}, {"train": 599_958}
    return Result(wanted.recipe, 0, settings, data, split, metrics, [], Cost(), per_user, per_item, more=bias)


def outcomes(paper: Paper, precision: Made, quick: bool = True, without: str = "none") -> Outcomes:
    wanted = {row.wanted for exhibit in paper.exhibits for row in exhibit.rows(quick)}
    return Outcomes(quick, {w: [] if w.data == without else [made(w, precision)] for w in wanted})


def check(paper: Paper, o: Outcomes) -> dict[str, Finding]:
    return {claim.name: claim.check(o) for claim in paper.claims}


@pytest.mark.parametrize("paper", PAPERS, ids=lambda p: p.name)
@pytest.mark.parametrize("quick", [True, False])
def test_every_row_is_one_that_can_be_run(paper: Paper, quick: bool) -> None:
    rows = [row for exhibit in paper.exhibits for row in exhibit.rows(quick)]
    for wanted in {row.wanted for row in rows}:
        settle(recipe(wanted.recipe).parameters, dict(wanted.settings))
    assert {row.over for row in rows if row.over} <= {row.wanted for row in rows}


def test_the_printed_numbers_stand_in_the_tables() -> None:
    rows = federank.exhibits[0].rows(False)
    printed = {(row.panel, row.name, row.metric): row.paper for row in rows}
    assert len(printed) == (9 + 1) * 3 * 4, "and BPR-MF as we tuned it"
    assert printed["MovieLens-1M", "BPR-MF, tuned", "precision@10"] is None
    assert printed["Amazon Digital Music", "FedeRank T=X+/U, pi 0.9", "precision@10"] == 0.01422
    assert printed["MovieLens-1M", "Item-kNN", "precision@10"] == 0.08873
    italy = {(row.name, row.metric): row for row in fpl.exhibits[0].rows(True)}
    ratio = italy["sFPL+, pi 0.2", "precision@10"]
    assert ratio.paper == pytest.approx(0.05595 / 0.04634)
    assert ratio.over == baseline_run(True, "baseline/popular", "foursquare-italy")
    assert italy["Top-Pop", "precision@10"].paper == 0.04634
    assert italy["sFPL+, pi 0.2", "item_coverage@10"].over is None


def test_ratios_are_divided_by_most_populars() -> None:
    (row,) = (r for r in fpl.exhibits[0].rows(True) if (r.name, r.metric) == ("sFPL, pi 0.4", "precision@10"))
    o = outcomes(fpl, lambda r, d, pi: 0.02 if r == "baseline/popular" else 0.03)
    told = measured(row, o[row.wanted], o[row.over])  # type: ignore[index]
    assert told["ours"] == pytest.approx(1.5)
    assert told["ratio"]


def as_fpl_says(name: str, data: str, pi: float) -> float:
    if name.startswith("baseline/"):
        return 0.05
    level = 0.08 if name.endswith("+") else 0.05
    return level * {0.0: 0.01, 0.1: 0.95, 1.0: 0.97}.get(pi, 1.0)


def test_fpl_claims_hold_where_numbers_are_as_the_paper_says() -> None:
    found = check(fpl, outcomes(fpl, as_fpl_says, quick=False, without="foursquare-brazil"))
    assert {name: f.verdict for name, f in found.items()} == dict.fromkeys(
        ("F1", "F2", "F3", "F4", "Table 3"), "holds"
    )
    assert "24 of 24" in found["Table 3"].ours
    assert not any("Brazil" in name for name in found["F1"].numbers)


def test_fpl_claims_fail_where_nothing_is_so() -> None:
    def other(name: str, data: str, pi: float) -> float:
        if name.startswith("baseline/"):
            return 0.05
        return (0.03 if name.startswith("fpl/p") else 0.02) * (0.5 + pi / 2)

    found = check(fpl, outcomes(fpl, other))
    for name in ("F1", "F2", "F3", "F4"):
        assert found[name].verdict == "does not hold", name


def test_federank_claims() -> None:
    def as_told(name: str, data: str, pi: float) -> float:
        if name.startswith("baseline/"):
            return 0.01
        if name == "federank/tx":
            level = {"amazon-digital-music": 0.015, "librarything": 0.0125}.get(data, 0.0098)
        else:
            level = 0.007
        return level * {0.0: 0.01, 0.1: 0.93, 1.0: 0.99}.get(pi, 1.0)

    found = check(federank, outcomes(federank, as_told, quick=False))
    assert {name: f.verdict for name, f in found.items()} == {"F4": "holds", "F5": "holds", "F6": "holds"}
    flat = check(federank, outcomes(federank, lambda *_: 0.01))
    assert flat["F5"].verdict == "does not hold"


def test_popularity_profiles_are_sorted_shares() -> None:
    run = made(federated_run(True, "federank/tx", "amazon-digital-music", 0.1), lambda *_: 0.1)
    assert profile(run, "updates").tolist() == [0.5, 0.3, 0.2]
    assert len(profile(run, "nothing")) == 0


@pytest.mark.parametrize("paper", PAPERS, ids=lambda p: p.name)
def test_every_figure_of_the_issue_is_drawn(paper: Paper) -> None:
    o = outcomes(paper, as_fpl_says)
    charts = [chart for exhibit in paper.exhibits for chart in exhibit.charts(o)]
    kinds = {chart.name.partition("-foursquare")[0].partition("-amazon")[0] for chart in charts}
    every = {"f1", "coverage", "updates", "recommended"}
    assert kinds == (every | {"coverage-precision", "precision-cost", "bias"} if paper is fpl else every)
    assert all(series.points for chart in charts for series in chart.series)
    assert len({chart.name for chart in charts}) == len(charts)


def test_where_no_data_is_at_hand_nothing_is_claimed_or_drawn() -> None:
    wanted = {row.wanted for exhibit in fpl.exhibits for row in exhibit.rows(True)}
    nothing = Outcomes(True, {one: [] for one in wanted})
    found = check(fpl, nothing)
    assert {found[name].verdict for name in ("F1", "F2", "F3", "F4")} == {"not checked"}
    assert not [chart for exhibit in fpl.exhibits for chart in exhibit.charts(nothing)]


def test_cost_is_the_papers_for_sequential_and_parallel_alike() -> None:
    for name, number in (("fpl/sfpl", 28360734610), ("fpl/pfpl", 28360734610), ("fpl/pfpl+", 28384735058)):
        assert (
            round(cost(made(federated_run(False, name, "foursquare-brazil", 0.2), lambda *_: 0.1))) == number
        )


def test_a_front_has_no_point_that_another_beats() -> None:
    points: list[Any] = [(1.0, 3.0), (2.0, 2.0), (1.5, 1.0), (3.0, 1.0), (3.0, 0.5)]
    assert pareto(points) == [(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]
    assert pareto([]) == []
