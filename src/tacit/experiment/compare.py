"""Compare recipes on the same ground: same data, split and evaluation, several seeds, paired tests.

An arm of a comparison is a recipe with settings of its own, under a label. A recipe alone is an arm, too.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tacit.core.errors import BadInput
from tacit.core.settings import is_whole
from tacit.data.dataset import Data
from tacit.experiment.batch import RunListener, Task, run_all
from tacit.experiment.kinds_of_lists import groups_told_apart
from tacit.experiment.recipes import recipe
from tacit.experiment.result import Result
from tacit.experiment.run_settings import (
    check_sizes,
    known,
    parse_set,
    plain_settings,
    settle,
    unknown_setting,
)
from tacit.experiment.significance import PairedTest, paired_tests
from tacit.metrics.higher_is_better import lower_is_better
from tacit.protocols.base import Protocol

GROUND = ("data.", "split", "evaluate", "negatives", "scale", "lazy")
"""Beginnings of the parameters that all must share for figures to be comparable."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came out: every run, and what the users' paired values say."""

    results: list[Result]
    """Arm by arm, each with its seeds."""
    tests: list[PairedTest]

    def to_json(self) -> dict[str, Any]:
        """The contract's object."""
        return {
            "runs": [result.to_json() for result in self.results],
            "tests": [test.to_json() for test in self.tests],
        }

    def groups(self) -> dict[str, list[Result]]:
        """The runs by the name of their arm."""
        return by_arm(self.results)

    def table(self) -> pl.DataFrame:
        """One row per arm and metric: mean and spread over seeds, whether best or level with it, kind of list."""
        return standing(self.groups(), self.tests)


@dataclass(frozen=True, slots=True)
class Arm:
    """One recipe of a comparison, with settings of its own."""

    recipe: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    """What it is called; empty: by its recipe."""

    @property
    def name(self) -> str:
        """The label, or the recipe where there is none."""
        return self.label or self.recipe


Arms = (
    Sequence[str | Arm | Protocol] | Mapping[str, str | Protocol | tuple[str | Protocol, Mapping[str, Any]]]
)
"""Names of recipes, or label -> recipe, or label -> (recipe, settings). A protocol can stand in for a recipe."""
Seeds = int | Sequence[int]
"""How many, counted from 0; or which."""


def compare(
    arms: Arms,
    data: Data,
    settings: Mapping[str, Any] | None = None,
    seeds: Seeds = 1,
    out: Path | None = None,
    host: RunListener | None = None,
) -> Comparison:
    """Run every arm with every seed and test all pairs; the models of the first seed are kept in `out`."""
    host = host or RunListener()
    tasks = plan(arms_of(arms), data, settings or {}, seeds)
    host.begin(tasks)
    results = run_all(tasks, out, host)
    return Comparison(results, paired_tests(by_arm(results)))


def arms_of(given: Arms) -> list[Arm]:
    """Arms, however they were given."""
    if isinstance(given, str):
        return [Arm(given)]
    named = given.items() if isinstance(given, Mapping) else [("", one) for one in given]
    return [_arm(str(label), value) for label, value in named]


def _arm(label: str, value: object) -> Arm:
    match value:
        case Arm():
            return value
        case str():
            return Arm(value, {}, "" if label == value else label)
        case (str(name), Mapping() as settings) if label:
            return Arm(name, plain_settings(settings), label)
        case (one, Mapping() as settings) if label and is_dataclass(one):
            return _protocol_arm(one, label, settings)
        case _ if is_dataclass(value):
            return _protocol_arm(value, label)
    allowed = "a recipe's name, or label: (recipe, {setting: value})"
    raise BadInput(f"arm {label}" if label else "recipe", got=repr(value), allowed=allowed)


def _protocol_arm(protocol: object, label: str, settings: Mapping[str, Any] | None = None) -> Arm:
    chosen = plain_settings({**(settings or {}), "protocol": protocol})
    name = str(chosen.pop("protocol"))
    return Arm(name, chosen, label or name)


def parse_arm(text: str) -> Arm:
    """An arm as the command line has it: `LABEL=RECIPE,KEY=VALUE,...`.

    >>> parse_arm("eta 0.01=hegedus/gossip-10,model.eta=0.01")
    Arm(recipe='hegedus/gossip-10', settings={'model.eta': '0.01'}, label='eta 0.01')
    """
    head, *rest = text.split(",")
    label, equals, name = (part.strip() for part in head.rpartition("="))
    if not equals or not label or not name:
        allowed = "LABEL=RECIPE,KEY=VALUE,... such as 'small steps=hegedus/gossip-10,model.eta=0.001'"
        comma = "" if equals or not rest else ", with a comma before LABEL=RECIPE; a label has none"
        raise BadInput("--arm", got=f"{text!r}{comma}", allowed=allowed)
    pairs: list[str] = []
    for part in rest:
        if "=" in part or not pairs:
            pairs.append(part)
        else:  # a comma inside a value
            pairs[-1] += f",{part}"
    return Arm(name, parse_set(pairs), label)


