"""The runs that PEPPER's tables and figures are made of, and means over their seeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tacit.core.settings import Value
from tacit.papers.base import NotRunError, Outcomes, Wanted, final

FEDERATED = {"pepper/fedavg": "FedAvg", "pepper/reptile": "Reptile", "pepper/fedfast": "FedFast"}
COMPETITORS = {
    "pepper/dec-fedavg": "Decentralized FedAvg",
    "pepper/model-age": "Model-Age-Based",
    "pepper/dec-reptile": "Decentralized Reptile",
}
PEPPER = "pepper/pepper"
ALGORITHMS = {**FEDERATED, **COMPETITORS, PEPPER: "PEPPER"}
BY_DATA = "FedAvg, weighted by data"
"""As in equation 1. Our `pepper/fedavg` weighs all clients alike, which does better."""
WEIGHED: dict[str, dict[str, Value]] = {
    "gmf": {"weights": "samples"},
    "prme-g": {"weights": "samples", "model__lr": 0.3},
}
"""Its settings by model. Weighed by visits PRME-G runs away with its step of 0.5, in two of three seeds."""
BASELINES = {"baseline/popular": "Popularity", "baseline/item-knn": "Item-kNN"}
ML, NYC, GOWALLA = "movielens-100k", "foursquare-nyc", "gowalla-nyc"
TITLES = {ML: "MovieLens-100K", NYC: "Foursquare-NYC", GOWALLA: "Gowalla-NYC"}
METRIC = {"gmf": "hr", "prme-g": "f1"}
"""What the paper measures each model by on average, beside NDCG."""
KS = (20, 10, 5)
"""The lengths of lists in its tables."""
VISITS: dict[str, Value] = {"split": "random-visits", "split__share": 0.15}
"""The settings by which held-out visits to known places count, too: visits are divided, not places."""
LEVEL = 0.005
"""By how much two means may differ and still be called level."""
ALPHAS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_QUICK_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Panel:
    """How training negatives are drawn, and whether user vectors travel."""

    negatives: str
    vectors: str

    @property
    def title(self) -> str:
        """In words."""
        drawn = "honest negatives" if self.negatives == "honest" else "the paper's negatives"
        return f"{drawn}, {'private' if self.vectors == 'private' else 'travelling'} user vectors"


HONEST, LEAKY = Panel("honest", "private"), Panel("paper", "private")
PANELS = (HONEST, Panel("honest", "travel"), LEAKY, Panel("paper", "travel"))


def panels(quick: bool, model: str = "gmf") -> tuple[Panel, ...]:
    """Which of them are run: all, and for a quick look private vectors, with PRME-G honest negatives only."""
    if quick:
        return (HONEST, LEAKY) if model == "gmf" else (HONEST,)
    return PANELS


def datasets(quick: bool, model: str = "gmf") -> tuple[str, ...]:
    """The paper's data sets for a model."""
    if model == "gmf":
        return (NYC, ML)
    return (NYC,) if quick else (NYC, GOWALLA)


def exists(recipe: str, panel: Panel) -> bool:
    """Whether there is such a thing: FedFast keeps user vectors apart, so they cannot travel."""
    return not (recipe == "pepper/fedfast" and panel.vectors == "travel")


def wanted(
    quick: bool, data: str, recipe: str, panel: Panel = HONEST, model: str = "gmf", **more: Value
) -> Wanted | None:
    """One run with its seeds; None where there is no such thing.

    Three seeds for what claims are decided by; one for seconds and for read-outs.
    """
    if not exists(recipe, panel):
        return None
    settings: dict[str, Value] = {} if data == ML else {"data.min_user": 10, "data.min_item": 10}
    named = {key.replace("__", ".").replace("_", "-"): value for key, value in more.items()}
    if recipe in BASELINES:
        settings |= {"split": "random-share", "split.share": 0.15, "evaluate": "sampled"}
        return Wanted(recipe, data, _sorted(settings | named), 1 if quick else 3, 1.0)
    settings |= {"negatives": panel.negatives, "user-vectors": panel.vectors}
    settings |= {"model": model, "evaluate.convergence": True}
    if quick:
        settings["rounds"] = _QUICK_ROUNDS
    settings |= named
    once = quick or more.get("timing") or more.get("read_out")
    seeds = 1 if once else 3
    return Wanted(recipe, data, _sorted(settings), seeds, _seconds(quick, data, recipe, model, more))


