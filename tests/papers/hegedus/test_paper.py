from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest

from tacit.experiment.recipes import recipe
from tacit.experiment.result import Cost, Result
from tacit.experiment.run_settings import settle
from tacit.papers.base import Finding, Outcomes, stated
from tacit.papers.hegedus.data_and_churn import churn_charts, churn_facts, table_1
from tacit.papers.hegedus.paper import paper
from tacit.papers.read_curves import at, best, bytes_until, ending

Shape = Callable[[float], float]


def run_of(shape: Shape, hours: float = 48.0) -> Result:
    """A curve with a point every half hour; a megabyte an hour is sent."""
    curve = [
        {"hours": h / 2, "bytes": h / 2 * 1e6, "round": float(h), "rmse": shape(h / 2)}
        for h in range(1, int(2 * hours) + 1)
    ]
    return Result("r", 0, {}, {}, {}, {"rmse": curve[-1]["rmse"]}, curve, Cost(), pl.DataFrame())


def outcomes(shape: Callable[[str, str, dict[str, object]], Shape], quick: bool) -> Outcomes:
    """Every setting of the paper with the curve that `shape(recipe, data, settings)` gives it; 10M is not at hand."""
    everything = {row.wanted for exhibit in paper.exhibits for row in exhibit.rows(quick)}
    return Outcomes(
        quick,
        {
            w: []
            if w.optional
            else [run_of(shape(w.recipe, w.data, dict(w.settings)), float(dict(w.settings)["hours"] or 0))]
            * w.seeds
            for w in everything
        },
    )


def check(o: Outcomes) -> dict[str, Finding]:
    return {claim.name: claim.check(o) for claim in paper.claims}


def test_the_curves_are_read_at_an_hour_at_the_end_and_by_bytes() -> None:
    falling = run_of(lambda h: 2 - h / 100)
    assert at(falling, 10) == pytest.approx(1.9)
    assert ending(falling) == pytest.approx(2 - 0.47)  # 46, 46.5, ..., 48
    assert ending(falling, until=24) == pytest.approx(2 - 0.23)  # 22, 22.5, ..., 24
    assert best(falling, until=24) == pytest.approx(2 - 0.24)
    assert bytes_until(falling, 1.9) == 10e6
    assert bytes_until(falling, 0.1) is None


def test_missing_points_are_left_out() -> None:
    run = run_of(lambda h: 1.0)
    run.curve[-1]["rmse"] = None  # type: ignore[assignment]
    assert ending(run) == 1.0


@pytest.mark.parametrize("quick", [True, False])
def test_every_setting_is_one_that_can_be_run(quick: bool) -> None:
    rows = [row for exhibit in paper.exhibits for row in exhibit.rows(quick)]
    assert len(rows) == (20 if quick else 60)
    large = {row.wanted for row in rows if row.wanted.data == "movielens-10m"}
    assert all(w.optional and w.seeds == 1 for w in large)
    assert {w.recipe for w in large if w.gigabytes} == (
        set() if quick else {"hegedus/gossip", "hegedus/gossip-merge", "hegedus/gossip-10"}
    )
    assert all(row.paper is None for row in rows)
    for row in rows:
        settle(recipe(row.wanted.recipe).parameters, dict(row.wanted.settings))


def test_flat_curves_hold_nothing() -> None:
    found = check(outcomes(lambda *_: lambda h: 1.0, quick=False))
    words = {name: finding.verdict for name, finding in found.items()}
    cases = {"H1": 10, "H2": 8, "H3": 8, "H4": 2, "H5a": 4, "H5b": 2, "H6": 10, "H8": 8, "H9": 4}
    # Equal is comparable.
    assert words == {name: f"does not hold (0 of {n})" for name, n in cases.items()} | {
        "H7": "holds",
        "H7b": "holds",
    }


def test_gossip_that_does_better_in_the_larger_network_under_churn_at_high_bandwidth() -> None:
    def shape(r: str, d: str, s: dict[str, object]) -> Shape:
        ahead = "gossip" in r and d == "movielens-1m" and s.get("churn") and s["bandwidth"] == "high"
        return lambda h: 0.9 if ahead else 1.0

    h9 = check(outcomes(shape, quick=False))["H9"]
    assert h9.verdict == "does not hold (2 of 4)"
    assert h9.numbers[
        "MovieLens-1M, churn, high bandwidth, Gossip, merge, RMSE of gossip minus federated"
    ] == (pytest.approx(-0.1))
    assert check(outcomes(shape, quick=True))["H9"].verdict == "not checked"


def test_more_epochs_that_need_half_the_bytes() -> None:
    o = outcomes(
        lambda r, d, s: (lambda h: 1 + 1 / h) if s["epochs"] == 1 else (lambda h: 1 + 0.5 / h), quick=True
    )
    h1 = check(o)["H1"]
    assert h1.verdict == "holds"
    # One epoch reaches its best, 1 + 1/24, after 24 MB; ten epochs after 12.
    assert list(h1.numbers.values()) == pytest.approx([2.0] * 5)


