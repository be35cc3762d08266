"""The exhibits of Dymbe (2021): merges, data-based starts and clusters; ensembles and federation on MNIST.

The thesis prints numbers of its MNIST experiments only, the other figures are curves. Those of MNIST are in images.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tacit.papers.base import Chart, Exhibit, Outcomes, Paper, Row, Series
from tacit.papers.data_tables import whole
from tacit.papers.dymbe.claims import CLAIMS
from tacit.papers.dymbe.images import IMAGE_EXHIBITS
from tacit.papers.dymbe.runs import (
    FEW_SIZES,
    ITEMS,
    ML_100K,
    SIZES,
    TITLES,
    clusters,
    datasets,
    size_name,
    wanted,
)


def _figure(
    name: str, title: str, lines: Mapping[str, str], everywhere: bool = False, bandwidth: str = "low"
) -> Exhibit:
    """Curves: what a line is called, and which variant it is; on MovieLens-100K alone or `everywhere`."""

    def rows(quick: bool) -> Sequence[Row]:
        sets = datasets(quick) if everywhere else (ML_100K,)
        return [
            Row(f"{TITLES[data]}, {bandwidth} bandwidth", line, wanted(quick, variant, data), "rmse")
            for data in sets
            for line, variant in lines.items()
        ]

    return Exhibit(f"figure-{name}", f"Figure {name}: {title}", rows, over="hours")


def _sizes(name: str, title: str, inside: str, eta: float) -> Exhibit:
    """Curves, one for each size of clusters."""

    def rows(quick: bool) -> Sequence[Row]:
        return [
            Row(
                f"{TITLES[data]}, high bandwidth",
                f"at most {size_name(size)}",
                clusters(quick, inside, eta, size, data),
                "rmse",
            )
            for data in datasets(quick)
            for size in (FEW_SIZES if quick or data != ML_100K else SIZES)
        ]

    return Exhibit(f"figure-{name}", f"Figure {name}: {title}", rows, over="hours")


def _parts(name: str, title: str, variant: str) -> Exhibit:
    """What predictions are made of."""
    parts = {"taste x·Y": "factors", "user bias b": "user_bias", "item bias c": "item_bias"}

    def rows(quick: bool) -> Sequence[Row]:
        run = wanted(quick, variant)
        return [Row(TITLES[ML_100K], part, run, f"part_{column}") for part, column in parts.items()]

    return Exhibit(f"figure-{name}", f"Figure {name}: {title}", rows, inside="parts")


def _biases(name: str, title: str, variants: Mapping[str, str]) -> Exhibit:
    """How single items' biases move, for several merges."""

    def rows(quick: bool) -> Sequence[Row]:
        return [
            Row(merge, f"bias of item {item}", wanted(quick, variant), f"bias_{column}:{item}")
            for merge, variant in variants.items()
            for item in ITEMS
            for column in ("mean", "spread")
        ]

    return Exhibit(f"figure-{name}", f"Figure {name}: {title}", rows, inside="biases")


def _ratings(o: Outcomes) -> list[Chart]:
    """The share of each rating, for the data sets that are at hand."""
    charts = []
    for name, title in TITLES.items():
        data = whole(name)
        if data is not None:
            values, counts = np.unique(data.table.value, return_counts=True)
            bars = Series("ratings", list(enumerate((counts / counts.sum()).tolist())))
            labels = [f"{value:g}" for value in values]
            charts.append(
                Chart(
                    f"ratings-{name}", title, "Rating", "Share of ratings", [bars], "bars", categories=labels
                )
            )
    return charts