def seeds_of(seeds: Seeds) -> list[int]:
    """0 .. seeds - 1, or those that are listed."""
    named = list(seeds) if isinstance(seeds, Iterable) and not isinstance(seeds, str) else None
    found = named if named is not None else list(range(seeds)) if is_whole(seeds) else []
    if not found or len(set(found)) < len(found) or not all(map(is_whole, found)):
        got = (",".join(map(str, found)) or "none") if named is not None else repr(seeds)
        raise BadInput("--seeds", got=got, allowed="a whole number from 1, or several different seeds")
    return [int(seed) for seed in found]


def plan(arms: Sequence[Arm], data: Data, settings: Mapping[str, Any], seeds: Seeds) -> list[Task]:
    """The runs of a comparison. A setting goes to every recipe that knows it; one that none knows is an error."""
    if not arms:
        raise BadInput("recipes", got="none", allowed="at least one")
    first, *others = seeds_of(seeds)
    _check_arms(arms, settings)
    ground = common_ground(arms[0].recipe, data, {**settings, **arms[0].settings})
    tables = [known({**recipe(arm.recipe).parameters, **ground, **settings, **arm.settings}) for arm in arms]
    for key, value in settings.items():
        if not any(key in table for table in tables):
            raise unknown_setting(key, set().union(*tables), f"--set {key}={value}")
    tasks = []
    for arm, table in zip(arms, tables, strict=True):
        shared = {key: value for key, value in {**ground, **settings}.items() if key in table}
        chosen = {**shared, **arm.settings}
        tasks += [Task(arm.recipe, data, chosen, seed, seed == first, arm.label) for seed in (first, *others)]
    return tasks


def _check_arms(arms: Sequence[Arm], settings: Mapping[str, Any]) -> None:
    """Every arm has a name of its own; what makes figures comparable is set for all."""
    seen: set[str] = set()
    for arm in arms:
        if arm.name in seen:
            what = "a label" if arm.label else "settings and a label (--arm)"
            raise BadInput(
                "recipe", got=f"{arm.name} more than once", allowed=f"each once, or {what} of its own"
            )
        settle(recipe(arm.recipe).parameters, arm.settings)
        for key in arm.settings:
            if key.startswith(GROUND):
                allowed = "what does not change the data, the split or the evaluation (--set sets it for all)"
                raise BadInput(f"arm {arm.name}", got=key, allowed=allowed)
            if key in settings:
                raise BadInput(
                    f"arm {arm.name}", got=f"{key}, which is also set for all", allowed="one of the two"
                )
        seen.add(arm.name)


def common_ground(first: str, data: Data, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Split, evaluation and data parameters as the first recipe has them, or as they are set.

    Invented data is the same for all seeds, as real data is.
    """
    own = recipe(first).parameters
    values = settle(own, {key: value for key, value in settings.items() if key in known({**own, **settings})})
    check_sizes(settings, str(values["split"]))
    ground = {key: value for key, value in values.items() if key.startswith(GROUND)}
    if isinstance(data, str) and data == "synthetic" and ground["data.seed"] is None:
        ground["data.seed"] = 0
    return ground


def by_arm(results: Sequence[Result]) -> dict[str, list[Result]]:
    """Runs under the names of their arms, in order."""
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(result.name, []).append(result)
    return found


def standing(groups: Mapping[str, Sequence[Result]], tests: Sequence[PairedTest]) -> pl.DataFrame:
    """Columns arm, metric, mean, sd (over seeds; null for one), best, level (not significantly worse), list.

    `list` is the kind of list that a metric is of; null for one without a cut-off.
    """
    groups = groups_told_apart(groups)
    metrics = dict.fromkeys(name for runs in groups.values() for run in runs for name in run.metrics)
    significant = {(test.metric, *sorted((test.a, test.b))): test.significant for test in tests}
    rows = []
    for metric in metrics:
        values = {
            name: [run.metrics[metric] for run in runs if run.metrics.get(metric) is not None]
            for name, runs in groups.items()
        }
        means = {name: statistics.fmean(found) for name, found in values.items() if found}
        if not means:
            continue
        first = (min if lower_is_better(metric) else max)(means, key=means.__getitem__)
        for name, mean in means.items():
            sd = statistics.stdev(values[name]) if len(values[name]) > 1 else None
            # Without a test (a metric that no single user has) nothing can be called level.
            differs = significant.get((metric, *sorted((name, first))), True)
            measured = next(run for run in groups[name] if metric in run.metrics)
            kind = measured.list_of(metric) or metric.partition(", ")[2] or None
            rows.append((name, metric, mean, sd, name == first, name == first or not differs, kind))
    schema: dict[str, type[pl.DataType]] = {
        "arm": pl.String,
        "metric": pl.String,
        "mean": pl.Float64,
        "sd": pl.Float64,
    }
    schema |= {"best": pl.Boolean, "level": pl.Boolean, "list": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")