def with_view(quick: bool, panel: Panel, view: int, timing: bool = False) -> Wanted:
    """PEPPER on MovieLens-100K with so many peers; three is what it has anyway."""
    more: dict[str, Value] = {"timing": True, "view": view} if timing else {"view": view} if view != 3 else {}
    made = wanted(quick, ML, PEPPER, panel, "gmf", **more)
    assert made is not None
    return made


def timed(quick: bool, panel: Panel, recipe: str) -> Wanted:
    """A run on MovieLens-100K that measures seconds of computing; PEPPER's is that of table 8."""
    if recipe == PEPPER:
        return with_view(quick, panel, 3, timing=True)
    made = wanted(quick, ML, recipe, panel, timing=True)
    assert made is not None
    return made


def _sorted(settings: dict[str, Value]) -> tuple[tuple[str, Value], ...]:
    return tuple(sorted(settings.items()))


def _seconds(quick: bool, data: str, recipe: str, model: str, more: dict[str, Value]) -> float:
    """About, on two cores: received models times what one costs."""
    if recipe in FEDERATED:
        return 2.0 if quick else 15.0
    rounds = _QUICK_ROUNDS if quick else 300 if model == "gmf" else 100
    each = 40e-6 if data == ML or model == "prme-g" else 20e-6
    nodes = 1554 if data == GOWALLA else 950
    timed = 2 if more.get("timing") else 1
    return 1.0 + rounds * nodes * float(more.get("view") or 3) * each * timed


def there(
    o: Outcomes, data: str, recipe: str, model: str = "gmf", panel: Panel = HONEST, **more: Value
) -> bool:
    """Whether such a run was made."""
    made = wanted(o.quick, data, recipe, panel, model, **more)
    return made is not None and made in o


def mean(
    o: Outcomes, metric: str, data: str, recipe: str, model: str = "gmf", panel: Panel = HONEST, **more: Value
) -> float:
    """A figure of such a run, over its seeds."""
    made = wanted(o.quick, data, recipe, panel, model, **more)
    assert made is not None
    return mean_of(o, made, metric)


def mean_of(o: Outcomes, made: Wanted, metric: str) -> float:
    """A figure of a run that was made, over its seeds; `NotRunError` where it was not measured."""
    values = [value for run in o[made] if (value := final(run, metric)) is not None]
    if not values:
        raise NotRunError(metric)
    return sum(values) / len(values)


@dataclass(frozen=True, slots=True)
class Case:
    """What algorithms are compared in: a data set, a model, a panel; with PRME-G also which visits count."""

    data: str
    model: str
    panel: Panel
    visits: bool = False
    """Whether held-out visits to known places count, too."""

    @property
    def setting(self) -> str:
        """The panel in words, and what else is set."""
        return self.panel.title + ", with visits to known places" * self.visits

    @property
    def title(self) -> str:
        """In words."""
        return f"{TITLES[self.data]}, {self.model}, {self.setting}"

    def there(self, o: Outcomes, *recipes: str) -> bool:
        """Whether all these algorithms were run in it."""
        more = VISITS if self.visits else {}
        return all(there(o, self.data, r, self.model, self.panel, **more) for r in recipes)

    def mean(self, o: Outcomes, metric: str, recipe: str) -> float:
        """A figure of an algorithm in it, over its seeds."""
        more = VISITS if self.visits else {}
        return mean(o, metric, self.data, recipe, self.model, self.panel, **more)


def cases(quick: bool, model: str) -> Iterator[Case]:
    """Every case of a model; visits to known places count in those of the exhibit `visits`."""
    for data in datasets(quick, model):
        yield from (Case(data, model, panel) for panel in panels(quick, model))
    if model == "prme-g":
        yield from (Case(data, model, HONEST, visits=True) for data in datasets(quick, model))
