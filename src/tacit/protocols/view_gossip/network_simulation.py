"""What all simulations of gossip to views have: everybody's data, weighting sets, notes and views."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions, Ints
from tacit.core.message import codec
from tacit.core.traffic import Traffic
from tacit.merges.base import SAMPLES
from tacit.models.base import memory_sizes, sample_counts, vector_size
from tacit.models.training import training
from tacit.protocols.view_gossip.kernels import make_receive
from tacit.protocols.view_gossip.node import Habits, heard_size, rules_of
from tacit.protocols.view_gossip.simulation_kernels import Aside, Notes, Owned, People, divide_all
from tacit.simulator.fleet import Fleet, Local, Slots, empty_slots, memory_starts
from tacit.simulator.initialize import initialize
from tacit.simulator.outgoing_messages import Leaving
from tacit.simulator.simulation import Scenario, Simulation, ticks
from tacit.simulator.user_groups import alone

_PEER_BYTES = 4
"""A peer's number in a view that is sent along."""


@dataclass(frozen=True, slots=True)
class Held:
    """What nodes hold back and what they may know."""

    weighting: Ints
    """How many items each node sets aside to weigh models by."""
    avoid: Interactions | None = None
    """What negatives are drawn outside of (`negatives=paper`); None: each node's own training part."""


