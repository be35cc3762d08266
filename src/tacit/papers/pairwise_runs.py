"""Runs, rows and charts that FPL and FedeRank share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.core.settings import Value
from tacit.papers.base import Chart, Outcomes, Row, Series, Wanted, mean_of, reference, shares_of

TITLES = {
    "amazon-digital-music": "Amazon Digital Music",
    "librarything": "LibraryThing",
    "movielens-1m": "MovieLens-1M",
    "foursquare-brazil": "Foursquare Brazil",
    "foursquare-canada": "Foursquare Canada",
    "foursquare-italy": "Foursquare Italy",
}
BASELINES = {
    "Random": "baseline/random",
    "Most Popular": "baseline/popular",
    "User-kNN": "baseline/user-knn",
    "Item-kNN": "baseline/item-knn",
    "VAE": "baseline/vae",
    "BPR-MF": "baseline/bpr-mf",
    "FCF": "baseline/fcf",
}
TUNED = "baseline/bpr-mf-tuned"
"""Printed beside the papers' BPR-MF, which has little time to learn; claims are about the papers' own."""
EVERY_PI = tuple(n / 10 for n in range(11))
EPOCHS, FEW_EPOCHS = 20, 5
"""In full and with --quick."""
_TRIPLES = {"federank/t1": 1.0, "fpl/sfpl": 1.0, "fpl/pfpl": 1.0}
_POSITIVES = {
    "amazon-digital-music": (61_408, 1_835),
    "foursquare-italy": (54_088, 1_353),
    "foursquare-canada": (63_514, 1_340),
    "foursquare-brazil": (599_958, 17_473),
    "librarything": (600_000, 7_279),
    "movielens-1m": (802_553, 6_040),
}
"""Training interactions and users: what a run's time depends on."""
_MEASURING = {"foursquare-brazil": 8.0, "librarything": 3.0, "movielens-1m": 1.0}
"""Seconds of one evaluation, where it is more than half a second."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How a paper's own algorithm is run again: its recipe, and the pi the paper prints its figures for."""

    recipe: str
    pi: dict[str, float]
    """By data set."""


def federated_run(quick: bool, recipe: str, data: str, pi: float) -> Wanted:
    """A run of one of the papers' algorithms."""
    epochs = FEW_EPOCHS if quick else EPOCHS
    settings: dict[str, Value] = {"pi": pi, "epochs": epochs, "evaluate.points": 1, **_bias(data)}
    positives, users = _POSITIVES[data]
    triples = _TRIPLES.get(recipe, positives / users)
    seconds = 3 + epochs * positives * (1.5e-6 + 0.28e-6 * triples) + _MEASURING.get(data, 0.5)
    return Wanted(recipe, data, tuple(settings.items()), seconds=seconds, optional=not _common(data))


def baseline_run(quick: bool, recipe: str, data: str) -> Wanted:
    """A run of a baseline; BPR-MF and FCF for as many epochs as the papers' own."""
    settings: dict[str, Value] = _bias(data)
    seconds = 4.0
    if recipe == TUNED:
        settings = {"epochs": 50 if quick else 200, "evaluate.points": 1, **settings}
        positives, _ = _POSITIVES[data]
        seconds = 8.0 + 200 * positives * 1.5e-6
    if recipe in ("baseline/bpr-mf", "baseline/fcf"):
        settings = {"epochs": FEW_EPOCHS if quick else EPOCHS, "evaluate.points": 1, **settings}
        seconds = 8.0
    if recipe == "baseline/vae":
        seconds = 400.0
    needs = "torch" if recipe == "baseline/vae" else ""
    return Wanted(
        recipe, data, tuple(settings.items()), seconds=seconds, needs=needs, optional=not _common(data)
    )


