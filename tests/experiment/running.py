"""A prepared experiment, run to its end."""

from __future__ import annotations

from typing import Any

from tacit.experiment.experiment import Experiment
from tacit.experiment.result import Result
from tacit.experiment.run import Finished, Run


def run_to_end(
    experiment: Experiment, *, watch: Any = None, stop: Any = lambda: False, **more: Any
) -> Finished:
    """`more` as of `Run`."""
    return Run(experiment, **more).go(watch, stop)


def run(experiment: Experiment, **more: Any) -> Result:
    """Its figures."""
    return run_to_end(experiment, **more).result
