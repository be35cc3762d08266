"""Gossip among nodes that keep an ensemble of received models and merge only what they trust; some may send garbage."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.rng import Stream, normals, permutation
from tacit.core.scorer import Scorer, Scores
from tacit.merges.base import Merge
from tacit.models.mlp import CLASSES, Perceptron, classify
from tacit.peer_sampling.base import Sampler
from tacit.peer_sampling.graphs import Neighbours
from tacit.protocols.ensemble.kernels import EMPTY, Trust, make_consider
from tacit.protocols.ensemble.simulation_kernels import Ensembles, Judging, make_predict_block, make_receive
from tacit.protocols.ensemble.voting import Votes
from tacit.protocols.gossip.simulation import GossipSimulation
from tacit.simulator.checkpoint import Arrays, Reader
from tacit.simulator.simulation import Scenario

Mask = npt.NDArray[np.bool_]


def choose_spammers(nodes: int, share: float, seed: int) -> Mask:
    """The nodes that send garbage: as near to `share` of the nodes as can be."""
    spam = np.zeros(nodes, np.bool_)
    spam[permutation(seed, Stream.SPAMMERS, 0, 0, nodes)[: round(share * nodes)]] = True
    return spam


class EnsembleSimulation(GossipSimulation):
    """All nodes of a gossip network that judge what they receive."""

    def __init__(
        self,
        scenario: Scenario,
        merge: Merge,
        graph: Neighbours,
        trust: Trust,
        *,
        spam: Mask | None = None,
        spam_size: float = 1.0,
        sampler: Sampler | None = None,
    ) -> None:
        super().__init__(scenario, merge, graph, sampler=sampler)
        model, nodes, items = scenario.model, scenario.train.users, scenario.train.items
        places = trust.size + 1 if trust.size else 0
        self._ensembles = Ensembles(
            np.zeros((nodes, places, items, model.row_width), scenario.dtype),
            np.zeros((nodes, places, model.dense_size), scenario.dtype),
            np.full((nodes, places), EMPTY, np.int32),
            np.zeros((nodes, places + 1)),
            np.zeros(nodes, np.bool_) if spam is None else spam,
        )
        self._ensembles.weight[:, 0] = 1.0
        score = model.kernels.score
        self._receive = make_receive(self._merging, self._learn_agent, make_consider(score))
        self._more = Judging(self._ensembles, trust)
        self._predict_block = make_predict_block(score)
        self._fill_garbage(spam_size)

    def _fill_garbage(self, size: float) -> None:
        """Spammers hold normal numbers with standard deviation `size`, each its own, and look as old as anybody."""
        slots = self._slots
        for u in np.flatnonzero(self._ensembles.spam):
            rows, dense = slots.rows[u], slots.dense[u]
            drawn = normals(self._scenario.seed, Stream.SPAM, int(u), 1, rows.size + dense.size)[0] * size
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
        model, e = self._scenario.model, self._ensembles
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
            self._scenario.workers.run(classify, len(which), which, dense, model.hidden, images, said)
            for n in range(len(which)):
                support[of[n], np.arange(len(images)), said[n]] += weights[n]
        answers: Votes = support.argmax(axis=2).astype(np.int8)
        return answers

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
        self._predict_block, self._workers = simulation._predict_block, simulation._scenario.workers
        self._state = (fleet, simulation._ensembles, simulation._hyper)

    def block(self, low: int, high: int, out: Scores) -> None:
        """Fill `out` for the users low .. high, on all cores."""
        self._workers.run(self._predict_block, high - low, low, *self._state, out)
