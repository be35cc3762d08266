"""Federated learning in virtual time: a server sends its model to every online node, adds up what comes back.

A round takes a download of the whole model and an upload of the (subsampled) difference. A node learns when the
download has arrived; its private part has changed then, whether or not the upload still makes it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.message import codec
from tacit.core.message.update import Shield
from tacit.core.node_state import NodeState
from tacit.core.rng import Stream, permutation
from tacit.core.traffic import Traffic
from tacit.models.training import Average, training
from tacit.privacy.subsample import Subsample, row_count
from tacit.protocols.federated.simulation_kernels import Returned, Sums, add_up, make_learn_clients, move_rows
from tacit.simulator.churn.sessions import online_mask, through_mask
from tacit.simulator.fleet import Fleet, Turn, empty_slots, local
from tacit.simulator.initialize import initialize
from tacit.simulator.outgoing_messages import Leaving, count_rows, positions
from tacit.simulator.simulation import Scenario, ServerSimulation, ticks
from tacit.simulator.user_groups import together


class FederatedSimulation(ServerSimulation):
    """A server and all its clients."""

    saved_counters = ("_turn", "downloads", "_step")
    divided = ("memory", "returned_rows", "returned_travels")

    def __init__(
        self,
        scenario: Scenario,
        *,
        share: float = 1.0,
        participation: float = 1.0,
        shields: tuple[Shield, ...] = (),
        average: Average = "raters",
    ) -> None:
        """`shields` change what clients return; an upload takes as long on its way as without them.

        Every rank has the server's model, and what its own clients return.
        """
        model, train = scenario.model, scenario.train
        nodes, items, self.partition = train.users, train.items, scenario.partition
        here = self.partition.part(train)
        self._scenario, self._data = scenario, local(here, model, scenario.dtype, self.partition)
        self._hyper, self._average = model.hyper(), average
        self._rows = items if share >= 1 else row_count(share, items)
        self._download = ticks(scenario.full_seconds)
        self._upload = ticks(scenario.full_seconds * self._rows / items)
        self._turn_length = self._download + self._upload
        self._asked = max(1, round(participation * nodes))
        """How many nodes take part in a turn. A round is as many turns as it takes until everybody was asked once."""
        self._turns = -(-nodes // self._asked)
        self.period = self._turns * self._turn_length
        width = model.row_width
        slots = empty_slots(1, items, model, scenario.dtype)
        self.fleet = Fleet(
            slots, np.zeros(nodes, np.int32), np.zeros((nodes, model.private_size), scenario.dtype)
        )
        self._returned = Returned(
            np.zeros((len(here), width), scenario.dtype),
            np.zeros(len(here), np.bool_),
            np.zeros((nodes, model.dense_size), scenario.dtype),
        )
        self._shields = (Subsample(share), *shields) if shields and share < 1 else shields
        self._item_start, self._entries = here.by_item()
        self._entry_user = here.user
        size = np.dtype(scenario.dtype).itemsize
        dense = model.dense_size
        self.download_bytes = codec.encoded_size(items, width, dense, sparse=False, itemsize=size)
        self._up_bytes = codec.encoded_size(
            self._rows, width, dense, sparse=self._rows < items, itemsize=size
        )
        self._own_rows = np.minimum(train.counts, self._rows)
        self.traffic = Traffic.empty(nodes)
        self._turn = 0
        self._learning = np.zeros(nodes, np.bool_)
        """Clients of the round under way that got the model and learned."""
        self._step = 0
        """What comes next in the round under way: downloads leave, clients learn, the server adds."""
        self._learn_clients = make_learn_clients(training(model).difference)
        initialize(scenario, slots, self.fleet.private, together(nodes), secure=True)

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`: clients learn mid-round, the server adds at its end."""
        steps = ((self._send, 0), (self._learn, self._download), (self._add, self._turn_length))
        while True:
            step, after = steps[self._step]
            start = self._turn * self._turn_length
            if start + after > until:
                break
            step(start)
            self._step = (self._step + 1) % len(steps)
        self.now = until

    def _chosen(self) -> npt.NDArray[np.bool_]:
        """The clients that are asked this turn: everybody, or the next few in the round's random order."""
        nodes = len(self._learning)
        if self._turns == 1:
            return np.ones(nodes, np.bool_)
        turn_of_round, s = self._turn % self._turns, self._scenario
        order = permutation(s.seed, Stream.CLIENTS, 0, self._turn // self._turns, nodes)
        mask = np.zeros(nodes, np.bool_)
        mask[order[turn_of_round * self._asked : (turn_of_round + 1) * self._asked]] = True
        return mask

    def _send(self, start: int) -> None:
        online = online_mask(self._scenario.sessions, len(self._learning), start)
        self.downloads += int((online & self._chosen()).sum())

    def _learn(self, start: int) -> None:
        s, nodes = self._scenario, len(self._learning)
        self._learning = self._chosen() & through_mask(s.sessions, nodes, start, start + self._download)
        clients = np.flatnonzero(self._learning).astype(np.int32)
        own = self.partition.own(nodes)
        here = clients[(clients >= own.start) & (clients < own.stop)]
        s.workers.run(
            self._learn_clients, len(here), here, self.fleet.slots, self.fleet.private, self._data,
            self._returned, self._rows, Turn(s.seed, self._turn, s.epochs), s.model.kernels.looks_up, self._hyper,
        )  # fmt: skip
        self.node_rounds += len(clients)
        t = self.traffic
        t.updates[clients] += 1
        if self._shields:
            self._release(clients)
            return
        t.rows[clients] += self._rows
        t.rows_rated[clients] += self._own_rows[clients]
        t.bytes[clients] += self._up_bytes

    def _release(self, clients: npt.NDArray[np.int32]) -> None:
        """Take the differences that clients return past their shields, and keep of each what leaves."""
        s, back = self._scenario, self._returned
        leaving, items = Leaving(s.model.fields, self._shields, s.seed), s.train.items
        for u in clients.tolist():
            own, entries = s.train.of(u)[0], slice(s.train.start[u], s.train.start[u + 1])
            rows, ages = np.zeros((items, back.rows.shape[1]), back.rows.dtype), np.zeros(items, np.int32)
            rows[own], ages[own] = back.rows[entries], back.travels[entries]
            state = NodeState(rows, ages, back.dense[u], self._turn, self.fleet.private[u])
            update, size = leaving.release(state, own, u, self._turn)
            index = positions(update)
            count_rows(self.traffic, u, index, own, size)
            place = np.searchsorted(index, own)
            left = (
                index[np.minimum(place, len(index) - 1)] == own
                if len(index)
                else np.zeros(len(own), np.bool_)
            )
            back.travels[entries] &= left
            back.rows[entries][left] = update.rows[place[left]]
            back.dense[u] = update.dense

    def _add(self, start: int) -> None:
        s = self._scenario
        slots = self.fleet.slots
        still = through_mask(
            s.sessions, len(self._learning), start + self._download, start + self._turn_length
        )
        arrived = self._learning & still
        items = slots.rows.shape[1]
        sums = Sums(np.zeros_like(slots.rows[0]), np.zeros(items, np.int64))

        def add() -> None:
            s.workers.run(
                add_up,
                items,
                sums,
                self._item_start,
                self._entries,
                self._entry_user,
                arrived,
                self._returned,
            )

        # From rank to rank: differences are added up in order of user.
        self.partition.in_turn(sums, add)
        if self._average == "clients":
            sums.counts[sums.counts > 0] = arrived.sum()
        s.workers.run(move_rows, items, slots.rows[0], slots.ages[0], sums)
        if arrived.any() and slots.dense.shape[1]:
            self.partition.complete(self._returned.dense)
            slots.dense[0] += self._returned.dense[arrived].mean(axis=0)
        slots.clock[0] += 1
        self._turn += 1

    def saved_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What beside models is part of the state."""
        return {
            "memory": self._data.memory,
            "learning": self._learning,
            **{f"returned_{name}": array for name, array in self._returned._asdict().items()},
        }
