"""Nobody sends anything: each node learns from its own data, once a round. What exchange is measured against."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.node_state import Floats
from tacit.core.traffic import Tally
from tacit.models.training import training
from tacit.simulator.checkpoint import Arrays, Reader
from tacit.simulator.fleet import Fleet, Local, Slots, empty_slots, local, node_of, ratings_of
from tacit.simulator.initialize import initialize
from tacit.simulator.simulation import Setting, ticks
from tacit.simulator.user_groups import alone


@cache
def _learn_all(train: Callable[..., None]) -> Callable[..., None]:
    @kernel
    def learn_all(
        low: int,
        high: int,
        slots: Slots,
        private: Floats,
        data: Local,
        epochs: int,
        seed: int,
        turn: int,
        hyper: Any,
    ) -> None:
        """Nodes low .. high learn from their own data."""
        for u in range(low, high):
            train(node_of(slots, u, private, data, u), ratings_of(data, u), epochs, (seed, u, turn), hyper)
            slots.clock[u] += epochs

    return learn_all


class AloneSimulation:
    """Nodes that never meet; `common`: they start from the same model."""

    messages = 0
    bytes = 0

    def __init__(self, setting: Setting, *, common: bool = False) -> None:
        model, train = setting.model, setting.train
        nodes = train.users
        self._setting, self._data, self._hyper = setting, local(train, model, setting.dtype), model.hyper()
        self.period = ticks(setting.full_seconds)
        slots = empty_slots(nodes, train.items, model, setting.dtype)
        private = np.zeros((nodes, model.private_size), setting.dtype)
        self.fleet = Fleet(slots, np.arange(nodes, dtype=np.int32), private)
        self.tally = Tally.empty(nodes)
        self.now = -1
        self._turn = 0
        self._learn_all = _learn_all(training(model).train)
        initialize(setting, slots, private, alone(nodes))
        if common:
            slots.rows[:] = slots.rows[0]
            slots.dense[:] = slots.dense[0]

    @property
    def node_rounds(self) -> int:
        """How often any node has learned."""
        return self._turn * self._setting.train.users

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`: nodes learn at the end of each period."""
        s = self._setting
        while (self._turn + 1) * self.period <= until:
            s.workers.run(
                self._learn_all, s.train.users, self.fleet.slots, self.fleet.private, self._data,
                s.epochs, s.seed, self._turn, self._hyper,
            )  # fmt: skip
            self._turn += 1
        self.now = until

    def save(self) -> Arrays:
        """Everything needed to go on later and end with the same bits."""
        return {
            **self.fleet.slots._asdict(),
            "slot": self.fleet.slot,
            "memory": self._data.memory,
            "private": self.fleet.private,
            "state": np.array([self.now, self._turn]),
        }

    def restore(self, arrays: Reader) -> None:
        """Go on from what `save` gave and `snapshot.write` wrote."""
        for name in Slots._fields:
            arrays.into(name, getattr(self.fleet.slots, name))
        arrays.into("memory", self._data.memory)
        arrays.into("private", self.fleet.private)
        self.now, self._turn = (int(x) for x in arrays["state"])
