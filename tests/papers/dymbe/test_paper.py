"""What the thesis' claims make of curves that were made up, and that every setting can be run."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest

from tacit.experiment.recipes import recipe
from tacit.experiment.result import Cost, Result
from tacit.experiment.run_settings import settle
from tacit.papers.base import NOT_AT_HAND, Finding, Outcomes, Wanted, measured, reference
from tacit.papers.dymbe.paper import paper
from tacit.papers.dymbe.runs import EVERYBODY, ML_1M, ML_100K, NETFLIX, YAHOO, clusters, wanted

Shape = Callable[[float], float]
Shapes = Callable[[Wanted], Shape]


def run_of(shape: Shape, hours: float) -> Result:
    """A curve with a point every half hour."""
    points = [
        {"hours": h / 2, "bytes": 0.0, "round": h, "rmse": shape(h / 2)} for h in range(1, int(2 * hours) + 1)
    ]
    return Result("r", 0, {}, {}, {}, {"rmse": points[-1]["rmse"]}, points, Cost(), pl.DataFrame())


def outcomes(shape: Shapes, quick: bool = True, at_hand: tuple[str, ...] = (ML_100K, ML_1M)) -> Outcomes:
    everything = {
        row.wanted for exhibit in paper.exhibits for row in exhibit.rows(quick) if row.metric == "rmse"
    }
    return Outcomes(
        quick,
        {
            w: [run_of(shape(w), float(dict(w.settings)["hours"] or 0))] * w.seeds
            if w.data in at_hand
            else []
            for w in everything
        },
    )


def check(o: Outcomes) -> dict[str, Finding]:
    return {claim.name: claim.check(o) for claim in paper.claims}


def by_variant(ends: dict[str, float], quick: bool = True) -> Shapes:
    """Flat curves at 1.0, but for these variants."""
    chosen = {wanted(quick, name): end for name, end in ends.items()}
    return lambda w: lambda h: chosen.get(w, 1.0)


def test_every_figure_of_the_thesis_with_a_result_is_there() -> None:
    """3.7 is drawn with the table of MNIST; 3.1 to 3.3 and 4.1 to 4.4 show no result of an experiment."""
    figures = {3: (4, 5, 6), 4: (5, 6, 7), 5: range(1, 14), 6: range(1, 6)}
    names = {f"figure-{chapter}.{n}" for chapter, numbers in figures.items() for n in numbers}
    assert {exhibit.name for exhibit in paper.exhibits} == names | {"mnist"}


def test_counting_where_an_item_is_known_changes_no_other_figures_runs() -> None:
    runs = {e.name: {row.wanted for row in e.rows(False)} for e in paper.exhibits}
    alone = runs["figure-5.9"]
    assert not any(alone & used for name, used in runs.items() if name != "figure-5.9")
    assert {dict(w.settings)["instruments.known"] for w in alone} == {True}


@pytest.mark.parametrize("quick", [True, False])
def test_every_setting_is_one_that_can_be_run(quick: bool) -> None:
    rows = [row for exhibit in paper.exhibits for row in exhibit.rows(quick)]
    assert {row.wanted.data for row in rows} == (
        {ML_100K, "mnist"} if quick else {ML_100K, ML_1M, NETFLIX, YAHOO, "mnist"}
    )
    for row in rows:
        settle(recipe(row.wanted.recipe).parameters, dict(row.wanted.settings))
    assert {claim.name for claim in paper.claims} == {f"D{n}" for n in range(1, 11)}
    names = {exhibit.name for exhibit in paper.exhibits}
    assert all(set(claim.needs) <= names for claim in paper.claims)


def test_every_number_of_the_thesis_has_a_row_of_ours() -> None:
    table = next(exhibit for exhibit in paper.exhibits if exhibit.name == "mnist")
    rows = table.rows(False)
    assert [row.paper for row in rows] == [
        float(line["accuracy_pct"]) / 100 for line in reference("dymbe/printed_mnist")
    ]
    assert all(row.wanted.seeds == 10 for row in rows)
    assert len({row.wanted for row in rows}) == len(rows) == 20
    near = {row.name: row.tolerance * (row.paper or 0) for row in rows}
    assert near["C=1/375"] == pytest.approx(0.01)
    assert near["majority voting, own initialization"] == pytest.approx(0.04)
    assert near["C=1/3"] == pytest.approx(2 * 0.0623), "two of the thesis' standard deviations"


def test_curves_that_are_all_the_same() -> None:
    words = {name: finding.verdict for name, finding in check(outcomes(lambda w: lambda h: 1.0)).items()}
    level = {
        "D1": "holds",
        "D2": "partly",
        "D5": "holds",
        "D7": "partly",
        "D9": "holds",
        "D10": "not checked",
    }
    assert words == {**{f"D{n}": "does not hold" for n in range(1, 11)}, **level}


def test_merges() -> None:
    def shape(w: Wanted) -> Shape:
        if w.recipe == "dymbe/keep-oldest":
            return lambda h: 1.2 if h < 20 else 1.0
        if w.recipe == "dymbe/exponential":
            return lambda h: 1.1 if h < 20 else 0.9
        return lambda h: {"dymbe/polynomial-2": 0.99, "dymbe/polynomial-3": 0.98}.get(w.recipe, 1.0)

    found = check(outcomes(shape))
    assert [found[name].verdict for name in ("D2", "D3", "D4")] == ["holds"] * 3
    assert "+0.2000" in found["D2"].ours
    worse = check(outcomes(by_variant({"quadratic": 0.98, "cubic": 0.99})))
    assert worse["D3"].verdict == "partly"


def test_starts_and_vectors() -> None:
    ends = {"data": 0.96, "data, vectors": 0.961, "data, high": 0.96, "data, vectors, high": 0.96}
    found = check(outcomes(by_variant({**ends, "data, fast vectors, high": 0.95, "central": 0.94})))
    assert [found[name].verdict for name in ("D6", "D7", "D8")] == ["holds"] * 3
    assert found["D7"].numbers["MovieLens-100K: gain at 0.1, high bandwidth"] == pytest.approx(0.01)
    both = check(outcomes(by_variant({"data": 0.96, "data, exponential": 0.95})))
    assert both["D6"].verdict == "partly"


def test_clusters_that_learn_fast_and_overfit() -> None:
    sizes = {clusters(True, "shared-data", 0.01, size): size for size in (1, 10, 100, EVERYBODY)}

    def shape(w: Wanted) -> Shape:
        size = sizes.get(w, 1)
        return lambda h: 1.0 - 0.01 * len(str(size)) * (1 if h < 6 else -1)

    d9 = check(outcomes(shape))["D9"]
    assert d9.verdict == "partly"
    assert "3 of 3 steps by the best value" in d9.ours
    assert "in 0 by the value at the end" in d9.ours


def test_federated_clusters_are_judged_on_the_larger_sets() -> None:
    def shape(w: Wanted) -> Shape:
        better = w.recipe == "dymbe/federated-clusters" and w.data == ML_1M
        return lambda h: 0.9 if better else 1.0

    assert check(outcomes(shape, quick=False))["D10"].verdict == "holds"
    assert check(outcomes(shape, quick=True))["D10"].verdict == "not checked"


def test_data_that_are_not_at_hand_leave_their_rows_empty() -> None:
    o = outcomes(lambda w: lambda h: 1.0, quick=False)
    rows = [row for exhibit in paper.exhibits for row in exhibit.rows(False) if row.wanted.data == YAHOO]
    assert rows
    for row in rows:
        told = measured(row, o[row.wanted])
        assert (told["ours"], told["verdict"]) == (None, NOT_AT_HAND)
        assert row.wanted.optional
    found = check(o)
    assert not any("Yahoo" in name for finding in found.values() for name in finding.numbers)


@pytest.mark.parametrize("quick", [True, False])
def test_a_claim_needs_no_more_than_the_figures_it_names(quick: bool) -> None:
    everything = outcomes(lambda w: lambda h: 1.0, quick)
    for claim in paper.claims:
        shown = [row.wanted for e in paper.exhibits if e.name in claim.needs for row in e.rows(quick)]
        assert claim.check(Outcomes(quick, {w: everything[w] for w in shown})).ours
