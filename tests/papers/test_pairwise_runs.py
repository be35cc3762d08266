"""FPL and FedeRank as papers to run again: every row can be run; claims on made-up numbers; figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from tacit.experiment.recipes import recipe
from tacit.experiment.result import Cost, Result
from tacit.experiment.run_settings import settle
from tacit.papers.base import Exhibit, Finding, Outcomes, Paper, Wanted, measured, shares_of, stated, value_of
from tacit.papers.federank.data_table import table_1 as federank_table_1
from tacit.papers.federank.paper import paper as federank
from tacit.papers.fpl.cost_table import configuration_lines, cost_lines
from tacit.papers.fpl.data_table import table_1 as fpl_table_1
from tacit.papers.fpl.figures import cost, pareto
from tacit.papers.fpl.paper import paper as fpl
from tacit.papers.pairwise_runs import baseline_run, federated_run

PAPERS = (fpl, federank)
Made = Callable[[str, str, float], float]
"""P@10 of (recipe, data, pi)."""


def made(wanted: Wanted, precision: Made, wide: float = 100.0, at_one: float = 1.0) -> Result:
    """A run with that precision for each of twenty users, give or take a little; `at_one`: part of F1 left at pi 1."""
    settings = dict(wanted.settings)
    value = precision(wanted.recipe, wanted.data, float(settings.get("pi") or 0))
    each = [value + 0.001 * (n % 3 - 1) for n in range(21)]
    per_user = pl.DataFrame({"user": [str(n) for n in range(21)], "precision@10": each})
    counts = [50, 30, 20] if settings.get("pi") != 0.0 else [34, 33, 33]
    per_item = pl.DataFrame(
        {"item": ["a", "b", "c"], "train": counts, "updates": counts, "recommended@10": counts}
    )
    many = wanted.recipe.endswith("+")
    pi = float(settings.get("pi") or 0)
    metrics = {
        "precision@10": value,
        "recall@10": value,
        "f1@10": value * (at_one if settings.get("pi") == 1.0 else 1.0),
        "evenness@10": 0.1 + 0.1 * many + 0.01 * pi,
    }
    metrics["item_coverage@10"] = wide * (
        9 if settings.get("pi") == 0.0 else 1 + many + 0.1 * (1 + many) * pi
    )
    bias = {"bias@10": {"Food": {"disparity": 0.25}}}
    data, split = {"users": 17_473, "items": 47_270}, {"train": 599_958}
    return Result(wanted.recipe, 0, settings, data, split, metrics, [], Cost(), per_user, per_item, more=bias)


def outcomes(
    paper: Paper, precision: Made, quick: bool = True, without: str = "none", at_one: float = 1.0
) -> Outcomes:
    wanted = {row.wanted for exhibit in paper.exhibits for row in exhibit.rows(quick)}
    runs = {w: [] if w.data == without else [made(w, precision, at_one=at_one)] for w in wanted}
    return Outcomes(quick, runs)


def exhibit(paper: Paper, name: str) -> Exhibit:
    return next(one for one in paper.exhibits if one.name == name)


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
    rows = exhibit(federank, "table-2").rows(False)
    printed = {(row.panel, row.name, row.metric): row.paper for row in rows}
    assert len(printed) == (9 + 1) * 3 * 4, "and BPR-MF as we tuned it"
    assert printed["MovieLens-1M", "BPR-MF, tuned", "precision@10"] is None
    assert printed["Amazon Digital Music", "FedeRank T=X+/U, pi 0.9", "precision@10"] == 0.01422
    assert printed["MovieLens-1M", "Item-kNN", "precision@10"] == 0.08873
    italy = {(row.name, row.metric): row for row in exhibit(fpl, "table-2").rows(True)}
    ratio = italy["sFPL+, pi 0.2", "precision@10"]
    assert ratio.paper == pytest.approx(0.05595 / 0.04634)
    assert ratio.over == baseline_run(True, "baseline/popular", "foursquare-italy")
    assert italy["Top-Pop", "precision@10"].paper == 0.04634
    assert italy["sFPL+, pi 0.2", "item_coverage@10"].over is None


def test_ratios_are_divided_by_most_populars() -> None:
    rows = exhibit(fpl, "table-2").rows(True)
    (row,) = (r for r in rows if (r.name, r.metric) == ("sFPL, pi 0.4", "precision@10"))
    o = outcomes(fpl, lambda r, d, pi: 0.02 if r == "baseline/popular" else 0.03)
    told = measured(row, o[row.wanted], o[row.over])  # type: ignore[index]
    assert told["ours"] == pytest.approx(1.5)
    assert told["ratio"]


def as_fpl_says(name: str, data: str, pi: float) -> float:
    if name.startswith("baseline/"):
        return 0.05
    level = 0.08 if name.endswith("+") else 0.05
    return level * {0.0: 0.01, 0.1: 0.96, 1.0: 0.97}.get(pi, 1.0)


def test_fpl_claims_hold_where_numbers_are_as_the_paper_says() -> None:
    def slightly_above(name: str, data: str, pi: float) -> float:
        if name == "baseline/user-knn":
            return 0.09
        if name in ("fpl/sfpl", "fpl/pfpl") and pi:
            return 0.051
        return as_fpl_says(name, data, pi) * (1.045 if name == "fpl/pfpl+" else 1)

    o = outcomes(fpl, slightly_above, quick=False, without="foursquare-brazil", at_one=0.85)
    found = check(fpl, o)
    assert {name: f.verdict for name, f in found.items()} == {
        **dict.fromkeys((claim.name for claim in fpl.claims), "holds"),
        "F8b": "does not hold (0 of 2)",
    }
    assert len(found["F21"].numbers) == 2 * 2 * 2 * 10, "coverage and P@10 of two pairs in two countries"
    assert "24 of 24" in found["Table 3"].ours
    assert not any("Brazil" in name for name in found["F1a"].numbers)


def test_on_a_par_is_not_ten_percent_below() -> None:
    def below(part: float) -> Made:
        return lambda name, data, pi: 0.05 if name.startswith("baseline/") else 0.05 * part

    assert check(fpl, outcomes(fpl, below(0.92)))["F1a"].verdict == "does not hold"
    assert check(fpl, outcomes(fpl, below(0.96)))["F1a"].verdict == "holds"
    assert check(fpl, outcomes(fpl, below(0.96)))["F1b"].verdict == "does not hold"


def test_fpl_claims_fail_where_nothing_is_so() -> None:
    def other(name: str, data: str, pi: float) -> float:
        if name.startswith("baseline/"):
            return 0.05
        return (0.03 if name.startswith("fpl/p") else 0.02) * (0.5 + pi / 2)

    found = check(fpl, outcomes(fpl, other))
    assert {
        name: f.verdict for name, f in found.items() if name.rstrip("ab") in ("F1", "F2", "F3", "F4", "F8")
    } == {
        "F1a": "does not hold",
        "F1b": "does not hold",
        "F2": "does not hold (0 of 2)",
        "F3": "does not hold (0 of 2)",
        "F4a": "does not hold (0 of 4)",
        "F4b": "does not hold (0 of 4)",
        "F8a": "does not hold",
        "F8b": "holds",
    }


def test_a_tie_with_pi_1_is_not_better() -> None:
    def tied(name: str, data: str, pi: float) -> float:
        return 0.08 if pi >= 0.1 else 0.01

    found = check(fpl, outcomes(fpl, tied))["F4a"]
    assert found.verdict == "does not hold (0 of 4)"
    assert found.numbers["Foursquare Italy, sFPL: F1@10 at pi 1"] == 0.08
    assert check(federank, outcomes(federank, tied))["F4a"].verdict == "does not hold (0 of 2)"


def test_pi_is_judged_by_f1() -> None:
    assert check(fpl, outcomes(fpl, as_fpl_says))["F4a"].verdict == "does not hold (0 of 4)", "3 % is noise"
    o = outcomes(fpl, as_fpl_says, at_one=0.85)
    assert check(fpl, o)["F4a"].verdict == "holds"
    for pi in (0.0, 0.1, 0.4, 1.0):
        o[federated_run(True, "fpl/sfpl", "foursquare-italy", pi)][0].metrics["f1@10"] = pi
    found = check(fpl, o)
    assert found["F4a"].verdict == "holds in 3 of 4"
    assert found["F4b"].numbers["Foursquare Italy, sFPL: part of the best at pi 0.1"] == pytest.approx(0.1)


def test_both_together_must_beat_local_computation_alone() -> None:
    assert check(fpl, outcomes(fpl, as_fpl_says))["F14"].verdict == "does not hold", "equal is no improvement"


def test_user_knn_is_set_against_every_other_row() -> None:
    def made_up(name: str, data: str, pi: float) -> float:
        return {"baseline/user-knn": 0.07, "baseline/item-knn": 0.054, "baseline/vae": 0.08}.get(name, 0.05)

    found = check(fpl, outcomes(fpl, made_up, quick=False, without="foursquare-brazil"))
    assert found["F16"].verdict == "holds"
    assert found["F17"].verdict == "holds in 18 of 20", "VAE is ahead in both countries"
    o = outcomes(fpl, made_up)
    o[baseline_run(True, "baseline/item-knn", "foursquare-italy")][0].metrics["precision@10"] = 0.02
    found = check(fpl, o)
    assert (found["F16"].verdict, found["F16"].ours) == (
        "does not hold",
        "P@10 of Item-kNN over BPR-MF's: 0.40",
    )
    assert found["F17"].ours == "User-kNN is ahead in 9 of 9 cases; not run: VAE"


def test_diversity_beside_the_centre_and_along_pi() -> None:
    o = outcomes(fpl, as_fpl_says)
    o[baseline_run(True, "baseline/bpr-mf", "foursquare-italy")][0].metrics["item_coverage@10"] = 900.0
    o[federated_run(True, "fpl/sfpl+", "foursquare-italy", 0.1)][0].metrics["item_coverage@10"] = 90.0
    o[federated_run(True, "fpl/pfpl", "foursquare-italy", 1.0)][0].metrics["item_coverage@10"] = 150.0
    o[federated_run(True, "fpl/pfpl+", "foursquare-italy", 1.0)][0].metrics["item_coverage@10"] = 190.0
    found = check(fpl, o)
    assert found["F18"].verdict == "does not hold (2 of 4)", "BPR-MF is wider, and less even"
    assert found["F19"].verdict == "holds in 3 of 4", "the last step of pFPL+ loses more than 2 %"
    assert "sFPL, coverage: 2 of 2" in found["F19"].ours
    assert not any("evenness" in name for name in found["F19"].numbers)
    assert found["F20"].verdict == "does not hold (1 of 2)"
    assert "pFPL+ 12, pFPL 49" in found["F20"].ours
    assert found["F21"].verdict == "holds in 3 of 4", "sFPL+ at pi 0.1 is narrower"


def test_a_bias_against_what_others_favour_is_another_one() -> None:
    o = outcomes(fpl, as_fpl_says)
    for wanted in {row.wanted for row in exhibit(fpl, "table-4").rows(True)}:
        if wanted.recipe == "fpl/sfpl":
            o[wanted][0].more["bias@10"]["Food"]["disparity"] = -0.5
    assert check(fpl, o)["F9"].verdict == "holds in 3 of 4"


def test_a_category_on_which_others_are_divided_does_not_count_and_is_named() -> None:
    o = outcomes(fpl, as_fpl_says)
    absent = baseline_run(True, "baseline/vae", "foursquare-italy")
    o = Outcomes(
        True, {w: o.get(w) for w in {r.wanted for e in fpl.exhibits for r in e.rows(True)} - {absent}}
    )
    for rival in ("baseline/bpr-mf", "baseline/fcf"):
        o[baseline_run(True, rival, "foursquare-italy")][0].more["bias@10"]["Food"]["disparity"] = -0.5
    found = check(fpl, o)["F9"]
    assert found.verdict == "not checked"
    assert "4 more do not count" in found.ours
    assert found.ours.endswith("(Foursquare Italy, Food); not run: VAE")


def as_federank_says(name: str, data: str, pi: float) -> float:
    if name.startswith("baseline/"):
        return 0.01
    tx = {"amazon-digital-music": 0.0155, "librarything": 0.0128}.get(data, 0.0098)
    t1 = {"amazon-digital-music": 0.0067, "librarything": 0.0088}.get(data, 0.0098)
    return (tx if name == "federank/tx" else t1) * {0.0: 0.01, 0.1: 0.93, 1.0: 0.99}.get(pi, 1.0)


def test_federank_claims() -> None:
    found = check(federank, outcomes(federank, as_federank_says, quick=False, at_one=0.85))
    names = ("F4a", "F4b", "F4c", "F5a", "F5b", "F6", "F10", "F12", "F15")
    assert {name: found[name].verdict for name in names} == dict.fromkeys(names, "holds")
    flat = check(federank, outcomes(federank, lambda *_: 0.01))
    assert (flat["F5a"].verdict, flat["F5b"].verdict) == ("does not hold", "does not hold")
    assert "BPR-MF as we tuned it: Amazon Digital Music 1.55" in found["F5a"].ours
    assert flat["F10"].verdict == "does not hold", "T = 1 is level with BPR-MF"
    assert flat["F4c"].verdict == "does not hold (0 of 2)"
    assert "tuned" not in found["F5b"].ours
    assert len(found["F4c"].numbers) == 4 * 6
    assert "MovieLens-1M, T = 1 has F1@10" in found["F4c"].ours, "it stands beside the count"


def test_a_metric_that_is_missing_is_not_zero() -> None:
    o = outcomes(federank, as_federank_says)
    for run in o.every():
        del run.metrics["f1@10"]
    assert check(federank, o)["F4c"].verdict == "not checked"
    assert not check(federank, o)["F4c"].numbers
    alone = outcomes(federank, as_federank_says, quick=False)
    for run in alone.every():
        run.per_user.drop_in_place("precision@10")
    judged = {claim.name: claim.judge(alone).verdict for claim in federank.claims}
    assert judged["F5a"] == "not checked", "no user, no test"
    assert judged["F5b"] == "holds", "means are there"


def test_diversity_must_grow_all_the_way() -> None:
    o = outcomes(federank, as_federank_says)
    o[federated_run(True, "federank/tx", "amazon-digital-music", 0.9)][0].metrics["item_coverage@10"] = 90.0
    found = check(federank, o)["F12"]
    assert found.verdict == "holds in 3 of 4"
    assert "T = X+/U, coverage: 1 of 2" in found.ours


def test_coverage_beside_rivals() -> None:
    o = outcomes(federank, as_federank_says)
    o[baseline_run(True, "baseline/fcf", "amazon-digital-music")][0].metrics["item_coverage@10"] = 200.0
    assert check(federank, o)["F15"].verdict == "does not hold (1 of 2)"


def test_a_gain_of_twice_the_papers_is_not_the_papers() -> None:
    def doubled(name: str, data: str, pi: float) -> float:
        return 0.02 if name == "federank/tx" and data != "movielens-1m" else 0.01

    found = check(federank, outcomes(federank, doubled, quick=False))
    assert found["F5a"].verdict == "holds"
    assert found["F5b"].verdict == "does not hold (0 of 2)"
    everywhere = check(
        federank, outcomes(federank, lambda n, d, pi: 0.01 + 0.01 * (n == "federank/tx"), False)
    )
    assert everywhere["F5a"].verdict == "holds in 2 of 3", "MovieLens-1M, too"


def test_fcf_is_a_rival_of_its_own() -> None:
    def below_fcf(name: str, data: str, pi: float) -> float:
        return 0.05 if name == "baseline/fcf" else as_federank_says(name, data, pi)

    assert check(federank, outcomes(federank, below_fcf, False))["F13"].verdict == "does not hold (0 of 3)"
    found = check(federank, outcomes(federank, as_federank_says, False))["F13"]
    assert found.verdict == "holds in 2 of 3", "not on MovieLens-1M"
    assert "relative to FCF: Amazon Digital Music 1.55" in found.ours


def test_at_pi_0_items_are_updated_alike() -> None:
    assert check(federank, outcomes(federank, as_federank_says))["F11"].verdict == "holds"
    o = outcomes(federank, as_federank_says)
    wanted = federated_run(True, "federank/tx", "amazon-digital-music", 0.0)
    uneven = made(replace(wanted, settings=(("pi", 0.5),)), as_federank_says)
    o = Outcomes(True, {wanted: [uneven]})
    (apart,) = check(federank, o)["F11"].numbers.values()
    assert apart == pytest.approx((abs(0.5 - 1 / 3) + abs(0.3 - 1 / 3) + abs(0.2 - 1 / 3)) / 2)
    assert check(federank, o)["F11"].verdict == "does not hold"


def test_a_baseline_that_is_not_trained_decides_nothing() -> None:
    quick = outcomes(federank, as_federank_says)
    words = {claim.name: claim.judge(quick).verdict for claim in federank.claims}
    assert words == dict.fromkeys(words, "not checked") | {"F11": "holds"}
    assert {claim.name for claim in fpl.claims if claim.quick} == {"Table 3"}


def test_tables_that_need_no_run() -> None:
    assert all(stated(line)["verdict"] == "agrees" for line in cost_lines())
    assert len(cost_lines()) == 24
    assert all(stated(line)["verdict"] == "agrees" for line in configuration_lines())
    assert len(configuration_lines()) == exhibit(fpl, "table-3").printed() - 24 == 16
    italy = {fact.name: fact.paper for fact in fpl_table_1(True)}
    assert (italy["items"], italy["Nightlife Spot"]) == (25_522, 1.3559)
    amazon = {(fact.panel, fact.name): fact for fact in federank_table_1(False)}
    assert amazon["LibraryThing", "users"].paper == 7_279
    found = amazon["Amazon Digital Music", "records"]
    assert found.ours in (None, found.paper)


def test_popularity_profiles_are_sorted_shares() -> None:
    run = made(federated_run(True, "federank/tx", "amazon-digital-music", 0.1), lambda *_: 0.1)
    assert shares_of(run, "updates").tolist() == [0.5, 0.3, 0.2]
    assert len(shares_of(run, "nothing")) == 0
    assert value_of(run, "apart:updates") == pytest.approx(1 / 6)
    assert value_of(run, "apart:nothing") is None


def test_figure_2_is_about_updates() -> None:
    rows = exhibit(federank, "figure-2").rows(False)
    assert {row.metric for row in rows} == {"apart:updates"}
    assert {row.wanted.recipe for row in rows} == {"federank/tx"}


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
    assert {found[claim.name].verdict for claim in fpl.claims if claim.name != "Table 3"} == {"not checked"}
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
