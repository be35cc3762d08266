"""Centralized learning, the ceiling: one place holds everybody's data and learns user by user.

Here nothing is private: every user's ratings are sent there once, and that is what is counted. A round is one pass
over all the data (`epochs` passes when set so), users in a fresh random order each time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints
from tacit.core.node_state import Floats
from tacit.core.rng import Stream, permutation
from tacit.core.traffic import BYTES_A_RATING, Tally
from tacit.models.training import training
from tacit.simulator.checkpoint import Arrays, Reader
from tacit.simulator.fleet import Fleet, Local, Slots, empty_slots, local, node_of, ratings_of
from tacit.simulator.initialize import initialize
from tacit.simulator.simulation import Setting, ticks
from tacit.simulator.user_groups import together


@cache
def _learn_all(train: Callable[..., None]) -> Callable[..., None]:
    @kernel
    def learn_all(
        order: Ints, model: Slots, private: Floats, data: Local, epochs: int, seed: int, turn: int, hyper: Any
    ) -> None:
        """Learn from the users in the given order, each with their own private part."""
        for u in order:
            train(node_of(model, 0, private, data, u), ratings_of(data, u), epochs, (seed, u, turn), hyper)

    return learn_all


class CentralSimulation:
    """A server that knows everything."""

    def __init__(self, setting: Setting) -> None:
        model, train = setting.model, setting.train
        nodes = train.users
        self._setting, self._data = setting, local(train, model, setting.dtype)
        self._hyper = model.hyper()
        self.period = ticks(setting.full_seconds)
        slots = empty_slots(1, train.items, model, setting.dtype)
        self.fleet = Fleet(
            slots, np.zeros(nodes, np.int32), np.zeros((nodes, model.private_size), setting.dtype)
        )
        counts = train.counts
        self.tally = Tally(
            (counts > 0).astype(np.int64), counts.copy(), counts.copy(), counts * BYTES_A_RATING
        )
        self.now = -1
        self._turn = 0
        self._learn_all = _learn_all(training(model).train)
        initialize(setting, slots, self.fleet.private, together(nodes))

    @property
    def node_rounds(self) -> int:
        """Users learned from."""
        return self._turn * self._setting.train.users

    @property
    def messages(self) -> int:
        """One a user: all of their data."""
        return int(self.tally.updates.sum())

    @property
    def bytes(self) -> int:
        """The size of everybody's data."""
        return int(self.tally.bytes.sum())

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`: a pass ends each period."""
        s = self._setting
        while (self._turn + 1) * self.period <= until:
            order = permutation(s.seed, Stream.ORDER, 0, self._turn, s.train.users)
            slots = self.fleet.slots
            self._learn_all(
                order, slots, self.fleet.private, self._data, s.epochs, s.seed, self._turn, self._hyper
            )
            slots.clock[0] += s.epochs
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