def table_rows(
    quick: bool,
    paper: str,
    data: Sequence[str],
    own: dict[str, Choice],
    names: dict[str, str],
    ratios: str = "",
) -> list[Row]:
    """Every printed number of a table, with the run that is to give it again.

    `names`: what the table calls a baseline. `ratios`: where accuracy is compared relative to Most Popular's.
    """
    printed = {
        (r["dataset"], r["algorithm"], r["metric"]): float(r["value"]) for r in reference(f"{paper}/printed")
    }
    rows = []
    for place in data:
        popular = baseline_run(quick, BASELINES["Most Popular"], place)
        for (where, algorithm, metric), number in printed.items():
            if where != place or (quick and algorithm == "VAE"):
                continue
            if algorithm in own:
                choice = own[algorithm]
                wanted = federated_run(quick, choice.recipe, place, choice.pi[place])
                label = f"{algorithm}, pi {choice.pi[place]:g}"
            else:
                wanted = baseline_run(quick, BASELINES[names.get(algorithm, algorithm)], place)
                label = algorithm
            relative = place == ratios and metric in ("precision@10", "recall@10") and wanted != popular
            top = next(a for a in (*names, "Most Popular") if names.get(a, a) == "Most Popular")
            value = number / printed[place, top, metric] if relative else number
            over = popular if relative else None
            rows.append(Row(TITLES[place], label, wanted, metric, value, over=over))
            if algorithm == "BPR-MF":
                tuned = baseline_run(quick, TUNED, place)
                rows.append(Row(TITLES[place], "BPR-MF, tuned", tuned, metric, over=over))
    return rows


def _bias(data: str) -> dict[str, Value]:
    return {"evaluate.bias": True} if data.startswith("foursquare") else {}


def _common(data: str) -> bool:
    """Whether anybody can download it. The others are run where a person has them."""
    return data in ("movielens-1m", "amazon-digital-music", "foursquare-italy")


def over_pi(
    o: Outcomes, data: str, algorithms: dict[str, str], pis: Sequence[float], metric: str
) -> list[Series]:
    """A metric over pi, a line for each algorithm that was run."""
    lines = []
    for name, recipe in algorithms.items():
        points = [
            (pi, value)
            for pi in pis
            if (value := mean_of(o.get(federated_run(o.quick, recipe, data, pi)), metric)) is not None
        ]
        if points:
            lines.append(Series(name, points))
    return lines


def f1_charts(
    o: Outcomes, data: Sequence[str], algorithms: dict[str, str], pis: Sequence[float]
) -> list[Chart]:
    """F1 over pi and item coverage over pi, a chart for each data set."""
    return [
        Chart(f"{name}-{place}", f"{title} over pi, {TITLES[place]}", "pi", title, lines)
        for place in data
        for name, title, metric in (
            ("f1", "F1@10", "f1@10"),
            ("coverage", "Item coverage@10", "item_coverage@10"),
        )
        if (lines := over_pi(o, place, algorithms, pis, metric))
    ]


def _ranked(shares: npt.NDArray[np.float64]) -> list[tuple[float, float]]:
    """Points evenly spaced on a logarithmic axis: a line through a thousand would say no more."""
    ranks = np.unique(np.geomspace(1, max(1, len(shares)), 60).astype(np.int64))
    return [(float(r), float(shares[r - 1])) for r in ranks if r <= len(shares) and shares[r - 1] > 0]


def popularity_charts(
    o: Outcomes, data: Sequence[str], recipe: str, pis: Sequence[float], column: str, title: str, most: int
) -> list[Chart]:
    """The share of the most updated or most recommended items, a line for each pi; beside the latter, in training."""
    charts = []
    for place in data:
        lines = []
        for pi in pis:
            for result in o.get(federated_run(o.quick, recipe, place, pi))[:1]:
                lines.append(Series(f"pi {pi:g}", _ranked(shares_of(result, column)[:most])))
                positive = shares_of(result, "train")
        if lines and column != "updates":
            lines.append(Series("in training", _ranked(positive[:most])))
        if lines:
            name = f"{'updates' if column == 'updates' else 'recommended'}-{place}"
            where = f"{title}, {TITLES[place]}"
            charts.append(Chart(name, where, "Item, most first", "Share", lines, log=True))
    return charts
