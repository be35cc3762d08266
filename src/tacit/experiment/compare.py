"""Compare recipes on the same ground: same data, split and evaluation, several seeds, paired tests."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tacit.core.errors import BadInput, unknown
from tacit.data.dataset import Data
from tacit.experiment.batch import RunListener, Task, run_all
from tacit.experiment.kinds_of_lists import groups_told_apart
from tacit.experiment.recipes import recipe
from tacit.experiment.result import Result
from tacit.experiment.run_settings import known, settle
from tacit.experiment.significance import PairedTest, paired_tests
from tacit.metrics.higher_is_better import lower_is_better

GROUND = ("data.", "split", "evaluate", "negatives", "scale", "lazy")
"""Beginnings of the parameters that all must share for figures to be comparable."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came out: every run, and what the users' paired values say."""

    results: list[Result]
    """Recipe by recipe, each with its seeds."""
    tests: list[PairedTest]

    def to_json(self) -> dict[str, Any]:
        """The contract's object."""
        return {
            "runs": [result.to_json() for result in self.results],
            "tests": [test.to_json() for test in self.tests],
        }

    def groups(self) -> dict[str, list[Result]]:
        """The runs by recipe."""
        return by_recipe(self.results)

    def table(self) -> pl.DataFrame:
        """One row per recipe and metric: mean and spread over seeds, whether best, or not significantly worse."""
        return standing(self.groups(), self.tests)


def compare(
    recipes: Sequence[str],
    data: Data,
    settings: Mapping[str, Any] | None = None,
    seeds: int = 1,
    out: Path | None = None,
    host: RunListener | None = None,
) -> Comparison:
    """Run every recipe with seeds 0 .. seeds - 1 and test all pairs; the models of the first seed are kept in `out`."""
    tasks = plan(recipes, data, settings or {}, seeds)
    results = run_all(tasks, out, host)
    return Comparison(results, paired_tests(by_recipe(results)))


def plan(recipes: Sequence[str], data: Data, settings: Mapping[str, Any], seeds: int) -> list[Task]:
    """The runs of a comparison. A setting goes to every recipe that knows it; one that none knows is an error."""
    if not recipes:
        raise BadInput("recipes", got="none", allowed="at least one")
    if seeds < 1:
        raise BadInput("--seeds", got=seeds, allowed="a whole number from 1")
    twice = sorted({name for name in recipes if recipes.count(name) > 1})
    if twice:
        raise BadInput("recipe", got=f"{twice[0]} more than once", allowed="each recipe once")
    ground = common_ground(recipes[0], data, settings)
    tables = {name: known({**recipe(name).parameters, **ground, **settings}) for name in recipes}
    for key, value in settings.items():
        if not any(key in table for table in tables.values()):
            raise unknown("parameter", key, set().union(*tables.values()), f"--set {key}={value}")
    tasks = []
    for name in recipes:
        chosen = {key: value for key, value in {**ground, **settings}.items() if key in tables[name]}
        tasks += [Task(name, data, chosen, seed, keep=seed == 0) for seed in range(seeds)]
    return tasks


def common_ground(first: str, data: Data, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Split, evaluation and data parameters as the first recipe has them, or as they are set.

    Invented data is the same for all seeds, as real data is.
    """
    own = recipe(first).parameters
    values = settle(own, {key: value for key, value in settings.items() if key in known({**own, **settings})})
    ground = {key: value for key, value in values.items() if key.startswith(GROUND)}
    if isinstance(data, str) and data == "synthetic" and ground["data.seed"] is None:
        ground["data.seed"] = 0
    return ground


def by_recipe(results: Sequence[Result]) -> dict[str, list[Result]]:
    """Runs under their recipes' names, in order."""
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(result.recipe, []).append(result)
    return found


def standing(groups: Mapping[str, Sequence[Result]], tests: Sequence[PairedTest]) -> pl.DataFrame:
    """Columns recipe, metric, mean, sd (over seeds; null for one), best, level (not significantly worse)."""
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
            rows.append((name, metric, mean, sd, name == first, name == first or not differs))
    schema = {"recipe": pl.String, "metric": pl.String, "mean": pl.Float64, "sd": pl.Float64}
    return pl.DataFrame(rows, schema={**schema, "best": pl.Boolean, "level": pl.Boolean}, orient="row")
