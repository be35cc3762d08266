"""A recommender that is fitted once, in one place, to everybody's data: what a baseline is as a simulation.

Nothing is private: every user's interactions are sent there once, and that is what is counted.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tacit.core.scorer import Scorer
from tacit.core.traffic import Traffic
from tacit.simulator.checkpoint import Arrays, Reader
from tacit.simulator.fleet import Fleet, empty_slots
from tacit.simulator.simulation import Scenario, Simulation, ticks


class RecommenderSimulation(Simulation):
    """Everybody sends their data; when it has arrived the recommender is fitted."""

    def __init__(self, scenario: Scenario, fit: Callable[[], Scorer]) -> None:
        model, train = scenario.model, scenario.train
        self._fit = fit
        self._fitted: Scorer | None = None
        self._users = train.users
        self.period = ticks(scenario.full_seconds)
        slots = empty_slots(1, train.items, model, scenario.dtype)
        none = np.zeros((train.users, model.private_size), scenario.dtype)
        self.fleet = Fleet(slots, np.zeros(train.users, np.int32), none)
        self.traffic = Traffic.of_data(train.counts)

    @property
    def scorer(self) -> Scorer | None:
        """The fitted recommender; None before."""
        return self._fitted

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`."""
        if self._fitted is None and self.period <= until:
            self._fitted = self._fit()
            self.node_rounds = self._users
        self.now = until

    def save(self) -> Arrays:
        """Only the time: what was fitted comes out the same again."""
        return {"now": np.array([self.now])}

    def restore(self, arrays: Reader) -> None:
        """Go on from what `save` gave."""
        self.advance(int(arrays["now"][0]))
