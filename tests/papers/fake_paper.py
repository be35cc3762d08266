"""A made-up paper that runs in moments."""

from __future__ import annotations

from typing import Any

import pytest

from tacit.papers import reproduce
from tacit.papers.base import Claim, Exhibit, Fact, Finding, Outcomes, Paper, Row, Wanted

SETTINGS = {"data.users": 30, "data.items": 40, "data.interactions": 400, "rounds": 3, "split.n": 3}
CENTRAL = Wanted("baseline/central-mf", "synthetic", tuple(SETTINGS.items()), seeds=2, seconds=100)
RARE = Wanted("baseline/central-mf", "yahoo-r3", optional=True)
"""On data that are not at hand."""
FEDERATED = Wanted("hegedus/federated", "synthetic", tuple(SETTINGS.items()), seconds=20)


def _check(o: Outcomes) -> Finding:
    lower = o[CENTRAL][0].metrics["rmse"] < o[FEDERATED][0].metrics["rmse"]
    return Finding(
        "holds" if lower else "does not hold", "as <expected>", {"central": o[CENTRAL][0].metrics["rmse"]}
    )


PAPER = Paper(
    "fake",
    "A made-up paper",
    "Nobody: <Nothing>. Never.",
    (
        Exhibit(
            "table-1",
            "Table 1",
            lambda quick: [
                Row("tiny", "Central", CENTRAL, "rmse", paper=5.0),
                *([] if quick else [Row("tiny", "Federated", FEDERATED, "rmse")]),
            ],
        ),
        Exhibit(
            "table-2", "Table 2", lambda quick: [] if quick else [Row("rare", "Central", RARE, "rmse", 1.0)]
        ),
        Exhibit("figure-1", "Figure 1", lambda quick: [Row("tiny", "Federated", FEDERATED, "rmse")], "hours"),
        Exhibit(
            "sizes",
            "Sizes",
            facts=lambda quick: [Fact("tiny", "users", "users", 30.0, 31.0)],
            covers=("table-3", "figure-2a", "figure-2b"),
        ),
    ),
    (
        Claim(
            "C1", "Central is <better>", "section <1>", "lower", ("table-1", "figure-1"), _check, quick=True
        ),
    ),
    ("All made up.",),
    {"figure-9": "a drawing, no result"},
    quick_notes=("--quick: one run less.",),
)


@pytest.fixture
def fake_paper(monkeypatch: pytest.MonkeyPatch) -> Paper:
    """Known as `fake`."""
    monkeypatch.setattr(reproduce, "offered", lambda package, what: {"fake": PAPER, "hegedus": None})
    real: Any = reproduce.find
    monkeypatch.setattr(
        reproduce, "find", lambda package, what, name: PAPER if name == "fake" else real(package, what, name)
    )
    return PAPER
