"""The runs that Dymbe's figures are made of, by short names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tacit.core.settings import Value
from tacit.papers.base import Wanted

ML_100K, ML_1M, NETFLIX, YAHOO = "movielens-100k", "movielens-1m", "netflix-subset", "yahoo-r3"
TITLES = {ML_100K: "MovieLens-100K", ML_1M: "MovieLens-1M", NETFLIX: "Netflix", YAHOO: "Yahoo R3"}
EVERYBODY = 1_000_000
"""A cluster size that no data set fills: one cluster of all users."""
SIZES = (1, 5, 10, 50, 100, 300, EVERYBODY)
"""The text names 1, 5, 10 and everybody; those in between are ours."""
FEW_SIZES = (1, 10, 100, EVERYBODY)
ITEMS = ("1", "2", "3", "4", "5")
"""The items of MovieLens-100K whose biases are followed; 1 is Toy Story."""

_SHAPE = {
    ML_100K: (943, 1682, 96),
    ML_1M: (6040, 3706, 156),
    NETFLIX: (10_000, 5_000, 200),
    YAHOO: (15_400, 1_000, 19),
}
"""Users, items, training ratings per user: what a run's time depends on."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to learn: a recipe, and what is set differently."""

    recipe: str
    settings: Mapping[str, Value]
    watched: bool = False
    """Whether instruments look inside (MovieLens-100K only)."""


_SYNCHRONOUS: dict[str, Value] = {"start": "synchronous", "graph": "complete"}
_OUT_20: dict[str, Value] = {"start": "synchronous", "graph": "k-out"}
_CENTRAL: dict[str, Value] = {"protocol": "centralized"}
VARIANTS = {
    "no merge": Variant("hegedus/gossip", _SYNCHRONOUS),
    "linear": Variant("hegedus/gossip-merge", _SYNCHRONOUS, watched=True),
    "federated": Variant("hegedus/federated", {}),
    "federated, all agents": Variant("hegedus/federated", {"average": "clients"}),
    "no merge, 20-out": Variant("hegedus/gossip", _OUT_20),
    "linear, 20-out": Variant("hegedus/gossip-merge", _OUT_20),
    "no merge, lazy": Variant("hegedus/gossip", {**_OUT_20, "lazy": True}),
    "linear, lazy": Variant("hegedus/gossip-merge", {**_OUT_20, "lazy": True}),
    "simple baseline": Variant("baseline/biases", {}),
    "keep oldest": Variant("dymbe/keep-oldest", {}, watched=True),
    "quadratic": Variant("dymbe/polynomial-2", {}),
    "cubic": Variant("dymbe/polynomial-3", {}),
    "exponential": Variant("dymbe/exponential", {}, watched=True),
    "biases": Variant("dymbe/bias-only", {}),
    "data": Variant("dymbe/data-init", {}, watched=True),
    "data, where known": Variant("dymbe/data-init", {"instruments.known": True}, watched=True),
    "data, exponential": Variant("dymbe/data-init", {"merge": "exponential"}, watched=True),
    "data, keep oldest": Variant("dymbe/data-init", {"merge": "keep-oldest"}, watched=True),
    "data, vectors": Variant(
        "dymbe/data-init-vectors", {"model.eta": 0.01, "bandwidth": "low"}, watched=True
    ),
    "data, high": Variant("dymbe/data-init", {"bandwidth": "high"}),
    "data, vectors, high": Variant("dymbe/data-init-vectors", {"model.eta": 0.01}),
    "data, fast vectors, high": Variant("dymbe/data-init-vectors", {}),
    "central, fast": Variant("dymbe/data-init-vectors", _CENTRAL),
    "central": Variant("dymbe/data-init-vectors", {**_CENTRAL, "model.eta": 0.01}),
}


def wanted(quick: bool, name: str, data: str = ML_100K) -> Wanted:
    """A variant of gossip, or a server, on a data set."""
    variant = VARIANTS[name]
    settings = dict(variant.settings)
    if variant.watched and data == ML_100K:
        settings |= {"instruments": True, "instruments.items": ",".join(ITEMS)}
    fast = variant.recipe.endswith("vectors") and settings.get("bandwidth") != "low"
    high = fast or settings.get("bandwidth") == "high"
    server = name.startswith(("federated", "central", "simple"))
    return _wanted(quick, variant.recipe, data, settings, high, 0 if server else 1)


def clusters(quick: bool, inside: str, eta: float, size: int, data: str = ML_100K) -> Wanted:
    """Clusters of a size; those of one are gossip, one of everybody is a server, and both run as such."""
    if size == 1:
        return wanted(quick, "data, fast vectors, high" if eta == 0.1 else "data, vectors, high", data)
    if size == EVERYBODY and inside == "shared-data":
        return wanted(quick, "central, fast" if eta == 0.1 else "central", data)
    recipe = f"dymbe/{inside}-clusters"
    settings: dict[str, Value] = {"cluster.size": size, "model.eta": eta}
    return _wanted(quick, recipe, data, settings, True, 0 if size == EVERYBODY else 1 / size)


def _wanted(
    quick: bool, recipe: str, data: str, settings: dict[str, Value], high: bool, agents: float
) -> Wanted:
    """`agents`: how many models there are for each user, which is what most of the time goes into."""
    hours = 12.0 if quick and high else 48.0
    users, items, ratings = _SHAPE[data]
    rounds = hours * 3600 / (172.8 if high else 1728.0)
    seconds = 0.7 + rounds * users * (agents * 9e-6 * items / 1682 + 12e-9 * ratings) * (1.3 if high else 1.6)
    if data == YAHOO:
        settings["split.n"] = 5
    optional = data in (NETFLIX, YAHOO)
    seeds = 3 if data == ML_100K and not quick else 1
    return Wanted(recipe, data, (*settings.items(), ("hours", hours)), seeds, seconds, optional)


def size_name(size: int) -> str:
    """In words."""
    return {1: "1 (gossip)", EVERYBODY: "everybody"}.get(size, str(size))


def mnist(quick: bool, recipe: str, settings: Mapping[str, Value], seconds: float) -> Wanted:
    """An experiment of chapter 3; the thesis repeats each ten times. --quick asks a tenth of the test images."""
    if quick:
        settings, seconds = {**settings, "stream.images": 1000}, 0.3 + seconds / 6
    return Wanted(f"dymbe/mnist-{recipe}", "mnist", tuple(settings.items()), 1 if quick else 10, seconds)


def datasets(quick: bool) -> tuple[str, ...]:
    """The thesis' data sets, smallest first; --quick takes that alone."""
    return tuple(TITLES)[:1] if quick else tuple(TITLES)
