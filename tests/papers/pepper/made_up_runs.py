"""Made-up runs for PEPPER's claims: every wanted run with a quality of the test's choice."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from tacit.experiment.result import Cost, Result
from tacit.papers.base import Finding, Outcomes, Wanted
from tacit.papers.pepper.paper import paper
from tacit.papers.pepper.runs import KS, VISITS

CLAIMS = {claim.name: claim for claim in paper.claims}


def result(
    hr: float,
    rounds: float = 100.0,
    seconds: float = 1.0,
    ndcg: float | None = None,
    shorter: float | None = None,
) -> Result:
    """A run with such a hit ratio and F1 at every K; `shorter`: another one at all K but 20."""
    each = pl.DataFrame({
        "rounds_to_convergence": [rounds] * 10,
        "network_rounds": [rounds] * 10,
        "seconds": [seconds] * 10,
        "seconds_to_convergence": [seconds * (0.5 if n < 2 else 1.0) for n in range(10)],
    })  # fmt: skip
    spread = {name: {"p10": hr / 2, "p25": hr, "zero": 1 - hr} for name in ("hr@20", "f1@20")}
    metrics: dict[str, float] = {}
    for k in KS:
        found = hr if k == 20 or shorter is None else shorter
        metrics |= {f"hr@{k}": found, f"f1@{k}": found, f"ndcg@{k}": found if ndcg is None else ndcg}
    return Result("r", 0, {}, {}, {}, metrics, [], Cost(), each, more={"spread": spread})


def check(claim: str, quality: Callable[[Wanted], Result], quick: bool = False) -> Finding:
    runs = {row.wanted: [quality(row.wanted)] for exhibit in paper.exhibits for row in exhibit.rows(quick)}
    return CLAIMS[claim].check(Outcomes(quick, runs))


def by_recipe(**known: float) -> Callable[[Wanted], Result]:
    return lambda w: result(known.get(w.recipe.split("/")[1].replace("-", "_"), 0.3))


def counts_visits(w: Wanted) -> bool:
    """Whether visits to known places count in a run."""
    return dict(w.settings).get("split") == VISITS["split"]
