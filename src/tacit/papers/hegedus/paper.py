"""The exhibits of Hegedűs, Danner, Jelasity (2020), gossip against federated learning: figures 3 and 4.

The paper prints no numbers of its results, only curves and what they show; so there is nothing to differ from in
digits, and the claims H1 to H7 are what is checked.
"""

from __future__ import annotations

from itertools import product

from tacit.core.settings import Value
from tacit.papers.base import Exhibit, Paper, Row
from tacit.papers.hegedus.claims import CLAIMS
from tacit.papers.hegedus.runs import (
    ALGORITHMS,
    CHURN_HIGH,
    CHURN_LOW,
    EPOCHS,
    QUIET,
    TITLES,
    datasets,
    wanted,
)


def _rows(quick: bool, scenarios: tuple[str, ...]) -> list[Row]:
    return [
        Row(_panel(data, scenario, epochs), name, wanted(quick, data, recipe, epochs, scenario), "rmse")
        for data, scenario, epochs in product(datasets(quick), scenarios, EPOCHS)
        for recipe, name in ALGORITHMS.items()
    ]


def _panel(data: str, scenario: str, epochs: Value) -> str:
    return f"{TITLES[data]}, {scenario}, {epochs} local epoch{'' if epochs == 1 else 's'}"


paper = Paper(
    name="hegedus",
    title="Hegedűs et al. 2020, gossip against federated learning",
    citation=(
        "István Hegedűs, Gábor Danner, Márk Jelasity: Decentralized recommendation based on matrix "
        "factorization: a comparison of gossip and federated learning. ECML PKDD 2019 Workshops, Springer 2020."
    ),
    exhibits=(
        Exhibit(
            "figure-3",
            "Figure 3: RMSE over virtual hours, everybody online, low bandwidth",
            lambda quick: _rows(quick, (QUIET,)),
            over="hours",
        ),
        Exhibit(
            "figure-4",
            "Figure 4: RMSE over virtual hours, phones that come and go",
            lambda quick: _rows(quick, (CHURN_LOW, CHURN_HIGH)),
            over="hours",
        ),
    ),
    claims=CLAIMS,
    notes=(
        "The paper shows curves and prints no numbers; no number of the paper stands beside ours.",
        "Its smartphone trace is not public: who is online comes from a generator with the trace's share online, "
        "mean session and daily rhythm.",
        "Its largest network, MovieLens-10M, is left out; --quick leaves out MovieLens-1M, all seeds but one, and "
        "what comes after 12 hours of figure 4.",
    ),
)
