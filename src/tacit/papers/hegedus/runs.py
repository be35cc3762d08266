"""The runs that the figures of Hegedűs et al. are made of."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from tacit.core.settings import Value
from tacit.papers.base import NotRunError, Outcomes, Wanted

ALGORITHMS = {
    "hegedus/gossip": "Gossip",
    "hegedus/gossip-merge": "Gossip, merge",
    "hegedus/gossip-10": "Gossip, merge, 10 %",
    "hegedus/federated": "Federated",
    "hegedus/federated-10": "Federated, 10 %",
}
ML_100K, ML_1M, ML_10M = "movielens-100k", "movielens-1m", "movielens-10m"
TITLES = {ML_100K: "MovieLens-100K", ML_1M: "MovieLens-1M", ML_10M: "MovieLens-10M"}
EPOCHS = (1, 10)
PAPER_HOURS = 24.0
"""Where the paper's curves end, and where its claims are judged."""
QUIET, CHURN_LOW, CHURN_HIGH = "no churn", "churn, low bandwidth", "churn, high bandwidth"
_SCENARIOS: dict[str, dict[str, Value]] = {
    QUIET: {"bandwidth": "low"},
    CHURN_LOW: {"bandwidth": "low", "churn": "generated"},
    CHURN_HIGH: {"bandwidth": "high", "churn": "generated"},
}
_SHAPE = {ML_100K: (943, 1682, 96), ML_1M: (6040, 3706, 156), ML_10M: (69_878, 10_677, 133)}
"""Users, items, training ratings per user: what a run's time depends on."""
_GIGABYTES = {"hegedus/gossip": 42.0, "hegedus/gossip-merge": 42.0, "hegedus/gossip-10": 22.0}
"""On MovieLens-10M: 69,878 models of 10,677 rows, and those in flight. A server has one model."""


def datasets(quick: bool) -> tuple[str, ...]:
    """The paper's networks, smaller first; the largest is run where somebody has its file."""
    return tuple(TITLES)[:1] if quick else tuple(TITLES)


def networks(
    o: Outcomes, scenarios: Sequence[str] = (QUIET,), epochs: Sequence[int] = (1,)
) -> tuple[str, ...]:
    """Those on which every algorithm was run like this; a claim compares the same five everywhere."""
    every = list(product(ALGORITHMS, epochs, scenarios))
    found = tuple(
        data for data in datasets(o.quick) if all(o.get(wanted(o.quick, data, *run)) for run in every)
    )
    if not found:
        raise NotRunError(scenarios)
    return found


def wanted(quick: bool, data: str, recipe: str, epochs: int, scenario: str) -> Wanted:
    """One curve of the figures."""
    hours = PAPER_HOURS if quick else 48.0
    settings: dict[str, Value] = {"epochs": epochs, "hours": hours, **_SCENARIOS[scenario]}
    if data == ML_10M:
        settings["model.scaled"] = False  # table 1: eta is 0.01 there, too, though ratings begin at 0.5
    seconds = _seconds(data, recipe, epochs, scenario, hours)
    seeds = 1 if quick or data == ML_10M else 3
    memory = _GIGABYTES.get(recipe, 0.0) if data == ML_10M else 0.0
    return Wanted(
        recipe, data, tuple(settings.items()), seeds, seconds, optional=data == ML_10M, gigabytes=memory
    )


def _seconds(data: str, recipe: str, epochs: int, scenario: str, hours: float) -> float:
    """By the node-rounds: each touches rows in proportion to the catalogue, and the user's ratings `epochs` times."""
    users, items, ratings = _SHAPE[data]
    online = 1.0 if scenario == QUIET else 0.22
    full = 172.8 if scenario == CHURN_HIGH else 1728.0
    period = full * (0.1 if recipe == "hegedus/gossip-10" else 1.0)
    rounds = users * online * hours * 3600 / period
    touch = 0.3e-6 if "federated" in recipe else 10e-6 if recipe == "hegedus/gossip-10" else 7e-6
    return 1.0 + rounds * (touch * items / 1682 + 8e-9 * epochs * ratings)
