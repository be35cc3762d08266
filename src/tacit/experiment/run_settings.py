"""Every parameter of a run: its name, default and meaning, checked before anything starts.

A run's parameters are one flat mapping (`{"model.k": 5, "epochs": 1, ...}`), made of the defaults here, a recipe's
values and what the user set, in this order. A model's own parameters stand in the model's file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tacit.core.errors import BadInput, unknown
from tacit.core.registry import PARTS, find, offered, own_parameters
from tacit.core.settings import (
    Maybe,
    Number,
    NumberOrFile,
    OneOf,
    Parameter,
    Part,
    Scale,
    Switch,
    Text,
    Whole,
)
from tacit.data.filtering import DENSITIES
from tacit.protocols.base import Parameters

_PROTOCOLS = "tacit.protocols"
_EVALUATIONS = "tacit.experiment.evaluations"
_COMMON = (
    Parameter("protocol", "gossip", "how models travel", Text("a protocol's name")),
    Parameter("model", "mf", "the learning rule", Part("a model's name")),
    Parameter(
        "pi",
        1.0,
        "share of updates about own items that is disclosed: for all, or a file user,pi",
        NumberOrFile(Number(0, 1), "a .csv, .tsv or .parquet file with user,pi"),
    ),
    Parameter("init", "random", "how models start: by chance, or from the data", OneOf(("random", "data"))),
    Parameter("epochs", 1, "passes over local data each time a node learns", Whole(1)),
    Parameter("hours", 48.0, "virtual hours to run", Number(0, 1e6, open_low=True)),
    Parameter("rounds", None, "rounds to run, instead of hours", Maybe(Whole(1))),
    Parameter(
        "bandwidth",
        "low",
        "how long a whole model takes: low 1728 s, high 172.8 s, or so many seconds",
        OneOf(("low", "high"), Number(0.001, 1e9)),
    ),
    Parameter(
        "churn",
        "none",
        "who is online when: all; as phones on chargers; or a file node,start,end in seconds",
        Text("none, generated, or a .csv, .tsv or .parquet file"),
    ),
    Parameter("storage", "float32", "number type in memory and on the wire", OneOf(("float32", "float64"))),
    Parameter("data.min_user", 0, "leave out users with fewer interactions", Whole(0)),
    Parameter("data.min_item", 0, "leave out items with fewer distinct users", Whole(0)),
    Parameter(
        "data.duplicates",
        "auto",
        "repeated (user, item) pairs: keep the latest?",
        OneOf(("auto", "latest", "error")),
    ),
    Parameter(
        "data.density", "all", "keep everybody, or the busiest or quietest cluster of users", OneOf(DENSITIES)
    ),
    Parameter("data.users", 1000, "users to generate (--data synthetic)", Whole(2)),
    Parameter("data.items", 1500, "items to generate (--data synthetic)", Whole(2)),
    Parameter("data.interactions", 100_000, "ratings to generate (--data synthetic)", Whole(2)),
    Parameter(
        "data.seed", None, "seed of generated data; none: the run's own (--data synthetic)", Maybe(Whole(0))
    ),
    Parameter("data.agents", 375, "agents that images are dealt to (--data mnist)", Whole(1)),
    Parameter("data.images", 32, "images an agent gets (--data mnist)", Whole(1)),
    Parameter("scale", None, "lowest and highest rating; none: as in the data", Maybe(Scale())),
    Parameter(
        "split",
        "random-n",
        "how a user's test part is chosen",
        OneOf(("random-n", "random-share", "temporal")),
    ),
    Parameter("split.n", 10, "test ratings a user (random-n)", Whole(1)),
    Parameter(
        "split.share",
        None,
        "test share of a user's ratings; none: 0.15 (random-share), 0.2 (temporal)",
        Maybe(Number(0, 0.999, open_low=True)),
    ),
    Parameter(
        "evaluate",
        "rating",
        "what is measured: predicted ratings; ranking among 100 negatives; ranking of the whole catalogue",
        OneOf(("rating", "sampled", "full"), Text("another evaluation's name")),
    ),
    Parameter(
        "evaluate.on",
        "test",
        "which part is measured; validation (for tuning) leaves the test part alone",
        OneOf(("test", "validation")),
    ),
    Parameter(
        "evaluate.points",
        None,
        "about how often to measure during a run, the end included; none: often enough for a curve",
        Maybe(Whole(1)),
    ),
    Parameter(
        "best",
        None,
        "a metric such as precision@10: run as many rounds as are best by it on a validation part",
        Maybe(Text("a metric's name")),
    ),
    Parameter(
        "negatives",
        "honest",
        "training negatives: outside the training part, or (paper) outside all a user consumed",
        OneOf(("honest", "paper")),
    ),
    Parameter("instruments", False, "record the size of the parts of predictions", Switch()),
    Parameter(
        "instruments.items",
        None,
        "ids of items whose biases to record: ID,ID,...",
        Maybe(Text("ids of items")),
    ),
    Parameter(
        "instruments.known",
        False,
        "of these, count only nodes that have heard of the item",
        Switch(),
        later=True,
    ),
    Parameter(
        "lazy", False, "rows exist only once updated or received (as in the published curves)", Switch()
    ),
)


def known(chosen: Mapping[str, Any]) -> dict[str, Parameter]:
    """Every parameter of a run with the chosen protocol, model and so on; a wrong name of those is an error."""
    table = {p.key: p for p in _COMMON}
    protocol = str(chosen.get("protocol", "gossip"))
    table |= {p.key: p for p in find(_PROTOCOLS, "protocol", protocol).parameters}
    for kind in PARTS:
        if kind in table and isinstance(table[kind].kind, Part):
            table |= own_parameters(kind, str(chosen.get(kind, table[kind].default)))
    evaluate = str(chosen.get("evaluate", table["evaluate"].default))
    table |= {p.key: p for p in find(_EVALUATIONS, "evaluation", evaluate).parameters}
    return table


def settle(recipe: Mapping[str, Any], chosen: Mapping[str, Any]) -> Parameters:
    """Defaults, then the recipe, then what the user chose; every name and value checked.

    A recipe may say more for a choice: a table `["model=prme-g"]` counts where that model is chosen.
    """
    recipe = variant(recipe, chosen)
    table = known({**recipe, **chosen})
    values: Parameters = {key: p.default for key, p in table.items()}
    for source, given in (("recipe", recipe), ("--set", chosen)):
        for key, value in given.items():
            if key in table:
                values[key] = table[key].parse(value, f"{source} {key}={value}")
            elif source == "--set":
                _check_taken(key, value, str(values["protocol"]))
                raise unknown("parameter", key, table, f"{source} {key}={value}")
    return values


def _check_taken(key: str, value: object, protocol: str) -> None:
    """A part that this protocol has no use for: say which do."""
    if key in PARTS:
        takers = [
            name
            for name, one in offered(_PROTOCOLS, "protocol").items()
            if any(p.key == key and isinstance(p.kind, Part) for p in one.parameters)
        ]
        allowed = f"with protocol {' or '.join(sorted(takers))}, which have a use for it; {protocol} has none"
        raise BadInput(key, got=value, allowed=allowed, where=f"--set {key}={value}")


def came_later(parameters: Mapping[str, Any]) -> Parameters:
    """Parameters that did not exist when some runs were kept, at the defaults that those runs were as if they had."""
    return {key: p.default for key, p in known(parameters).items() if p.later}


def variant(recipe: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """A recipe's values with what the user chose: its own, then those of its tables for such a choice, in their order.

    >>> variant({"rounds": 40, "model=prme-g.rounds": 9}, {"model": "prme-g"})
    {'rounds': 9}
    """
    own = {key: value for key, value in recipe.items() if "=" not in key}
    given = {**own, **chosen}
    for key, value in recipe.items():
        table, _, name = key.partition(".")
        what, equals, which = table.partition("=")
        if equals and str(given.get(what)) == which:
            own[name] = value
    return own


def parse_set(settings: Iterable[str]) -> dict[str, str]:
    """`key=value` texts of the command line as a mapping."""
    pairs: dict[str, str] = {}
    for text in settings:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise BadInput("--set", got=repr(text), allowed="key=value, for example --set epochs=10")
        pairs[key.strip()] = value.strip()
    return pairs
