from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest

from tacit.experiment.recipes import recipe
from tacit.experiment.result import Cost, Result
from tacit.experiment.run_settings import settle
from tacit.papers.base import Finding, Outcomes
from tacit.papers.hegedus.paper import paper
from tacit.papers.read_curves import at, bytes_until, ending

Shape = Callable[[float], float]


def run_of(shape: Shape, hours: float = 48.0) -> Result:
    """A curve with a point every half hour; a megabyte an hour is sent."""
    curve = [
        {"hours": h / 2, "bytes": h / 2 * 1e6, "round": float(h), "rmse": shape(h / 2)}
        for h in range(1, int(2 * hours) + 1)
    ]
    return Result("r", 0, {}, {}, {}, {"rmse": curve[-1]["rmse"]}, curve, Cost(), pl.DataFrame())


def outcomes(shape: Callable[[str, str, dict[str, object]], Shape], quick: bool) -> Outcomes:
    """Every setting of the paper with the curve that `shape(recipe, data, settings)` gives it."""
    everything = {row.wanted for exhibit in paper.exhibits for row in exhibit.rows(quick)}
    return Outcomes(
        quick,
        {
            w: [run_of(shape(w.recipe, w.data, dict(w.settings)), float(dict(w.settings)["hours"] or 0))]
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
    assert bytes_until(falling, 1.9) == 10e6
    assert bytes_until(falling, 0.1) is None


def test_missing_points_are_left_out() -> None:
    run = run_of(lambda h: 1.0)
    run.curve[-1]["rmse"] = None  # type: ignore[assignment]
    assert ending(run) == 1.0


@pytest.mark.parametrize("quick", [True, False])
def test_every_setting_is_one_that_can_be_run(quick: bool) -> None:
    rows = [row for exhibit in paper.exhibits for row in exhibit.rows(quick)]
    assert len(rows) == (30 if quick else 60)
    assert all(row.paper is None for row in rows)
    for row in rows:
        settle(recipe(row.wanted.recipe).parameters, dict(row.wanted.settings))


def test_flat_curves_hold_nothing() -> None:
    found = check(outcomes(lambda *_: lambda h: 1.0, quick=False))
    words = {name: finding.verdict for name, finding in found.items()}
    assert words == {
        "H1": "does not hold",
        "H2": "does not hold",
        "H3": "does not hold",
        "H4": "does not hold",
        "H5": "does not hold",
        "H6": "does not hold",
        "H7": "holds",  # equal is comparable
    }


def test_more_epochs_that_need_half_the_bytes() -> None:
    o = outcomes(
        lambda r, d, s: (lambda h: 1 + 1 / h) if s["epochs"] == 1 else (lambda h: 1 + 0.5 / h), quick=True
    )
    h1 = check(o)["H1"]
    assert h1.verdict == "holds"
    # One epoch reaches its best, 1 + 1/48, after 48 MB; ten epochs after 24.
    assert list(h1.numbers.values()) == pytest.approx([2.0] * 5)


def test_a_tenth_that_ends_lower_by_gossip_only() -> None:
    found = check(outcomes(lambda r, d, s: lambda h: 0.9 if r == "hegedus/gossip-10" else 1.0, quick=True))
    assert found["H2"].verdict == "partly"
    assert "2 of 4" in found["H2"].ours
    assert found["H5"].verdict == "holds"
    assert found["H7"].ours.endswith("ahead in 4")


def test_a_lead_that_is_lost_after_five_hours() -> None:
    def shape(r: str, d: str, s: dict[str, object]) -> Shape:
        return lambda h: 1.0 + (0.2 if "gossip" in r and h <= 5 else 0.0)

    h3 = check(outcomes(shape, quick=True))["H3"]
    assert h3.verdict == "holds"
    assert h3.numbers["MovieLens-100K, Gossip, merge, 1 epoch: hours until the lead is gone"] == 6
    late = check(outcomes(lambda r, d, s: lambda h: 1.0 + 0.2 * ("gossip" in r and h <= 20), quick=True))
    assert late["H3"].verdict == "does not hold"


def test_networks_of_two_sizes() -> None:
    def shape(r: str, d: str, s: dict[str, object]) -> Shape:
        gap = 0.02 if d == "movielens-1m" else 0.05
        return lambda h: 1.0 - gap * ("gossip" in r)

    found = check(outcomes(shape, quick=False))
    assert found["H4"].verdict == "holds"
    assert found["H5"].verdict == "partly"
    assert "not larger" in found["H5"].ours
    assert check(outcomes(shape, quick=True))["H4"].verdict == "not checked"


def test_bandwidth_under_churn() -> None:
    def shape(r: str, d: str, s: dict[str, object]) -> Shape:
        return lambda h: 1.0 - 0.1 * (s["bandwidth"] == "high") + 0.2 * ("gossip" in r)

    found = check(outcomes(shape, quick=True))
    assert found["H6"].verdict == "holds"
    assert found["H7"].verdict == "does not hold"
