"""Federated averaging of whole models (FedAvg), for models that draw negatives: FedAvg, FedFast, Reptile.

In a round the server sends its model to some clients. Each learns from its own data, with its private part, and sends
its model back. The server moves by the mean of the differences. FedFast also sends user vectors. The server clusters
users by them and asks evenly from all clusters. The vectors of users it did not ask move as far as those of their
cluster who were asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Interactions
from tacit.core.math.kmeans import kmeans
from tacit.core.message import codec
from tacit.core.message.update import Shield
from tacit.core.rng import Stream, permutation
from tacit.core.traffic import Traffic
from tacit.models.base import sample_counts, vector_size
from tacit.models.training import training
from tacit.protocols.federated_averaging.simulation_kernels import add_whole, make_learn_whole, toward
from tacit.simulator.checkpoint import Reader
from tacit.simulator.churn.sessions import online_mask, through_mask
from tacit.simulator.fleet import Fleet, Local, Slots, Turn, empty_slots, local
from tacit.simulator.initialize import initialize
from tacit.simulator.outgoing_messages import Leaving
from tacit.simulator.simulation import Scenario, ServerSimulation, ticks
from tacit.simulator.user_groups import together

_BLOCK = 64
"""Clients whose models are held at once."""


@dataclass(frozen=True, slots=True)
class Server:
    """How the server goes about it."""

    by_samples: bool = True
    """Whether a client counts as much as it has data (FedAvg), or all alike."""
    participation: float = 1.0
    """Share of the clients that is asked each round."""
    clusters: int = 0
    """FedFast's clusters; 0: user vectors stay where they are."""
    local: bool = False
    """Whether users are shown the server's model after learning from their own data once more."""
    step: float = 1.0
    """How far that goes from the server's model toward the learned one (Reptile)."""
    step_vector: bool = True
    """Whether a person's own vector makes that step, too."""
    shields: tuple[Shield, ...] = ()
    """What changes the models that clients return."""