class ViewNetwork(Simulation):
    """All nodes of the network, without their models."""

    def __init__(self, scenario: Scenario, habits: Habits, held: Held, *, timed: bool = False) -> None:
        model, train = scenario.model, scenario.train
        nodes, items = train.users, train.items
        if nodes < 2:
            raise BadInput(
                "network", got=f"{nodes} node", allowed="2 nodes or more, to have somebody to gossip with"
            )
        self._scenario, self._habits, self._held, self._timed = scenario, habits, held, timed
        self.partition = scenario.partition
        self._here = self.partition.own(nodes)
        self._hyper = model.hyper()
        self._rules = rules_of(habits, scenario.seed, scenario.epochs, vector_size(model))
        self._view = min(habits.view, nodes - 1)
        self.period = self._view * ticks(scenario.full_seconds)
        own = habits.read_out != "local"
        self._shown = empty_slots(len(self._here) if own else 0, items, model, scenario.dtype)
        self._private = np.zeros((nodes, model.private_size), scenario.dtype)
        counted = sample_counts(model)
        ratings = train.counts - (held.weighting if self._rules.scored else 0)
        self._samples = ratings if counted is None else counted
        self._data, self._aside = self._room()
        remembered = min(habits.memory, nodes - 1) if self._rules.scored else 0
        self._notes = Notes(
            np.full((nodes, remembered), -1, np.int32),
            np.zeros((nodes, remembered), np.float32),
            np.full((nodes, heard_size(habits, self._view)), -1, np.int32),
        )
        self._views = np.full((nodes, self._view), -1, np.int32)
        self._received = np.zeros(nodes, np.int64)
        self.traffic = Traffic.empty(nodes)
        self.seconds = np.zeros(nodes)
        """Processor seconds of each node, where they are timed (`timing=true`): measured, so different every time."""
        size = np.dtype(scenario.dtype).itemsize
        self._bytes = codec.encoded_size(
            items, model.row_width, model.dense_size, sparse=False, itemsize=size
        )
        self._beside = (8 if self._rules.basis == SAMPLES else 0) + (
            _PEER_BYTES * self._view if habits.from_views else 0
        )
        """Bytes of what a message says beside the model."""
        self._receive = make_receive(model.kernels.score, training(model).train)

    def _start(self, slots: Slots) -> None:
        """Everybody's first model, in the first slots, and the first weighting sets."""
        here = len(self._here)
        initialize(self._scenario, slots, self._private, alone(len(self._views)))
        if self._habits.common:
            for array in (slots.rows, slots.ages, slots.dense):
                self.partition.share(array[:1])
                array[1:here] = array[0]
        for name in ("rows", "ages", "dense"):
            getattr(self._shown, name)[:] = getattr(slots, name)[: len(self._shown.rows)]
        self._divide(0)

    def _room(self) -> tuple[Local, Aside]:
        """Arrays for everybody's data; how much each node sets aside never changes."""
        train, avoid = self._scenario.train, self._held.avoid
        aside = self._held.weighting if self._rules.scored else np.zeros(train.users, np.int64)
        counts = train.counts - aside if avoid is None else avoid.counts
        start, aside_start = (np.concatenate(([0], np.cumsum(n))).astype(np.int64) for n in (counts, aside))
        memory_start = self.partition.only_own(
            memory_starts(memory_sizes(self._scenario.model), start, train.items)
        )
        data = Local(
            start,
            np.zeros(start[-1], np.int32),
            np.zeros(start[-1], np.float32),
            np.zeros(memory_start[-1], self._scenario.dtype),
            memory_start,
        )
        lists = int(aside.max(initial=1)) if self._habits.per_item else 1
        others = np.full((train.users, lists, self._habits.negatives), -1, np.int32)
        return data, Aside(aside_start, np.zeros(aside_start[-1], np.int32), others)

    def _owned(self) -> tuple[Owned, Owned]:
        """What everybody has, and what their negatives are outside of where that is something else."""
        train, avoid = self._scenario.train, self._held.avoid
        nothing = Owned(np.zeros(1, np.int64), train.item[:0])
        return Owned(train.start, train.item), nothing if avoid is None else Owned(avoid.start, avoid.item)

    def _divide(self, event: int) -> None:
        """Everybody sets a weighting set aside, and returns the old one to the training part."""
        s = self._scenario
        s.workers.run(
            divide_all, s.train.users, s.seed, event, *self._owned(), s.train.items, self._data, self._aside
        )

    def _people(self) -> People:
        return People(self._private, self._data, self._aside, self._samples, self._notes, self._received)

    @abstractmethod
    def _own(self) -> tuple[Slots, npt.NDArray[np.int32]]:
        """Models as nodes learn and send them, and which is whose."""

    @property
    def fleet(self) -> Fleet:  # type: ignore[override]
        """The models nodes recommend with: `read-out` says which."""
        if len(self._shown.rows):
            return Fleet(self._shown, self.partition.places(len(self._views)), self._private)
        return Fleet(*self._own(), self._private)

    def per_node(self) -> dict[str, npt.NDArray[Any]]:
        """What is known about each node beside its metrics: models received, and seconds where they were measured."""
        more = {"seconds": self.seconds} if self._timed else {}
        return {"models_received": self._received, **more}

    def _past_shields(self, slots: Slots, at: int, node: int, event: int) -> int:
        """Take the model in a slot past the shields of its node; how many bytes it then has on its way."""
        s, left = self._scenario, Traffic.empty(len(self._views))
        leaving = Leaving(s.model.fields, self._habits.shields, s.seed)
        rows = leaving.release_model(slots, at, s.train.of(node)[0], node, event, left)
        if len(rows) < s.train.items:
            raise BadInput(
                "shield",
                got=f"{len(rows)} of {s.train.items} rows",
                allowed="one that lets all rows out, with protocol view-gossip: models are weighed as a whole",
            )
        return int(left.bytes[node])

    def _count(self, messages: Ints, sizes: Ints) -> None:
        """Enter how many messages each node sent, and how many bytes the model in each of its messages had."""
        t, train = self.traffic, self._scenario.train
        t.updates += messages
        t.rows += messages * train.items
        t.rows_rated += messages * train.counts
        t.bytes += messages * (sizes + self._beside)

    def saved_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What beside models is part of the state."""
        return {
            "memory": self._data.memory,
            "item": self._data.item,
            "value": self._data.value,
            "aside": self._aside.item,
            "others": self._aside.others,
            "views": self._views,
            "note_peers": self._notes.peers,
            "note_scores": self._notes.scores,
            "heard": self._notes.heard,
            "received": self._received,
            "seconds": self.seconds,
        }
