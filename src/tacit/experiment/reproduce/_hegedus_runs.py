"""Which runs the paper's figures are made of, and how to read their curves."""

from __future__ import annotations

import statistics

from tacit.core.kinds import Value
from tacit.experiment.reproduce.base import Wanted
from tacit.experiment.results import Result

ALGORITHMS = {
    "hegedus/gossip": "Gossip",
    "hegedus/gossip-merge": "Gossip, merge",
    "hegedus/gossip-10": "Gossip, merge, 10 %",
    "hegedus/federated": "Federated",
    "hegedus/federated-10": "Federated, 10 %",
}
TITLES = {"movielens-100k": "MovieLens-100K", "movielens-1m": "MovieLens-1M"}
EPOCHS = (1, 10)
QUIET, CHURN_LOW, CHURN_HIGH = "no churn", "churn, low bandwidth", "churn, high bandwidth"
_SCENARIOS: dict[str, dict[str, Value]] = {
    QUIET: {"bandwidth": "low"},
    CHURN_LOW: {"bandwidth": "low", "churn": "generated"},
    CHURN_HIGH: {"bandwidth": "high", "churn": "generated"},
}
_SHAPE = {"movielens-100k": (943, 1682, 96), "movielens-1m": (6040, 3706, 156)}
"""Users, items, training ratings a user: what a run's time depends on."""


def datasets(quick: bool) -> tuple[str, ...]:
    """The paper's networks that are run, smaller first."""
    return tuple(TITLES)[:1] if quick else tuple(TITLES)


def wanted(quick: bool, data: str, recipe: str, epochs: int, scenario: str) -> Wanted:
    """One curve of the figures."""
    hours = 12.0 if quick and scenario != QUIET else 48.0
    settings: dict[str, Value] = {"epochs": epochs, "hours": hours, **_SCENARIOS[scenario]}
    seconds = _seconds(data, recipe, epochs, scenario, hours)
    return Wanted(recipe, data, tuple(settings.items()), 1 if quick else 3, seconds)


def _seconds(data: str, recipe: str, epochs: int, scenario: str, hours: float) -> float:
    """By the node-rounds: each touches rows in proportion to the catalogue, and the user's ratings `epochs` times."""
    users, items, ratings = _SHAPE[data]
    online = 1.0 if scenario == QUIET else 0.22
    full = 172.8 if scenario == CHURN_HIGH else 1728.0
    period = full * (0.1 if recipe == "hegedus/gossip-10" else 1.0)
    rounds = users * online * hours * 3600 / period
    touch = 0.3e-6 if "federated" in recipe else 10e-6 if recipe == "hegedus/gossip-10" else 7e-6
    return 1.0 + rounds * (touch * items / 1682 + 8e-9 * epochs * ratings)


def points(result: Result) -> list[tuple[float, float]]:
    """(hours, RMSE) where somebody was online to be measured."""
    return [(point["hours"], point["rmse"]) for point in result.curve if point.get("rmse") is not None]


def at(result: Result, hour: float) -> float:
    """RMSE around an hour: the mean of half an hour before and after, for under churn single points jump."""
    near = [y for x, y in points(result) if abs(x - hour) <= 0.5]
    return statistics.fmean(near) if near else min(points(result), key=lambda p: abs(p[0] - hour))[1]


def ending(result: Result) -> float:
    """RMSE over the last two virtual hours."""
    curve = points(result)
    return statistics.fmean(y for x, y in curve if x >= curve[-1][0] - 2)


def bytes_until(result: Result, target: float) -> float | None:
    """Bytes sent when RMSE first was no worse than `target`."""
    for point in result.curve:
        if point.get("rmse") is not None and point["rmse"] <= target:
            return point["bytes"]
    return None


def mean_ending(runs: list[Result]) -> float:
    """Over the seeds."""
    return statistics.fmean(ending(run) for run in runs)
