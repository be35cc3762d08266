"""Choose the number of rounds on a validation part (`best=METRIC`); the test part is not looked at.

The run is made twice. The first run learns from the training part without its validation part, and is measured on
that after every round. The second learns from the whole training part, for as many rounds as were best. Keeping the
best state of the first run instead would cost a fifth of the data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from tacit.core.errors import BadInput, unknown
from tacit.experiment import run_folder
from tacit.experiment.experiment import Experiment
from tacit.experiment.prepare import for_validation
from tacit.metrics.higher_is_better import lower_is_better


class Watcher(Protocol):
    """Follows a run while it goes on."""

    def update(
        self,
        *,
        hours: float,
        rounds: float,
        metric_name: str,
        metric: float | None,
        fraction: float,
        node_rounds: int,
    ) -> None:
        """Called after every round. A metric of None was not measured this time."""
        ...


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen."""

    metric: str
    round: int
    of: int
    """Rounds there were to choose among."""
    validation: float
    """The metric on the validation part after the chosen round."""
    wall_seconds: float
    """What choosing cost."""

    def to_json(self) -> dict[str, Any]:
        """The result's "best"."""
        return asdict(self)

    def sentence(self) -> str:
        """In words."""
        value = f"{self.metric} {self.validation:.4g}"
        return (
            f"rounds chosen on a validation part: {self.round} of {self.of} ({value} there); "
            "then learned anew from the whole training part"
        )


def choose(
    make_run: Callable[..., Any],
    experiment: Experiment,
    out: Path | None,
    resume: bool,
    threads: int | None,
    watch: Watcher | None,
    stop: Callable[[], bool],
) -> Choice:
    """Run without the test part and look for the best round. With `out` it can be stopped and taken up again.

    `make_run` is the class of runs, which stands above this module.
    """
    metric = str(experiment.settings.evaluation.best)
    first = for_validation(experiment)
    where = None if out is None else out / run_folder.CHOOSING
    going_on = resume and where is not None and (where / run_folder.STATE).exists()
    run = make_run(first, out=where, resume=going_on, threads=threads)
    rounds = run.horizon // run.simulation.period
    if rounds < 2:
        raise BadInput(
            "best", got=f"{metric} with {rounds} round", allowed="two rounds or more to choose among"
        )
    measured = run.evaluation.measure(run.simulation, np.ones(first.split.train.users, np.bool_))
    if metric not in measured:
        raise unknown("best", metric, measured)
    result = run.go(watch, stop).result
    at, value = best_point(result.curve, metric)
    return Choice(metric, at, rounds, value, result.cost.wall_seconds)


def best_point(curve: Sequence[dict[str, Any]], metric: str) -> tuple[int, float]:
    """The round at which a curve is best, the earliest among equals, and its value there."""
    points = [(int(point["round"]), float(point[metric])) for point in curve if point.get(metric) is not None]
    if not points:
        raise BadInput("best", got=f"no round with a {metric}", allowed="users with a validation part")
    sign = 1.0 if lower_is_better(metric) else -1.0
    return min(points, key=lambda point: (sign * point[1], point[0]))
