"""The exhibits of FedeRank (Anelli et al. 2021): tables 1 and 2, figures 1 to 3."""

from __future__ import annotations

from itertools import product

from tacit.papers.base import Exhibit, Paper, Row
from tacit.papers.federank.claims import CLAIMS
from tacit.papers.federank.data_table import table_1
from tacit.papers.federank.runs import ALGORITHMS, OWN, data, pis
from tacit.papers.pairwise_runs import (
    EVERY_PI,
    TITLES,
    f1_charts,
    federated_run,
    popularity_charts,
    table_rows,
)


def _figure_rows(quick: bool) -> list[Row]:
    return [
        Row(TITLES[place], f"{name}, pi {pi:g}", federated_run(quick, recipe, place, pi), metric)
        for place, (name, recipe) in product(data(quick), ALGORITHMS.items())
        for pi in pis(quick, place, recipe)
        for metric in ("f1@10", "item_coverage@10")
    ]


def _update_rows(quick: bool) -> list[Row]:
    """How far the updates of items are from all alike, with T = X+/U as in the figure."""
    recipe = ALGORITHMS["T = X+/U"]
    return [
        Row(TITLES[place], f"pi {pi:g}", federated_run(quick, recipe, place, pi), "apart:updates")
        for place in data(quick)
        for pi in pis(quick, place, recipe)
    ]


def _profile_rows(quick: bool) -> list[Row]:
    """How even recommendations are, which the figure draws item by item."""
    return [
        Row(TITLES[place], f"{name}, pi {pi:g}", federated_run(quick, recipe, place, pi), "evenness@10")
        for place, (name, recipe) in product(data(quick), ALGORITHMS.items())
        for pi in pis(quick, place, recipe)
    ]


paper = Paper(
    name="federank",
    title="FedeRank, user-controlled feedback (Anelli et al. 2021)",
    citation=(
        "Vito Walter Anelli, Yashar Deldjoo, Tommaso Di Noia, Antonio Ferrara, Fedelucio Narducci: FedeRank: user "
        "controlled feedback with federated recommender systems. ECIR 2021."
    ),
    exhibits=(
        Exhibit("table-1", "Table 1: the data sets", facts=table_1),
        Exhibit(
            "table-2",
            "Table 2: accuracy and diversity",
            lambda quick: table_rows(quick, "federank", data(quick), OWN, {}),
        ),
        Exhibit(
            "figure-1",
            "Figure 1: F1 and item coverage over pi",
            _figure_rows,
            charts=lambda o: f1_charts(o, data(o.quick), ALGORITHMS, EVERY_PI),
            long=True,
        ),
        Exhibit(
            "figure-2",
            "Figure 2: how often items are updated in training (T = X+/U)",
            _update_rows,
            charts=lambda o: popularity_charts(
                o, data(o.quick), "federank/tx", EVERY_PI, "updates", "Updates of items", 1000
            ),
            long=True,
        ),
        Exhibit(
            "figure-3",
            "Figure 3: how often items are recommended (T = X+/U)",
            _profile_rows,
            charts=lambda o: popularity_charts(
                o, data(o.quick), "federank/tx", EVERY_PI, "recommended@10", "Recommendations of items", 250
            ),
            long=True,
        ),
    ),
    claims=CLAIMS,
    notes=(
        "Epochs are 20, not the best of 20 on the test part.",
        "Triples of T = 1 are drawn as the text says, uniformly over all interactions (`pick=data`). T = 1 at pi 1 "
        "is then BPR-MF itself, which the paper's table contradicts (F10).",
        "Table 2 is run at the paper's best pi. On MovieLens-1M, T = X+/U is run for four values of pi only.",
        "The paper's FCF figures for LibraryThing equal those for MovieLens-1M: a misprint, most likely.",
        "Item-kNN and User-kNN with 40 neighbours; the paper does not say which number its figures are for.",
    ),
    quick_notes=(
        "--quick: 5 epochs, Amazon Digital Music only, four values of pi. So figures are lower than the paper's, and "
        "nothing that depends on them gets a verdict.",
    ),
)
