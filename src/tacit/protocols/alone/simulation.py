"""Nobody sends anything: each node learns from its own data, once per round. Exchange is measured against it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.node_state import Floats
from tacit.core.traffic import Traffic
from tacit.models.training import training
from tacit.simulator.fleet import Fleet, Local, Slots, Turn, empty_slots, local, node_of, ratings_of
from tacit.simulator.initialize import initialize
from tacit.simulator.simulation import Scenario, Simulation, ticks
from tacit.simulator.user_groups import alone


@cache
def _learn_all(train: Callable[..., None]) -> Callable[..., None]:
    @kernel
    def learn_all(
        low: int, high: int, slots: Slots, private: Floats, data: Local, turn: Turn, hyper: Any
    ) -> None:
        """Nodes low .. high learn from their own data."""
        for u in range(low, high):
            node, draws = node_of(slots, u, private, data, u), (turn.seed, u, turn.number)
            train(node, ratings_of(data, u), turn.epochs, draws, hyper)
            slots.clock[u] += turn.epochs

    return learn_all


class AloneSimulation(Simulation):
    """Nodes that never meet; `common`: they start from the same model."""

    saved_counters = ("_turn",)

    def __init__(self, scenario: Scenario, *, common: bool = False) -> None:
        model, train = scenario.model, scenario.train
        nodes = train.users
        self._scenario, self._data, self._hyper = scenario, local(train, model, scenario.dtype), model.hyper()
        self.period = ticks(scenario.full_seconds)
        slots = empty_slots(nodes, train.items, model, scenario.dtype)
        private = np.zeros((nodes, model.private_size), scenario.dtype)
        self.fleet = Fleet(slots, np.arange(nodes, dtype=np.int32), private)
        self.traffic = Traffic.empty(nodes)
        self._turn = 0
        self._learn_all = _learn_all(training(model).train)
        initialize(scenario, slots, private, alone(nodes))
        if common:
            slots.rows[:] = slots.rows[0]
            slots.dense[:] = slots.dense[0]

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`: nodes learn at the end of each period."""
        s = self._scenario
        while (self._turn + 1) * self.period <= until:
            s.workers.run(
                self._learn_all, s.train.users, self.fleet.slots, self.fleet.private, self._data,
                Turn(s.seed, self._turn, s.epochs), self._hyper,
            )  # fmt: skip
            self.node_rounds += s.train.users
            self._turn += 1
        self.now = until

    def saved_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What beside models is part of the state."""
        return {"memory": self._data.memory}
