"""Sweep over settings: every run is measured on a validation part; only the chosen setting meets the test part."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from itertools import product
from pathlib import Path
from typing import Any

from tacit.core.errors import BadInput, unknown
from tacit.core.rng import Stream, permutation
from tacit.core.settings import Value
from tacit.data.dataset import Data
from tacit.experiment.batch import RunListener, Task, run_all
from tacit.experiment.choose_rounds import best_point
from tacit.experiment.compare import GROUND, Seeds, common_ground, seeds_of
from tacit.experiment.recipes import recipe
from tacit.experiment.result import Result
from tacit.experiment.run_settings import known, settle, unknown_setting
from tacit.metrics.higher_is_better import lower_is_better

Setting = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Tried:
    """One setting and its runs on the validation part, one per seed."""

    setting: Setting
    runs: list[Result]
    mean: float | None
    """Of the metric that decides, over the seeds; None where it could not be measured."""
    sd: float | None


@dataclass(frozen=True, slots=True)
class Sweep:
    """What was tried, what was chosen, and how the chosen setting does on the test part."""

    recipe: str
    metric: str
    tried: list[Tried]
    best: Tried
    test: list[Result]
    """The chosen setting, learned from training and validation part, measured on the test part; one run per seed."""

    def to_json(self) -> dict[str, Any]:
        """The contract's object; `runs` are those on the validation part."""
        return {
            "runs": [run.to_json() for one in self.tried for run in one.runs],
            "best": {
                "settings": self.best.setting,
                "metric": self.metric,
                "validation": self.best.mean,
                "test": self.tested()[0],
                "runs": [run.to_json() for run in self.test],
            },
            "tests": [],
        }

    def tested(self) -> tuple[float | None, float | None]:
        """Mean and standard deviation of the metric on the test part."""
        return _mean(self.test, self.metric)

    def ranking(self) -> list[Tried]:
        """What was tried, best first; what could not be measured last."""
        sign = 1.0 if lower_is_better(self.metric) else -1.0
        return sorted(self.tried, key=lambda one: (one.mean is None, sign * (one.mean or 0.0)))


@dataclass(frozen=True, slots=True)
class Search:
    """How settings are tried and judged."""

    seeds: Seeds = 1
    random: int | None = None
    """How many combinations, drawn by chance; None: all."""
    metric: str | None = None
    """What decides; None: the evaluation's first."""


def sweep(
    name: str,
    vary: Mapping[str, Sequence[Any]],
    data: Data,
    settings: Mapping[str, Any] | None = None,
    search: Search | None = None,
    out: Path | None = None,
    host: RunListener | None = None,
) -> Sweep:
    """Try every combination, or some, and run the best one on the test part.

    With `best=METRIC` a setting is judged by its best round, and the chosen one is run for as many (choose_rounds.py).
    Runs follow each other, each on all cores, or go side by side where a run could use only one (see batch.run_all).
    """
    search = search or Search()
    host = host or RunListener()
    seeds, random, metric = seeds_of(search.seeds), search.random, search.metric
    chosen = dict(settings or {})
    best = settle(recipe(name).parameters, chosen)["best"]
    if metric is not None and best not in (None, metric):
        raise BadInput("--metric", got=f"{metric} beside best={best}", allowed="one of the two")
    metric = metric if best is None else str(best)
    grid = combinations(name, vary, chosen, random)
    ground = {key: value for key, value in common_ground(name, data, chosen).items() if key not in chosen}
    ground.pop("evaluate.on", None)
    fixed = {**ground, **chosen}

    def tasks(setting: Setting, part: str, keep: bool) -> list[Task]:
        words = {**fixed, **setting, "evaluate.on": part}
        if part == "validation":
            words["best"] = None  # every round is measured anyway
        return [Task(name, data, words, seed, keep and seed == seeds[0]) for seed in seeds]

    deciding: list[str] = []

    def look(place: int, result: Result) -> None:
        """The first run tells which metrics there are; a wrong name should not cost the whole sweep."""
        if not deciding:
            if metric is not None and metric not in result.metrics:
                raise unknown("--metric", metric, result.metrics)
            deciding.append(metric or next(iter(result.metrics)))

    trials = [task for setting in grid for task in tasks(setting, "validation", False)]
    host.begin(trials)
    results = run_all(trials, out, host, look)
    tried = []
    for place, setting in enumerate(grid):
        runs = results[place * len(seeds) : (place + 1) * len(seeds)]
        tried.append(Tried(setting, runs, *_mean(runs, deciding[0], best is not None)))
    chosen_one = choose(tried, deciding[0])
    test = run_all(tasks(chosen_one.setting, "test", True), out, host)
    return Sweep(name, deciding[0], tried, chosen_one, test)


