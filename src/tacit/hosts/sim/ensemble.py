"""Gossip among nodes that keep an ensemble of received models and merge only what they trust; some may send garbage."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiling import specialize
from tacit.core.rng import Stream, normals, permutation
from tacit.core.scorer import Scorer, Scores
from tacit.hosts.sim import agent_loop, ensemble_loop
from tacit.hosts.sim.ensemble_loop import Ensembles
from tacit.hosts.sim.gossip import GossipSimulation
from tacit.hosts.sim.gossip_loop import Sent
from tacit.hosts.sim.plan import Events
from tacit.hosts.sim.simulation import Setting
from tacit.hosts.sim.snapshot import Arrays, Reader
from tacit.merges.base import Merge
from tacit.models.base import learning
from tacit.models.mlp import CLASSES, Perceptron, classify
from tacit.peers.base import Sampler
from tacit.peers.graphs import Neighbours
from tacit.protocols import ensemble
from tacit.protocols import kernels as protocol_kernels
from tacit.protocols.ensemble import EMPTY, Trust
from tacit.protocols.voting import Votes

Mask = npt.NDArray[np.bool_]


def choose_spammers(nodes: int, share: float, seed: int) -> Mask:
    """Who sends garbage: as near to `share` of the nodes as can be."""
    spam = np.zeros(nodes, np.bool_)
    spam[permutation(seed, Stream.SPAMMERS, 0, 0, nodes)[: round(share * nodes)]] = True
    return spam


class EnsembleSimulation(GossipSimulation):
    """All nodes of a gossip network that judge what they receive."""

    def __init__(
        self,
        setting: Setting,
        merge: Merge,
        graph: Neighbours,
        trust: Trust,
        *,
        spam: Mask | None = None,
        spam_size: float = 1.0,
        staggered: bool = True,
        sampler: Sampler | None = None,
    ) -> None:
        super().__init__(setting, merge, graph, staggered=staggered, sampler=sampler)
        model, nodes, items = setting.model, setting.train.users, setting.train.items
        places = trust.size + 1 if trust.size else 0
        self._trust = trust
        self._ensembles = Ensembles(
            np.zeros((nodes, places, items, model.row_width), setting.dtype),
            np.zeros((nodes, places, model.dense_size), setting.dtype),
            np.full((nodes, places), EMPTY, np.int32),
            np.zeros((nodes, places + 1)),
            np.zeros(nodes, np.bool_) if spam is None else spam,
        )
        self._ensembles.weight[:, 0] = 1.0
        merging = specialize(protocol_kernels, weight=merge.weight)
        trained = specialize(protocol_kernels, **learning(model))
        agents = specialize(agent_loop, train=trained.train, difference=trained.difference)
        judging = specialize(ensemble, score=model.kernels.score)
        self._judging = specialize(
            ensemble_loop,
            merge_all=merging.merge_all,
            merge_dense=merging.merge_dense,
            learn_agent=agents.learn_agent,
            consider=judging.consider,
            send=self._loop.send,
            score=model.kernels.score,
        )
        self._fill_garbage(spam_size)

    def _fill_garbage(self, size: float) -> None:
        """Spammers hold normal numbers with standard deviation `size`, each its own, and look as old as anybody."""
        slots = self._slots
        for u in np.flatnonzero(self._ensembles.spam):
            rows, dense = slots.rows[u], slots.dense[u]
            drawn = normals(self._setting.seed, Stream.SPAM, int(u), 1, rows.size + dense.size)[0] * size
            rows[:] = drawn[: rows.size].reshape(rows.shape)
            dense[:] = drawn[rows.size :]
            slots.ages[u] = slots.clock[u] = 1

    @property
    def counted(self) -> Mask:
        """Whose figures count: those of honest nodes."""
        honest: Mask = ~self._ensembles.spam
        return honest

    @property
    def scorer(self) -> Scorer:
        """What ensembles predict."""
        return _EnsembleScorer(self)

    def classify(self, images: npt.NDArray[np.uint8]) -> Votes:
        """What each node says about each image, together with its members; of equally supported digits the lowest."""
        model, e = self._setting.model, self._ensembles
        assert isinstance(model, Perceptron)
        nodes = len(e.peer)
        owner, place = np.nonzero(e.peer != EMPTY)
        support = np.zeros((nodes, len(images), CLASSES), np.float32)
        theirs = (owner * e.peer.shape[1] + place).astype(np.int32)
        for weights, of, dense, which in (
            (e.weight[:, 0], np.arange(nodes), self._slots.dense, self._slot),
            (e.weight[owner, place + 1], owner, e.dense.reshape(-1, model.dense_size), theirs),
        ):
            said = np.empty((len(which), len(images)), np.int8)
            self._setting.workers.run(classify, len(which), which, dense, model.hidden, images, said)
            for n in range(len(which)):
                support[of[n], np.arange(len(images)), said[n]] += weights[n]
        answers: Votes = support.argmax(axis=2).astype(np.int8)
        return answers

    def _handle(self, events: Events, sent: Sent) -> None:
        self._setting.workers.run(
            self._judging.run, len(events.active), events, self._due, self._wakes, self._rounds, self._slots,
            self._parcels, self._private, self._data, self._agents, self._graph, self._setting.sessions, sent,
            self._rules, self._hyper, self._ensembles, self._trust,
        )  # fmt: skip

    def save(self) -> Arrays:
        """As of gossip, and every ensemble."""
        return {
            **super().save(),
            **{f"member_{name}": getattr(self._ensembles, name) for name in Ensembles._fields},
        }

    def restore(self, arrays: Reader) -> None:
        """Go on from what `save` gave."""
        super().restore(arrays)
        for name in Ensembles._fields:
            arrays.into(f"member_{name}", getattr(self._ensembles, name))


class _EnsembleScorer(Scorer):
    """Each user by their own model and its members, by weight."""

    def __init__(self, simulation: EnsembleSimulation) -> None:
        fleet = simulation.fleet
        super().__init__(len(fleet.private), fleet.slots.rows.shape[1])
        self._loop, self._workers = simulation._judging, simulation._setting.workers
        self._state = (fleet.slots, fleet.slot, fleet.private, simulation._ensembles, simulation._hyper)

    def block(self, low: int, high: int, out: Scores) -> None:
        """Fill `out` for the users low .. high, on all cores."""
        self._workers.run(self._loop.predict_block, high - low, low, *self._state, out)
