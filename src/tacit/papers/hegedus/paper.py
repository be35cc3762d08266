"""The exhibits of Hegedűs, Danner, Jelasity (2020), gossip against federated learning: table 1 and figures 1 to 4.

The paper shows its results as curves and prints no numbers of them. So only its claims, H1 to H9, are checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from tacit.core.settings import Value
from tacit.papers.base import Exhibit, Paper, Row
from tacit.papers.hegedus.claims import CLAIMS
from tacit.papers.hegedus.data_and_churn import churn_charts, churn_facts, ratings_per_user, table_1
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


def _rows(quick: bool, scenarios: Sequence[str], every_epochs: Sequence[int]) -> list[Row]:
    return [
        Row(_panel(data, scenario, epochs), name, wanted(quick, data, recipe, epochs, scenario), "rmse")
        for data, scenario, epochs in product(datasets(quick), scenarios, every_epochs)
        for recipe, name in ALGORITHMS.items()
    ]


def _panel(data: str, scenario: str, epochs: Value) -> str:
    return f"{TITLES[data]}, {scenario}, {epochs} local epoch{'' if epochs == 1 else 's'}"


_AT_24 = "The paper's curves and our verdicts end at 24 hours: [the paper's page](hegedus.md) has our numbers there."
paper = Paper(
    name="hegedus",
    title="Hegedűs et al. 2020, gossip against federated learning",
    citation=(
        "István Hegedűs, Gábor Danner, Márk Jelasity: Decentralized recommendation based on matrix "
        "factorization: a comparison of gossip and federated learning. ECML PKDD 2019 Workshops, Springer 2020."
    ),
    exhibits=(
        Exhibit("table-1", "Table 1: the data sets and the algorithm's parameters", facts=table_1),
        Exhibit("figure-1", "Figure 1: rated items of each user", charts=ratings_per_user),
        Exhibit(
            "figure-2",
            "Figure 2: lengths of sessions, and phones that come and go",
            charts=churn_charts,
            facts=churn_facts,
        ),
        Exhibit(
            "figure-3",
            "Figure 3: RMSE over virtual hours, everybody online, low bandwidth",
            lambda quick: _rows(quick, (QUIET,), EPOCHS),
            over="hours",
            note=_AT_24,
        ),
        Exhibit(
            "figure-4",
            "Figure 4: RMSE over virtual hours, phones that come and go, one local epoch",
            lambda quick: _rows(quick, (CHURN_LOW, CHURN_HIGH), (1,)),
            over="hours",
            note=_AT_24,
        ),
    ),
    claims=CLAIMS,
    notes=(
        "The paper shows its results as curves and prints no numbers of them: none stands beside ours.",
        "Its smartphone trace is not public: who is online comes from a generator with the trace's share online, "
        "mean session and daily rhythm.",
        "Its curves end at 24 hours, and so do our verdicts. Our curves go on to 48.",
        "MovieLens-10M, its largest network, is run (one seed) where somebody has the file: `tacit data fetch "
        "movielens-10m`. Without it H4, H5b and H9 compare 100K with 1M.",
        "Messages: the paper's sizes are those of 64-bit numbers without ages (1,682 rows of 6 are 0.65 Mbit); ours "
        "are 32-bit numbers with ages. Its 3,952 movies of MovieLens-1M count ids that nobody rated.",
    ),
    quick_notes=("--quick: curves end at 24 hours; one seed, without MovieLens-1M.",),
)
