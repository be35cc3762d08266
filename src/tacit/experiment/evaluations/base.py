"""What an evaluation is: metrics measured while a run goes on, and for every user at its end.

A module here holds a class under the name `evaluation`, made from (experiment, workers).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.core.registry import construct
from tacit.core.where import is_ours, where_defined
from tacit.simulator.simulation import Simulation

if TYPE_CHECKING:
    from tacit.experiment.experiment import Experiment

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class NoSettings:
    """Of an evaluation that has nothing to set."""


class Evaluation(Protocol):
    """A way to measure a simulation: figures over the online users now, and one value per user."""

    headline: str
    """The metric to show while the run goes on."""
    Settings: ClassVar[type] = NoSettings
    """A record of its own settings (`evaluate.k`), beside those every run has."""
    whole: tuple[str, ...] = ()
    """Metrics of all users together that no single one has."""
    models: ClassVar[tuple[str, ...]] = ()
    """Models that it measures, where that is not every one."""
    cuts: ClassVar[tuple[int, ...]] = ()
    """Its cut-offs, where they are fixed."""
    points: ClassVar[int] = 100
    """About how often to measure during a run."""

    def __init__(self, experiment: Experiment, workers: Workers) -> None:
        """Ready to measure runs of an experiment."""

    @classmethod
    def settings(cls, experiment: Experiment) -> Any:
        """Its own settings in an experiment."""
        return construct(cls.Settings, experiment.parameters)

    @classmethod
    def check(cls, experiment: Experiment) -> None:
        """Refuse, before anything starts, what could not be measured."""

    def measure(self, simulation: Simulation, online: Mask) -> dict[str, float | None]:
        """Every metric over the users who are online; None where nobody can be measured."""
        ...

    def per_user(self, simulation: Simulation) -> dict[str, Floats]:
        """Every metric for each user, online or not; NaN where a user has no test part."""
        ...

    def further(self, rounds: list[float]) -> dict[str, Floats]:
        """Columns of the per-user table that are no metrics; `rounds`: when it was measured during the whole run."""
        return {}

    def per_item(self, simulation: Simulation) -> dict[str, npt.NDArray[Any]]:
        """What is counted for each item at the end."""
        return {}

    def lists(self) -> dict[str, str]:
        """What kind of list its metrics at K are of: "list", and "list of f1" where F1 is of another kind."""
        return {}

    def ties(self, simulation: Simulation) -> float | None:
        """The share of ranks that ties decided; None where nothing is ranked."""
        return None

    def spread(self, simulation: Simulation) -> tuple[float, float] | None:
        """Standard deviations of predictions and of what they predict; None where nothing is predicted."""
        return None

    def guess(self) -> tuple[str, float] | None:
        """A way to do without learning, and the headline metric of it; None where there is none."""
        return None

    def more(self, simulation: Simulation) -> dict[str, Any]:
        """Further objects for the result's JSON."""
        return {}


def check_measures(evaluation: Evaluation, simulation: Simulation) -> None:
    """See, on a miniature, that an evaluation gives what a run needs of it."""
    where = where_defined(type(evaluation))
    name = f"evaluation {type(evaluation).__name__}"
    if not isinstance(getattr(evaluation, "headline", None), str):
        raise BadInput(
            f"{name} has no headline", allowed="the name of its most important metric", where=where
        )
    users = len(simulation.fleet.slot)
    each = values_per_user(evaluation, simulation, users)
    if evaluation.headline not in (*each, *evaluation.whole):
        allowed = ", ".join((*each, *evaluation.whole))
        raise BadInput(f"{name}: headline", got=evaluation.headline, allowed=allowed, where=where)
    if is_ours(evaluation):
        return
    now = evaluation.measure(simulation, np.ones(users, np.bool_))
    if not isinstance(now, dict) or evaluation.headline not in now:
        got = ", ".join(now) if isinstance(now, dict) else f"a {type(now).__name__}"
        allowed = f"metrics by name, {evaluation.headline} among them"
        raise BadInput(f"measure of {name}", got=got or "nothing", allowed=allowed, where=where)


def values_per_user(evaluation: Evaluation, simulation: Simulation, users: int) -> dict[str, Floats]:
    """Every metric for each user; refused where it is not one value for every one of them."""
    each = evaluation.per_user(simulation)
    got = ""
    if not isinstance(each, dict):
        got = f"a {type(each).__name__}"
    elif not each and not evaluation.whole:
        got = "a dict without any"
    else:
        shapes = {name: np.shape(values) for name, values in each.items()}
        got = next((f"{name} of shape {shape}" for name, shape in shapes.items() if shape != (users,)), "")
    if got:
        what, where = f"per_user of evaluation {type(evaluation).__name__}", where_defined(type(evaluation))
        allowed = f'names and arrays with one value for each of {users} users, such as {{"auc": values}}'
        raise BadInput(what, got=got, allowed=allowed, where=where)
    return each
