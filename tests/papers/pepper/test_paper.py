"""What PEPPER's claims make of made-up runs, and that every wanted run is one that can be started."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest

from tacit.experiment.recipes import recipe
from tacit.experiment.result import Cost, Result
from tacit.experiment.run_settings import settle
from tacit.papers.base import Finding, Outcomes, Wanted, final
from tacit.papers.pepper.paper import paper
from tacit.papers.pepper.runs import ALGORITHMS, ML, NYC, PANELS, PEPPER, wanted

CLAIMS = {claim.name: claim for claim in paper.claims}


def result(hr: float, rounds: float = 100.0, seconds: float = 1.0) -> Result:
    each = pl.DataFrame({"rounds_to_convergence": [rounds], "seconds": [seconds]})
    spread = {name: {"p10": hr / 2, "zero": 1 - hr} for name in ("hr@20", "f1@20")}
    return Result("r", 0, {}, {}, {}, {"hr@20": hr, "f1@20": hr}, [], Cost(), each, more={"spread": spread})


def check(claim: str, quality: Callable[[Wanted], Result], quick: bool = False) -> Finding:
    runs = {row.wanted: [quality(row.wanted)] for exhibit in paper.exhibits for row in exhibit.rows(quick)}
    return CLAIMS[claim].check(Outcomes(quick, runs))


def by_recipe(**known: float) -> Callable[[Wanted], Result]:
    return lambda w: result(known.get(w.recipe.split("/")[1].replace("-", "_"), 0.3))


@pytest.mark.parametrize("quick", [True, False])
def test_every_run_can_be_started(quick: bool) -> None:
    rows = [row for exhibit in paper.exhibits for row in exhibit.rows(quick)]
    assert {row.wanted.recipe for row in rows} >= set(ALGORITHMS)
    for run in {row.wanted for row in rows}:
        settle(recipe(run.recipe).parameters, dict(run.settings))
    assert {claim.name for claim in paper.claims} == {f"P{n}" for n in range(1, 8)}


def test_tables_hold_the_papers_numbers() -> None:
    rows = {
        (r.panel, r.name, r.metric): r.paper
        for e in paper.exhibits
        if e.name == "table-4"
        for r in e.rows(False)
    }
    panel = "MovieLens-100K, honest negatives, private user vectors"
    assert rows[panel, "FedAvg", "hr@20"] == pytest.approx(0.7969)
    assert rows["MovieLens-100K, centralized", "Popularity", "hr@20"] is None


def test_fedfast_is_not_run_with_travelling_vectors() -> None:
    assert wanted(False, ML, "pepper/fedfast", PANELS[1]) is None
    assert wanted(False, ML, PEPPER, PANELS[1]) is not None


def test_p1_and_p3_go_by_the_best_competitor() -> None:
    assert check("P1", by_recipe(pepper=0.5)).verdict == "holds"
    assert check("P1", by_recipe(pepper=0.5, model_age=0.6)).verdict == "does not hold"
    assert check("P1", by_recipe(pepper=0.3)).verdict == "does not hold"  # level is not better
    assert check("P3", by_recipe(pepper=0.5)).verdict == "holds"
    assert check("P3", by_recipe(pepper=0.5, dec_reptile=0.9)).verdict == "does not hold"


def test_p2_asks_for_both_sides() -> None:
    def better_where_sparse(w: Wanted) -> Result:
        return result(0.9 if (w.recipe == PEPPER) == (w.data != ML) else 0.5)

    assert check("P2", better_where_sparse).verdict == "holds"
    assert check("P2", by_recipe(pepper=0.9)).verdict == "partly"


def test_p4_compares_what_is_lost() -> None:
    def losing(w: Wanted) -> Result:
        sparse = dict(w.settings).get("data.density") == "sparse"
        return result(0.8 - (0.1 if w.recipe == PEPPER else 0.3) * sparse)

    assert check("P4", losing).verdict == "holds"
    assert check("P4", by_recipe()).verdict == "does not hold"


def test_p5_wants_a_peak_at_forty_percent() -> None:
    assert (
        check("P5", lambda w: result(0.5 - abs(float(dict(w.settings).get("alpha") or 0) - 0.4))).verdict
        == "holds"
    )
    assert check("P5", by_recipe()).verdict == "does not hold"


def test_p6_and_p7_go_by_rounds_and_seconds() -> None:
    def halved(w: Wanted) -> Result:
        six = dict(w.settings).get("view") == 6
        return result(0.5, rounds=60 if six else 100 if w.recipe == PEPPER else 200, seconds=4 if six else 2)

    assert check("P6", halved).verdict == "holds"
    assert check("P7", halved).verdict == "holds"
    assert check("P6", by_recipe()).verdict == "does not hold"
    assert check("P7", by_recipe()).verdict == "does not hold"


def test_a_figure_is_a_metric_a_spread_or_a_mean_over_users() -> None:
    run = result(0.4, rounds=50)
    assert final(run, "hr@20") == 0.4
    assert final(run, "hr@20 p10") == 0.2
    assert final(run, "rounds_to_convergence") == 50
    assert final(run, "hr@5 p10") is None
    assert final(run, "nothing") is None


def test_check_ins_are_filtered_as_in_the_paper() -> None:
    run = wanted(False, NYC, PEPPER)
    assert run is not None
    assert dict(run.settings)["data.min_item"] == 10
