"""The scorer of a simulation: its own where it has one (a baseline), otherwise every node's own model."""

from __future__ import annotations

import numpy as np

from tacit.core.compiling import specialize
from tacit.core.interactions import Ints, Positions
from tacit.core.scorer import Scorer, Scores
from tacit.core.workers import Workers
from tacit.hosts.sim import score_loop
from tacit.hosts.sim.simulation import Simulation
from tacit.models.base import Model


class FleetScorer(Scorer):
    """Each user by the model of their own node. `lazy`: rows exist only once they were updated or received."""

    def __init__(self, model: Model, simulation: Simulation, lazy: bool, workers: Workers) -> None:
        fleet = simulation.fleet
        super().__init__(len(fleet.private), fleet.slots.rows.shape[1])
        self._loop = specialize(score_loop, score=model.kernels.score, unseen=model.kernels.unseen)
        self._state = (fleet.slots, fleet.slot, fleet.private, lazy, model.hyper())
        self._workers = workers

    def block(self, low: int, high: int, out: Scores) -> None:
        """Fill `out` for the users low .. high, on all cores."""
        self._workers.run(self._loop.score_block, high - low, low, *self._state, out)

    def some(self, start: Ints, item: Positions) -> Scores:
        """Only the items asked for."""
        out = np.empty(len(item))
        self._workers.run(self._loop.score_some, self.users, start, item, *self._state, out)
        return out


def scorer_of(model: Model, simulation: Simulation, lazy: bool, workers: Workers) -> Scorer:
    """Who ranks for the users of a simulation."""
    own: Scorer | None = getattr(simulation, "scorer", None)
    return own if own is not None else FleetScorer(model, simulation, lazy, workers)
