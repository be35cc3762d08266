"""Prepared experiments, small ones too, run to their end."""

from __future__ import annotations

from typing import Any

from tacit.experiment.experiment import Experiment
from tacit.experiment.prepare import prepare
from tacit.experiment.result import Result
from tacit.experiment.run import Finished, Run

SMALL = {"data.users": 40, "data.items": 60, "data.interactions": 900, "hours": 6}


def run_to_end(
    experiment: Experiment, *, watch: Any = None, stop: Any = lambda: False, **more: Any
) -> Finished:
    """`more` as of `Run`."""
    return Run(experiment, **more).go(watch, stop)


def run(experiment: Experiment, **more: Any) -> Result:
    """Its figures."""
    return run_to_end(experiment, **more).result


def small(recipe: str = "hegedus/gossip-merge", **more: Any) -> Experiment:
    return prepare(recipe, "synthetic", {**SMALL, **more}, seed=3)


def figures(result: Result) -> tuple[Any, ...]:
    """Everything that must be the same in two runs of the same thing."""
    return result.metrics, result.curve, result.per_user.to_dict(as_series=False), result.cost.bytes_sent
