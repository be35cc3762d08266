"""Centralized learning, the ceiling: one place holds everybody's data and learns user by user.

Here nothing is private: every user's ratings are sent there once, and that is what is counted. A round is one pass
over all the data (`epochs` passes when set so), users in a fresh random order each time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints
from tacit.core.node_state import Floats
from tacit.core.rng import Stream, permutation
from tacit.core.traffic import Traffic
from tacit.models.training import training
from tacit.simulator.fleet import Fleet, Local, Slots, Turn, empty_slots, local, node_of, ratings_of
from tacit.simulator.initialize import initialize
from tacit.simulator.simulation import Scenario, Simulation, ticks
from tacit.simulator.user_groups import together


@cache
def _learn_all(train: Callable[..., None]) -> Callable[..., None]:
    @kernel
    def learn_all(order: Ints, model: Slots, private: Floats, data: Local, turn: Turn, hyper: Any) -> None:
        """Learn from the users in the given order, each with their own private part."""
        for u in order:
            node, draws = node_of(model, 0, private, data, u), (turn.seed, u, turn.number)
            train(node, ratings_of(data, u), turn.epochs, draws, hyper)

    return learn_all


class CentralSimulation(Simulation):
    """A server that knows everything."""

    saved_counters = ("_turn",)

    def __init__(self, scenario: Scenario) -> None:
        model, train = scenario.model, scenario.train
        nodes = train.users
        self._scenario, self._data = scenario, local(train, model, scenario.dtype)
        self._hyper = model.hyper()
        self.period = ticks(scenario.full_seconds)
        slots = empty_slots(1, train.items, model, scenario.dtype)
        self.fleet = Fleet(
            slots, np.zeros(nodes, np.int32), np.zeros((nodes, model.private_size), scenario.dtype)
        )
        self.traffic = Traffic.of_data(train.counts)
        self._turn = 0
        self._learn_all = _learn_all(training(model).train)
        initialize(scenario, slots, self.fleet.private, together(nodes))

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`: a pass ends each period."""
        s = self._scenario
        while (self._turn + 1) * self.period <= until:
            order = permutation(s.seed, Stream.ORDER, 0, self._turn, s.train.users)
            slots = self.fleet.slots
            turn = Turn(s.seed, self._turn, s.epochs)
            self._learn_all(order, slots, self.fleet.private, self._data, turn, self._hyper)
            slots.clock[0] += s.epochs
            self.node_rounds += s.train.users
            self._turn += 1
        self.now = until

    def saved_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What beside models is part of the state."""
        return {"memory": self._data.memory}