class AveragingSimulation(ServerSimulation):
    """A server and all its clients."""

    saved_counters = ("_round", "downloads")

    def __init__(self, scenario: Scenario, server: Server, learned: Interactions) -> None:
        """`learned`: the training part as models want it; values that are NaN mark what must not be a negative."""
        model, nodes, items = scenario.model, learned.users, learned.items
        self._scenario, self._server = scenario, server
        counted = sample_counts(model)
        # A rehearsal has a few users, and the model the counts of all.
        self._samples = scenario.train.counts if counted is None else counted[:nodes]
        self._data, self._hyper = local(learned, model, scenario.dtype), model.hyper()
        self._slots = empty_slots(1, items, model, scenario.dtype)
        self._room = empty_slots(min(_BLOCK, nodes), items, model, scenario.dtype)
        self._private = np.zeros((nodes, model.private_size), scenario.dtype)
        self._asked = max(1, round(server.participation * nodes))
        self._leg = ticks(scenario.full_seconds)
        self.period = 2 * self._leg
        self.traffic = Traffic.empty(nodes)
        self._round = 0
        size = np.dtype(scenario.dtype).itemsize
        self._bytes = codec.encoded_size(
            items, model.row_width, model.dense_size, sparse=False, itemsize=size
        )
        self._vector = vector_size(model)
        self._vector_bytes = size * self._vector if server.clusters else 0
        self.download_bytes = self._bytes + self._vector_bytes
        self._learn_whole = make_learn_whole(training(model).train)
        initialize(scenario, self._slots, self._private, together(nodes))

    @property
    def fleet(self) -> Fleet:  # type: ignore[override]
        """The server's model for everybody; or (`read-out=local`) everybody's own, learned from it, moved by a step."""
        nodes, s = len(self._private), self._scenario
        if not self._server.local:
            return Fleet(self._slots, np.zeros(nodes, np.int32), self._private)
        models, private = empty_slots(nodes, s.train.items, s.model, s.dtype), self._private.copy()
        everybody = np.arange(nodes, dtype=np.int32)
        self._learn(everybody, models, private, self._looked_at(), self._round)
        s.workers.run(toward, nodes, self._slots, models, np.float32(self._server.step))
        if self._server.step_vector and self._server.step < 1:
            start = self._private[:, : self._vector]
            private[:, : self._vector] = start + np.float32(self._server.step) * (
                private[:, : self._vector] - start
            )
        models.clock[:] = self._slots.clock[0]
        return Fleet(models, everybody, private)

    def uploads(self, clients: npt.NDArray[np.int32]) -> tuple[Slots, Slots]:
        """The server's model, and those that clients would return if they were asked now. Nothing is changed by it."""
        s = self._scenario
        models = empty_slots(len(clients), s.train.items, s.model, s.dtype)
        self._learn(clients, models, self._private.copy(), self._looked_at(), self._round)
        if self._server.shields:
            self._release(clients, models, Traffic.empty(len(self._private)))
        return self._slots, models

    def _looked_at(self) -> Local:
        """Everybody's data, for what they would make of it: looking must not change what optimizers remember."""
        return self._data._replace(memory=self._data.memory.copy())

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`: a round happens when it ends."""
        while (self._round + 1) * self.period <= until:
            self._run_round(self._round * self.period)
        self.now = until

    def _choose(self, begin: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """The clients that are asked, ascending, and everybody's cluster."""
        seed, nodes = self._scenario.seed, len(self._private)
        label = np.zeros(nodes, np.int64)
        if self._server.clusters:
            label = kmeans(
                self._private[:, : self._vector],
                self._server.clusters,
                seed=seed,
                stream=Stream.FEDFAST,
                event=self._round,
                rounds=5,
            )
        order = permutation(seed, Stream.CLIENTS, 0, self._round, nodes)
        # The first of every cluster in random order, then the second of every cluster, and so on.
        place = np.empty(nodes, np.int64)
        for cluster in np.unique(label):
            mine = order[label[order] == cluster]
            place[mine] = np.arange(len(mine))
        evenly = order[np.argsort(place[order], kind="stable")]
        asked = np.sort(evenly[: self._asked]).astype(np.int32)
        return asked[online_mask(self._scenario.sessions, nodes, begin)[asked]], label

    def _learn(
        self,
        clients: npt.NDArray[np.int32],
        room: Slots,
        private: npt.NDArray[np.floating],
        data: Local,
        turn: int,
    ) -> None:
        s = self._scenario
        s.workers.run(
            self._learn_whole, len(clients), clients, self._slots, room, private, data,
            Turn(s.seed, turn, s.epochs), self._hyper,
        )  # fmt: skip

    def _run_round(self, begin: int) -> None:
        s, slots, nodes = self._scenario, self._slots, len(self._private)
        asked, label = self._choose(begin)
        self.downloads += len(asked)
        learning = asked[through_mask(s.sessions, nodes, begin, begin + self._leg)[asked]]
        arrived = through_mask(s.sessions, nodes, begin + self._leg, begin + self.period)
        weights = (self._samples if self._server.by_samples else np.ones(nodes)) * arrived
        total = float(weights[learning].sum())
        before = self._private.copy()
        sums = np.zeros(slots.rows.shape[1:])
        dense = np.zeros(slots.dense.shape[1])
        touched = np.zeros(len(sums), np.bool_)
        for at in range(0, len(learning), _BLOCK):
            block = learning[at : at + _BLOCK]
            self._learn(block, self._room, self._private, self._data, self._round)
            if self._server.shields:
                self._release(block, self._room, self.traffic)
            if total > 0:
                share = weights[block] / total
                s.workers.run(add_whole, len(sums), len(block), share, slots, self._room, sums, touched)
                for q in range(len(block)):
                    dense += share[q] * (self._room.dense[q] - slots.dense[0])
        slots.rows[0] += sums.astype(slots.rows.dtype)
        slots.dense[0] += dense.astype(slots.dense.dtype)
        slots.ages[0] += touched
        slots.clock[0] += 1
        if self._server.clusters:
            self._move_others(learning, label, before)
        self._count(learning)
        self._round += 1

    def _release(self, block: npt.NDArray[np.int32], room: Slots, traffic: Traffic) -> None:
        """Take what a block of clients returns past their shields; a row that stays is as the server has it."""
        s, server = self._scenario, self._slots
        leaving = Leaving(s.model.fields, self._server.shields, s.seed)
        for q, u in enumerate(block.tolist()):
            rated = s.train.of(u)[0]
            left = leaving.release_model(room, q, rated, u, self._round, traffic)
            stays = np.ones(s.train.items, np.bool_)
            stays[left] = False
            room.rows[q, stays], room.ages[q, stays] = server.rows[0, stays], server.ages[0, stays]

    def _move_others(
        self, asked: npt.NDArray[np.int32], label: npt.NDArray[np.int64], before: npt.NDArray[np.floating]
    ) -> None:
        """FedFast: who was not asked moves as the mean of those of the same cluster who were."""
        others = np.ones(len(before), np.bool_)
        others[asked] = False
        for cluster in np.unique(label[asked]):
            mine = asked[label[asked] == cluster]
            moved = (self._private[mine, : self._vector] - before[mine, : self._vector]).mean(axis=0)
            self._private[others & (label == cluster), : self._vector] += moved

    def _count(self, clients: npt.NDArray[np.int32]) -> None:
        t, train = self.traffic, self._scenario.train
        self.node_rounds += len(clients)
        t.updates[clients] += 1
        t.bytes[clients] += self._vector_bytes
        if not self._server.shields:
            t.rows[clients] += train.items
            t.rows_rated[clients] += train.counts[clients]
            t.bytes[clients] += self._bytes

    def saved_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What beside models is part of the state."""
        return {
            **{f"server_{name}": array for name, array in self._slots._asdict().items()},
            "vectors": self._private,
            "memory": self._data.memory,
        }

    def restore(self, arrays: Reader) -> None:
        """What people are shown comes out of the server's model again."""
        self.restore_rest(arrays)
