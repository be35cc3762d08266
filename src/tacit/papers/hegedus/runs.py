"""The runs that the figures of Hegedűs et al. are made of."""

from __future__ import annotations

from tacit.core.settings import Value
from tacit.papers.base import Wanted

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
"""Users, items, training ratings per user: what a run's time depends on."""


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