def tried_values(vary: Mapping[str, Any]) -> dict[str, list[Any]]:
    """What is tried of each setting, as lists.

    >>> tried_values({"model.k": range(3, 6)})
    {'model.k': [3, 4, 5]}
    """
    for key, values in vary.items():
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise BadInput(f"vary {key}", got=repr(values), allowed="a list of values, such as [0.01, 0.03]")
    found = {key: list(values) for key, values in vary.items()}
    for key, values in found.items():
        for value in values:
            if is_dataclass(value):
                got = f"{type(value).__name__}(...)"
                allowed = 'names and numbers, such as {"model.k": [2, 8]}; tacit.compare takes objects in its arms: '
                arm = f'{{"a": (RECIPE, {{"{key}": {got}}})}}'
                raise BadInput(f"vary {key}", got=got, allowed=allowed + arm)
    return found


def combinations(
    name: str, vary: Mapping[str, Sequence[Any]], settings: Mapping[str, Any], random: int | None
) -> list[Setting]:
    """The settings to try, every one checked; the last key varies fastest."""
    if not vary:
        raise BadInput("--vary", got="nothing", allowed="key=v1,v2,...")
    for key, values in vary.items():
        if key.startswith(GROUND):
            raise BadInput(
                "--vary", got=key, allowed="what does not change the data, the split or the evaluation"
            )
        if key in settings:
            raise BadInput("--vary", got=f"{key}, which is also set", allowed="one of the two")
        if not values:
            raise BadInput(f"--vary {key}", got="no values", allowed="key=v1,v2,...")
    own = recipe(name).parameters
    grid = []
    for values in product(*vary.values()):
        setting = dict(zip(vary, values, strict=True))
        table = known({**own, **settings, **setting})
        for key, value in setting.items():
            if key not in table:
                raise unknown_setting(key, table, f"--vary {key}={value}")
        checked = settle(own, {**settings, **setting})
        grid.append({key: checked[key] for key in setting})
    unique = [setting for place, setting in enumerate(grid) if setting not in grid[:place]]
    if random is None or random >= len(unique):
        return unique
    if random < 1:
        raise BadInput("--random", got=random, allowed="a whole number from 1")
    drawn = permutation(0, Stream.SWEEP, 0, 0, len(unique))[:random]
    return [unique[place] for place in sorted(drawn)]


def choose(tried: Sequence[Tried], metric: str) -> Tried:
    """The best mean; the earlier one among equals."""
    measured = [one for one in tried if one.mean is not None]
    if not measured:
        raise BadInput("sweep", got=f"no run with a {metric}", allowed="users with a validation part")
    return (min if lower_is_better(metric) else max)(measured, key=lambda one: one.mean or 0.0)


def parse_vary(texts: Sequence[str]) -> dict[str, list[str]]:
    """`key=v1,v2` texts of the command line as a mapping."""
    found: dict[str, list[str]] = {}
    for text in texts:
        key, equals, values = text.partition("=")
        listed = [value.strip() for value in values.split(",") if value.strip()]
        if not equals or not key.strip() or not listed:
            raise BadInput("--vary", got=repr(text), allowed="key=v1,v2,... such as model.eta=0.01,0.03")
        if key.strip() in found:
            raise BadInput("--vary", got=f"{key.strip()} twice", allowed="each key once")
        found[key.strip()] = listed
    return found


def _mean(runs: Sequence[Result], metric: str, best: bool = False) -> tuple[float | None, float | None]:
    """Mean and standard deviation over the seeds with somebody to measure: at the end, or at each run's best round."""
    measured = [run for run in runs if run.metrics.get(metric) is not None]
    values = [best_point(run.curve, metric)[1] if best else run.metrics[metric] for run in measured]
    if not values:
        return None, None
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else None
