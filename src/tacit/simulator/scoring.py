"""The scorer of a simulation: its own where it has one (a baseline), otherwise every node's own model."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions, Ints, Positions
from tacit.core.scorer import Scorer, Scores
from tacit.models.base import Model
from tacit.simulator.fleet import Fleet, local
from tacit.simulator.scoring_kernels import scoring_kernels
from tacit.simulator.simulation import Simulation


class FleetScorer(Scorer):
    """Each user by the model of their own node. `lazy`: rows exist only once they were updated or received."""

    def __init__(self, model: Model, simulation: Simulation, lazy: bool, workers: Workers) -> None:
        fleet = simulation.fleet
        super().__init__(len(fleet.private), fleet.slots.rows.shape[1])
        self._kernels = scoring_kernels(model.kernels.score, model.kernels.unseen)
        self._state = (fleet, lazy, model.hyper())
        self._workers = workers

    def block(self, low: int, high: int, out: Scores) -> None:
        """Fill `out` for the users low .. high, on all cores."""
        self._workers.run(self._kernels.block, high - low, low, *self._state, out)

    def some(self, start: Ints, item: Positions) -> Scores:
        """Only the items asked for."""
        out = np.empty(len(item))
        self._workers.run(self._kernels.some, self.users, start, item, *self._state, out)
        return out


def scorer_of(model: Model, simulation: Simulation, lazy: bool, workers: Workers) -> Scorer:
    """What ranks for the users of a simulation."""
    own = simulation.scorer
    return own if own is not None else FleetScorer(model, simulation, lazy, workers)


def prediction_errors(
    model: Model, fleet: Fleet, test: Interactions, scale: tuple[float, float], lazy: bool, workers: Workers
) -> npt.NDArray[np.float64]:
    """Prediction minus rating for every test entry, each user by the model of their own node."""
    errors = scoring_kernels(model.kernels.score, model.kernels.unseen).errors
    out = np.zeros(len(test))
    middle = (scale[0] + scale[1]) / 2
    workers.run(errors, test.users, fleet, local(test), lazy, middle, model.hyper(), out)
    return out
