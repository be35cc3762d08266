"""What PEPPER's claims make of made-up runs, and that every wanted run is one that can be started."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tacit.experiment.recipes import recipe
from tacit.experiment.result import Result
from tacit.experiment.run_settings import settle
from tacit.papers.base import Finding, Outcomes, Wanted, final
from tacit.papers.pepper.data_table import table_1
from tacit.papers.pepper.paper import paper
from tacit.papers.pepper.runs import ALGORITHMS, ML, NYC, PANELS, PEPPER, wanted
from tests.papers.pepper.made_up_runs import CLAIMS, by_recipe, check, counts_visits, result


@pytest.mark.parametrize("quick", [True, False])
def test_every_run_can_be_started(quick: bool) -> None:
    rows = [row for exhibit in paper.exhibits for row in exhibit.rows(quick)]
    assert {row.wanted.recipe for row in rows} >= set(ALGORITHMS)
    for run in {row.wanted for row in rows}:
        settle(recipe(run.recipe).parameters, dict(run.settings))
    names = "P1 P2a P2b P3a P3b P3c P3d P3e P3f P4 P5 P5b P6a P6b P6c P7 P7b P8 P9 P10 P11 P12 P13 P13b P14a P14b P14c"
    assert " ".join(claim.name for claim in paper.claims) == names
    assert all(claim.source and not claim.quick for claim in paper.claims)


def test_tables_hold_the_papers_numbers() -> None:
    rows = {
        (r.panel, r.name, r.metric): r.paper
        for e in paper.exhibits
        if e.name == "table-4"
        for r in e.rows(False)
    }
    panel = "MovieLens-100K, honest negatives, private user vectors"
    assert rows[panel, "FedAvg, weighted by data", "hr@20"] == pytest.approx(0.7969)
    assert rows[panel, "FedAvg", "hr@20"] is None, "equation 1 weighs by data; no number counts twice"
    assert rows[panel, "Reptile", "hr@20"] is not None
    assert rows["MovieLens-100K, centralized", "Popularity", "hr@20"] is None


def test_equation_1_weighs_by_data() -> None:
    table = next(e for e in paper.exhibits if e.name == "table-2")
    weights = {r.name: dict(r.wanted.settings).get("weights") for r in table.rows(True)}
    assert weights["FedAvg, weighted by data"] == "samples"
    assert weights["FedAvg"] is None


def test_every_table_and_figure_with_a_result_is_there() -> None:
    shown = {item for exhibit in paper.exhibits for item in exhibit.items}
    lettered = {f"figure-{n}{letter}" for n in (4, 5, 6, 8, 9, *range(10, 16)) for letter in "ab"}
    assert shown == {f"table-{n}" for n in range(1, 9)} | lettered | {"figure-7"}
    drawn = {metric for exhibit in paper.exhibits for metric in exhibit.cdf}
    assert drawn >= {"hr@20", "ndcg@20", "f1@5", "seconds_to_convergence"}
    for exhibit in paper.exhibits:
        assert set(exhibit.cdf) <= {row.metric for row in exhibit.rows(False)}, exhibit.name


def test_table_1_says_which_data_differ_from_the_papers() -> None:
    facts = table_1(False)
    assert {(f.panel, f.name): f.paper for f in facts}["Gowalla-NYC", "users"] == 718
    there = {(f.panel, f.name): f.ours for f in facts if f.ours is not None}
    if ("MovieLens-100K", "sparsity") in there:
        assert there["MovieLens-100K", "sparsity"] == pytest.approx(1 - 100_000 / 943 / 1682)


def test_fedfast_is_not_run_with_travelling_vectors() -> None:
    assert wanted(False, ML, "pepper/fedfast", PANELS[1]) is None
    assert wanted(False, ML, PEPPER, PANELS[1]) is not None


def test_p1_and_p3_go_by_the_best_competitor() -> None:
    assert check("P1", by_recipe(pepper=0.5)).verdict == "holds"
    assert check("P1", by_recipe(pepper=0.5, model_age=0.6)).verdict == "does not hold (0 of 54)"
    assert check("P1", by_recipe(pepper=0.3)).verdict == "does not hold (0 of 54)"  # level is not better
    for tail, cases in (("P3a", 18), ("P3b", 8)):
        assert check(tail, by_recipe(pepper=0.5)).verdict == "holds"
        assert check(tail, by_recipe(pepper=0.5, dec_reptile=0.9)).verdict == f"does not hold (0 of {cases})"


def test_p3c_goes_by_federated_rivals_on_movielens() -> None:
    assert check("P3c", by_recipe(pepper=0.5, model_age=0.9)).verdict == "holds"
    lost = check("P3c", by_recipe(pepper=0.5, reptile=0.9))
    assert lost.verdict == "does not hold (0 of 4)"
    assert all(name.startswith("MovieLens-100K") for name in lost.numbers)


def test_p3e_goes_by_federated_rivals_on_check_ins() -> None:
    assert check("P3e", by_recipe(pepper=0.5, model_age=0.9)).verdict == "holds"
    lost = check("P3e", by_recipe(pepper=0.5, reptile=0.9))
    assert lost.verdict == "does not hold (0 of 14)"
    assert not any(name.startswith("MovieLens-100K") for name in lost.numbers)


def test_the_count_of_cases_is_the_verdict() -> None:
    def on_movielens_alone(w: Wanted) -> Result:
        return result(0.9 if w.recipe == PEPPER and w.data == ML else 0.5)

    assert check("P1", on_movielens_alone).verdict == "does not hold (12 of 54)"


def test_every_length_of_list_is_a_case() -> None:
    def behind_on_long_lists(w: Wanted) -> Result:
        return result(0.1, shorter=0.9) if w.recipe == PEPPER else result(0.5)

    assert check("P1", behind_on_long_lists).verdict == "holds in 36 of 54"
    assert check("P2a", behind_on_long_lists).verdict == "holds in 28 of 37"
    assert check("P2b", behind_on_long_lists).verdict == "does not hold (4 of 12)"
    assert check("P10", behind_on_long_lists).verdict == "holds"
    assert check("P13b", behind_on_long_lists).verdict == "holds"
    assert check("P3a", behind_on_long_lists).verdict == "does not hold (0 of 18)", (
        "figures 4 to 6 have K = 20"
    )


def test_visits_to_known_places_are_cases_where_they_were_run() -> None:
    def on_visits_alone(w: Wanted) -> Result:
        return result(0.9 if w.recipe == PEPPER and counts_visits(w) else 0.5)

    for claim, count in (("P1", "6 of 54"), ("P2a", "5 of 37"), ("P3a", "2 of 18"), ("P3e", "2 of 14")):
        found = check(claim, on_visits_alone)
        assert found.verdict == f"does not hold ({count})", claim
        ahead = {name for name, gain in found.numbers.items() if gain}
        assert all(", with visits to known places: " in name for name in ahead), claim
        assert "visits" in CLAIMS[claim].needs
    assert "with visits to known places: f1@20 p25" in check("P3d", on_visits_alone).ours
    assert check("P13b", on_visits_alone).verdict == "does not hold (2 of 10)"
    for claim, cases in (("P1", 48), ("P2a", 32), ("P3a", 16), ("P3e", 12), ("P13", 4), ("P13b", 8)):
        assert without(claim, counts_visits).verdict == f"does not hold (0 of {cases})", claim


def test_p2_is_two_claims() -> None:
    def better_where_sparse(w: Wanted) -> Result:
        return result(0.9 if (w.recipe == PEPPER) == (w.data != ML) else 0.5)

    assert check("P2a", better_where_sparse).verdict == "holds"
    assert check("P2b", better_where_sparse).verdict == "holds"
    behind = by_recipe(pepper=0.1)
    lost = check("P2a", behind)
    assert lost.verdict == "does not hold (0 of 37)"
    excepted = {name for name in lost.numbers if name.startswith("Foursquare-NYC, prme-g")}
    assert not any("f1@20" in name for name in excepted), "the paper excepts F1@20 on Foursquare"
    assert len(excepted) == 10
    assert check("P2b", behind).verdict == "holds"
    assert check("P2b", by_recipe(pepper=0.9)).verdict == "does not hold (0 of 12)"
    assert check("P2b", by_recipe(pepper=0.3)).verdict == "does not hold (0 of 12)", "level is not behind"


def test_p3f_is_the_opposite_of_p3c() -> None:
    assert check("P3f", by_recipe(pepper=0.1)).verdict == "holds"
    assert check("P3f", by_recipe(pepper=0.5)).verdict == "does not hold (0 of 4)"


def test_p5b_compares_the_ends_of_alpha() -> None:
    def grows(w: Wanted) -> Result:
        return result(0.5 + 0.1 * float(dict(w.settings).get("alpha", 0.4)))  # type: ignore[arg-type]

    assert check("P5b", grows).verdict == "holds"
    assert check("P5b", by_recipe(pepper=0.9)).verdict == "does not hold (0 of 2)"


def test_p11_asks_for_the_papers_gains() -> None:
    def gaining(hr: float, ndcg: float) -> Callable[[Wanted], Result]:
        return lambda w: result(0.3 + hr, ndcg=0.3 + ndcg) if w.recipe == PEPPER else result(0.3)

    assert check("P11", gaining(0.07, 0.03)).verdict == "holds"
    assert check("P11", gaining(0.06, 0.03)).verdict == "does not hold (4 of 8)", (
        "8.93 points less 2 are not there"
    )


def test_p12_and_p13_name_the_best() -> None:
    assert check("P12", by_recipe(fedfast=0.5, pepper=0.9)).verdict == "holds"
    assert check("P12", by_recipe(fedfast=0.5, reptile=0.5)).verdict == "does not hold (0 of 2)"
    assert check("P13", by_recipe(reptile=0.5)).verdict == "holds"
    assert check("P13", by_recipe(reptile=0.5, model_age=0.9)).verdict == "does not hold (0 of 5)"
    assert {name.rpartition("@")[2] for name in check("P13", by_recipe()).numbers} == {"20"}


def test_p13b_is_about_shorter_lists() -> None:
    assert check("P13b", by_recipe(pepper=0.5, model_age=0.9)).verdict == "holds"
    lost = check("P13b", by_recipe(pepper=0.5, reptile=0.5))
    assert lost.verdict == "does not hold (0 of 10)", "level is not above"
    assert {name.rpartition("@")[2] for name in lost.numbers} == {"10", "5"}


def test_p14_wants_one_large_gain_of_each_metric() -> None:
    for claim, gain in (("P14a", 0.07), ("P14b", 0.04), ("P14c", 0.11)):
        assert check(claim, by_recipe(pepper=0.301 + gain)).verdict == "holds", claim
        assert check(claim, by_recipe(pepper=0.299 + gain)).verdict == "does not hold", claim
        assert check(claim, by_recipe(pepper=0.3, model_age=0.1)).verdict == "holds", "over any competitor"
        assert check(claim, by_recipe(pepper=0.3, fedavg=0.1)).verdict == "does not hold", "decentralized"
    kinds = {
        claim: {name.rpartition(": ")[2] for name in check(claim, by_recipe()).numbers} for claim in CLAIMS
    }
    assert kinds["P14a"] == {"hr@20", "hr@10", "hr@5"}
    assert kinds["P14b"] == {"ndcg@20", "ndcg@10", "ndcg@5"}
    assert kinds["P14c"] == {"f1@20", "f1@10", "f1@5"}


def test_p4_compares_what_is_lost() -> None:
    def losing(w: Wanted) -> Result:
        sparse = dict(w.settings).get("data.density") == "sparse"
        return result(0.8 - (0.1 if w.recipe == PEPPER else 0.3) * sparse)

    assert check("P4", losing).verdict == "holds"
    assert check("P4", by_recipe()).verdict == "does not hold (0 of 2)"


def test_p5_wants_a_peak_at_forty_percent() -> None:
    assert (
        check("P5", lambda w: result(0.5 - abs(float(dict(w.settings).get("alpha") or 0) - 0.4))).verdict
        == "holds"
    )
    assert check("P5", by_recipe()).verdict == "does not hold (0 of 2)"


def test_p8_wants_a_tail_and_not_two_zeros() -> None:
    assert check("P8", by_recipe(pepper=0.6, fedavg=0.2)).verdict == "holds"
    assert check("P8", by_recipe(pepper=0.6, fedavg=0.5)).verdict == "does not hold (0 of 4)"
    assert check("P8", by_recipe(pepper=0.0, fedavg=0.0)).verdict == "does not hold (0 of 4)"


def test_p10_wants_both_metrics_to_go_the_same_way() -> None:
    def at_the_cost_of_ndcg(w: Wanted) -> Result:
        return result(0.9, ndcg=0.1) if w.recipe == PEPPER else result(0.5, ndcg=0.5)

    assert check("P10", at_the_cost_of_ndcg).verdict == "does not hold (0 of 24)"
    last = check("P10", by_recipe(pepper=0.1))
    assert last.verdict == "holds", "behind by both: recall is not privileged"
    assert last.ours.endswith("HR gains in 0 of them")
    assert check("P10", by_recipe(pepper=0.9)).verdict == "holds"
    level = check("P10", lambda w: result(0.5, ndcg=0.6 if w.recipe == PEPPER else 0.5))
    assert level.verdict == "does not hold (0 of 24)"


def test_p3d_wants_one_large_gain_on_the_long_tail() -> None:
    assert check("P3d", by_recipe(pepper=0.5)).verdict == "holds"
    assert check("P3d", by_recipe(pepper=0.4)).verdict == "does not hold"


def without(claim: str, left_out: Callable[[Wanted], bool]) -> Finding:
    """What a claim makes of runs of which some are not finished."""
    every = {row.wanted for exhibit in paper.exhibits for row in exhibit.rows(False)}
    return CLAIMS[claim].judge(Outcomes(False, {w: [result(0.5)] for w in every if not left_out(w)}))


def test_unfinished_panels_do_not_count_and_finished_ones_do() -> None:
    def leaky(w: Wanted) -> bool:
        return dict(w.settings).get("negatives") == "paper"

    for claim in ("P4", "P5", "P6b", "P6c"):
        assert without(claim, leaky).verdict == "does not hold", claim
    assert without("P4", lambda w: leaky(w) and w.recipe == PEPPER).verdict == "does not hold"
    assert without("P5", lambda w: dict(w.settings).get("alpha") == 0.4).verdict == "not checked"
    assert (
        without("P5", lambda w: leaky(w) and dict(w.settings).get("alpha") == 0.2).verdict == "does not hold"
    )
    assert without("P6b", lambda w: leaky(w) and not dict(w.settings).get("view")).verdict != "not checked"


def test_a_metric_that_is_missing_decides_nothing() -> None:
    def without_spread(w: Wanted) -> Result:
        return replace(result(0.5), more={})

    every = {row.wanted for exhibit in paper.exhibits for row in exhibit.rows(False)}
    o = Outcomes(False, {w: [without_spread(w)] for w in every})
    assert CLAIMS["P3a"].judge(o).verdict == "not checked"
    assert CLAIMS["P1"].judge(o).verdict == "does not hold (0 of 54)"


def test_claims_on_tails_are_named_beside_the_figures_they_cite() -> None:
    names = {exhibit.name for exhibit in paper.exhibits}
    assert all(set(claim.cites) <= names for claim in paper.claims)
    assert {claim.name for claim in paper.claims if "figure-4" in claim.cites} == {
        "P3a",
        "P3b",
        "P3d",
        "P3e",
        "P8",
    }


def test_numbers_that_the_paper_prints_count_once() -> None:
    printed = {exhibit.name: exhibit.printed() for exhibit in paper.exhibits}
    assert [printed[f"table-{n}"] for n in (2, 4, 6, 8)] == [21, 21, 21, 6]
    assert (printed["figure-8"], printed["figure-9"]) == (2, 3)


def test_a_quick_look_decides_nothing() -> None:
    everything = {row.wanted for exhibit in paper.exhibits for row in exhibit.rows(True)}
    o = Outcomes(True, {w: [by_recipe(pepper=0.9)(w)] for w in everything})
    found = CLAIMS["P1"].judge(o)
    assert found.verdict == "not checked"
    assert found.ours.endswith("in 18 of 18 cases (gains of +0.600 to +0.600) (--quick: too short to decide)")
    assert CLAIMS["P1"].judge(Outcomes(False, {})).verdict == "not checked"


def test_a_figure_is_a_metric_a_spread_or_a_mean_over_users() -> None:
    run = result(0.4, rounds=50)
    assert final(run, "hr@20") == 0.4
    assert final(run, "hr@20 p10") == 0.2
    assert final(run, "rounds_to_convergence") == 50
    assert final(run, "seconds_to_convergence p10") == 0.5
    assert final(run, "hr@5 p10") is None
    assert final(run, "nothing") is None


def test_check_ins_are_filtered_as_in_the_paper() -> None:
    run = wanted(False, NYC, PEPPER)
    assert run is not None
    assert dict(run.settings)["data.min_item"] == 10