def test_claims_are_judged_where_the_papers_curves_end() -> None:
    """Gossip leads at 24 hours and is far behind at 48: the paper saw the former only."""

    def shape(r: str, d: str, s: dict[str, object]) -> Shape:
        return lambda h: 1.0 + (0.0 if "federated" in r else -0.05 if h <= 24 else 0.5)

    found = check(outcomes(shape, quick=False))
    assert found["H5a"].verdict == "holds"
    assert found["H7"].verdict == "holds"
    assert found["H5a"].numbers["MovieLens-1M, Gossip, merge, RMSE by which gossip is ahead"] == (
        pytest.approx(0.05)
    )


def test_a_tenth_that_ends_lower_by_gossip_only() -> None:
    found = check(outcomes(lambda r, d, s: lambda h: 0.9 if r == "hegedus/gossip-10" else 1.0, quick=True))
    assert found["H2"].verdict == "does not hold (2 of 4)"
    assert "2 of 4" in found["H2"].ours
    assert found["H5a"].verdict == "does not hold (1 of 2)"
    assert found["H7"].ours.endswith("ahead in 2")
    assert found["H8"].verdict == "does not hold (2 of 4)"


def test_a_lead_that_is_lost_after_five_hours() -> None:
    def shape(r: str, d: str, s: dict[str, object]) -> Shape:
        return lambda h: 1.0 + (0.2 if "gossip" in r and h <= 5 else 0.0)

    h3 = check(outcomes(shape, quick=True))["H3"]
    assert h3.verdict == "holds"
    assert h3.numbers["MovieLens-100K, Gossip, merge, 1 epoch: hours until the lead is gone"] == 6
    late = check(outcomes(lambda r, d, s: lambda h: 1.0 + 0.2 * ("gossip" in r and h <= 20), quick=True))
    assert late["H3"].verdict == "does not hold (0 of 4)"


def test_networks_of_two_sizes() -> None:
    def shape(r: str, d: str, s: dict[str, object]) -> Shape:
        gap = 0.02 if d == "movielens-1m" else 0.05
        return lambda h: 1.0 - gap * ("gossip" in r)

    found = check(outcomes(shape, quick=False))
    assert found["H4"].verdict == "holds"
    assert found["H5a"].verdict == "holds"
    assert found["H5b"].verdict == "does not hold (0 of 2)"
    quick = check(outcomes(shape, quick=True))
    assert (quick["H4"].verdict, quick["H5b"].verdict) == ("not checked", "not checked")


def test_less_than_the_margin_is_level() -> None:
    def shape(r: str, d: str, s: dict[str, object]) -> Shape:
        ahead = 0.004 * ("gossip" in r) * (2 if d == "movielens-1m" else 1)
        return lambda h: 1.0 - ahead - 0.008 * r.endswith("-10")

    found = check(outcomes(shape, quick=False))
    cases = {"H2": 8, "H4": 2, "H5b": 2, "H8": 8}
    assert {name: found[name].verdict for name in cases} == {
        name: f"does not hold (0 of {count})" for name, count in cases.items()
    }


def test_a_network_that_is_not_finished_is_left_out() -> None:
    o = outcomes(lambda *_: lambda h: 1.0, quick=False)
    every = {row.wanted for e in paper.exhibits for row in e.rows(False)}
    begun = Outcomes(
        False, {w: o[w] for w in every if w.data != "movielens-1m" or dict(w.settings)["epochs"] == 1}
    )
    words = {claim.name: claim.judge(begun).verdict for claim in paper.claims}
    assert (words["H2"], words["H5a"]) == ("does not hold (0 of 4)", "does not hold (0 of 4)")
    assert {claim.judge(Outcomes(False, {})).verdict for claim in paper.claims} == {"not checked"}


def test_bandwidth_under_churn() -> None:
    def shape(r: str, d: str, s: dict[str, object]) -> Shape:
        return lambda h: 1.0 - 0.1001 * (s["bandwidth"] == "high") + 0.2 * ("gossip" in r)

    found = check(outcomes(shape, quick=True))
    assert found["H6"].verdict == "holds"
    assert found["H7"].verdict == "does not hold (0 of 4)"


def test_table_1_stands_beside_the_papers() -> None:
    printed = {(fact.panel, fact.name): fact.paper for fact in table_1(False)}
    assert printed["MovieLens-1M", "items"] == 3952
    assert printed["MovieLens-10M", "records"] == 10_000_054
    assert printed["MovieLens-100K", "days from the first to the last rating"] == 214
    ours = {fact.name: fact.ours for fact in table_1(False) if fact.panel == "Every data set"}
    assert ours == {"model.eta": 0.01, "model.lam": 0.1, "model.k": 5}


def test_the_generator_has_the_traces_figures() -> None:
    for fact in churn_facts(False):
        assert stated(fact)["verdict"] == "agrees", fact
    lengths, by_hour = churn_charts(Outcomes(True, {}))
    assert 0.9 < sum(share for _, share in lengths.series[0].points) <= 1
    assert {series.name: len(series.points) for series in by_hour.series} == dict.fromkeys(
        ("online", "joined", "left"), 48
    )
    online = dict(by_hour.series[0].points)
    assert online[24.5] > online[12.5], "more phones charge at night"
