"""The scorer of a simulation: its own where it has one (a baseline), otherwise every node's own model."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions, Ints, Positions
from tacit.core.scorer import Scorer, Scores
from tacit.models.base import Model
from tacit.simulator.fleet import Fleet, local
from tacit.simulator.partition import ALONE, Partition
from tacit.simulator.scoring_kernels import ScoringKernels, scoring_kernels
from tacit.simulator.simulation import Simulation


class FleetScorer(Scorer):
    """Each user by the model of their own node. `lazy`: rows exist only once they were updated or received."""

    def __init__(self, model: Model, simulation: Simulation, lazy: bool, workers: Workers) -> None:
        fleet = simulation.fleet
        super().__init__(len(fleet.private), fleet.slots.rows.shape[1])
        self._kernels = _kernels(model, fleet)
        self._state = (fleet, lazy, model.hyper())
        self._workers, self._partition = workers, simulation.partition
        self._own = self._partition.own(self.users)

    def block(self, low: int, high: int, out: Scores) -> None:
        """Fill `out` for those of the users low .. high whose models are here, on all cores."""
        first, last = max(low, self._own.start), min(high, self._own.stop)
        self._workers.run(
            self._kernels.block, max(0, last - first), low, *self._state, out, first=first - low
        )

    def some(self, start: Ints, item: Positions) -> Scores:
        """Only the items asked for."""
        out = np.empty(len(item))
        self._workers.run(
            self._kernels.some, len(self._own), start, item, *self._state, out, first=self._own.start
        )
        self._partition.complete(out, start)
        return out


def scorer_of(model: Model, simulation: Simulation, lazy: bool, workers: Workers) -> Scorer:
    """What ranks for the users of a simulation."""
    own = simulation.scorer
    return own if own is not None else FleetScorer(model, simulation, lazy, workers)


def prediction_errors(
    model: Model,
    fleet: Fleet,
    test: Interactions,
    scale: tuple[float, float],
    lazy: bool,
    workers: Workers,
    partition: Partition = ALONE,
) -> npt.NDArray[np.float64]:
    """Prediction minus rating for every test entry, each user by the model of their own node."""
    errors = _kernels(model, fleet).errors
    out = np.zeros(len(test))
    middle = (scale[0] + scale[1]) / 2
    own = partition.own(test.users)
    workers.run(errors, len(own), fleet, local(test), lazy, middle, model.hyper(), out, first=own.start)
    partition.complete(out, test.start)
    return out


def _kernels(model: Model, fleet: Fleet) -> ScoringKernels:
    return scoring_kernels(model.kernels.score, model.kernels.unseen, fleet.slots.rows.dtype == np.uint16)