_VECTORS = "vectors, eta_v 0.1"
paper = Paper(
    name="dymbe",
    title="Dymbe 2021, decentralized learning of images and ratings",
    citation=(
        "Erik Dymbe: Decentralized Artificial Intelligence for Image Classification and Rating Prediction. "
        "Master's thesis, Norwegian University of Science and Technology (NTNU), 2021."
    ),
    exhibits=(
        *IMAGE_EXHIBITS,
        Exhibit(
            "ratings",
            "Figures 4.1 to 4.4: how the ratings are distributed",
            charts=_ratings,
            covers=[f"figure-4.{n}" for n in (1, 2, 3, 4)],
        ),
        _figure(
            "4.5",
            "gossip against federated learning",
            {
                "gossip, no merge": "no merge",
                "gossip, linear merge": "linear",
                "federated": "federated",
                "federated, mean over all agents": "federated, all agents",
                "mean and biases, centralized (section 4.5)": "simple baseline",
            },
            everywhere=True,
        ),
        _figure(
            "4.6",
            "complete graph against 20 neighbours each",
            {
                "no merge, complete": "no merge",
                "linear merge, complete": "linear",
                "no merge, 20-out": "no merge, 20-out",
                "linear merge, 20-out": "linear, 20-out",
                "federated": "federated",
            },
        ),
        _figure(
            "4.7",
            "rows that exist only once updated or received",
            {"no merge": "no merge, lazy", "linear merge": "linear, lazy", "federated": "federated"},
        ),
        _figure(
            "5.1",
            "no merge, linear merge, keep oldest",
            {"no merge": "no merge", "linear": "linear", "keep oldest": "keep oldest"},
        ),
        _figure("5.2", "polynomial merges", {"linear": "linear", "quadratic": "quadratic", "cubic": "cubic"}),
        _figure(
            "5.3",
            "exponential merge",
            {"linear": "linear", "exponential": "exponential", "keep oldest": "keep oldest"},
        ),
        _parts("5.4", "parts of the prediction, linear merge", "linear"),
        _figure("5.5", "with and without vectors", {"biases and vectors": "linear", "biases only": "biases"}),
        _figure(
            "5.6",
            "data-based start",
            {
                "vectors, linear": "linear",
                "biases from the data, exponential": "data, exponential",
                "biases from the data, linear": "data",
            },
        ),
        _biases(
            "5.7",
            "single item biases, original start",
            {"linear": "linear", "exponential": "exponential", "keep oldest": "keep oldest"},
        ),
        _biases(
            "5.8",
            "single item biases, data-based start",
            {"linear": "data", "exponential": "data, exponential", "keep oldest": "data, keep oldest"},
        ),
        _biases(
            "5.9",
            "single item biases, data-based start, counted where an item is known",
            {"linear": "data, where known"},
        ),
        _parts("5.10", "parts of the prediction, data-based start", "data, vectors"),
        _figure(
            "5.11", "vectors again, low bandwidth", {"biases": "data", "vectors, eta_v 0.01": "data, vectors"}
        ),
        _figure(
            "5.12",
            "vectors again, high bandwidth",
            {"biases": "data, high", "vectors, eta_v 0.01": "data, vectors, high"},
            bandwidth="high",
        ),
        _figure(
            "5.13",
            "vectors that learn ten times as fast",
            {"biases": "data, high", _VECTORS: "data, fast vectors, high"},
            everywhere=True,
            bandwidth="high",
        ),
        _figure(
            "6.1",
            "centralized against gossip, eta_v 0.1",
            {"gossip": "data, fast vectors, high", "centralized": "central, fast"},
            everywhere=True,
            bandwidth="high",
        ),
        _figure(
            "6.2",
            "centralized with eta_v 0.01 against gossip with 0.1",
            {"gossip": "data, fast vectors, high", "centralized": "central"},
            everywhere=True,
            bandwidth="high",
        ),
        _sizes("6.3", "shared-data clusters, eta_v 0.1", "shared-data", 0.1),
        _sizes("6.4", "shared-data clusters, eta_v 0.01", "shared-data", 0.01),
        _sizes("6.5", "federated clusters, eta_v 0.1", "federated", 0.1),
    ),
    claims=CLAIMS,
    notes=(
        "The thesis averages ten splits. The full run takes ten seeds on MNIST, three on MovieLens-100K and one on "
        "MovieLens-1M.",
        "The sizes of its network for MNIST are not in the text: 784-128-10, learning rate 0.1, batches of 32 here. "
        "No single choice meets every row.",
        "A row of MNIST agrees with the thesis within two of the thesis' standard deviations, at least 1.5 points.",
        "Hegedűs et al. divide a row's differences by the clients that changed it, section 2.4 of the thesis by all "
        "agents. Figure 4.5 has a line for each; federated learning and clusters are by the first everywhere else.",
        "Netflix and Yahoo R3 are run where the data set is at hand; neither can be fetched freely. Which Netflix "
        "users the thesis took is not published.",
    ),
    left_out={
        **{f"figure-{n}": "a drawing, no result" for n in ("2.1", "2.2", "3.1")},
        "figure-3.2": "two votes on single images, no result",
    },
    quick_notes=(
        "--quick: one seed each, without MovieLens-1M. It runs 12 virtual hours at high bandwidth instead of 48, and "
        "three shares C of the agents. It measures the first 1,000 test images instead of 10,000. Of biased streams "
        "these are the first digit only.",
    ),
)
