"""One planned window of gossip among nodes that keep ensembles, node by node; and what an ensemble predicts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.node_state import Floats
from tacit.core.scorer import Scores
from tacit.merges.row_merging import RowMerging
from tacit.protocols.ensemble.kernels import EMPTY, EnsembleModels, Trust, Weights
from tacit.protocols.gossip.learning_kernels import GossipNumbers
from tacit.protocols.gossip.simulation_kernels import Nodes
from tacit.simulator.fleet import Fleet, Slots, ratings_of


class Ensembles(NamedTuple):
    """`EnsembleModels` of every node, and who does not learn but sends garbage."""

    rows: Floats
    dense: Floats
    peer: npt.NDArray[np.int32]
    weight: Weights
    spam: npt.NDArray[np.bool_]


@kernel
def _keep(slots: Slots, own: int, to: int) -> None:
    """Keep the state: the next version is a copy of the last one."""
    if own != to:
        slots.rows[to] = slots.rows[own]
        slots.ages[to] = slots.ages[own]
        slots.dense[to] = slots.dense[own]


class Judging(NamedTuple):
    """What receiving needs beside what every gossip has."""

    ensembles: Ensembles
    trust: Trust


@cache
def make_receive(
    merging: RowMerging, learn_agent: Callable[..., None], consider: Callable[..., bool]
) -> Callable[..., None]:
    """The kernel that takes in one model."""
    merge_all, _, merge_dense = merging

    @kernel
    def receive(
        u: int,
        own: int,
        to: int,
        theirs: int,
        sender: int,
        nodes: Nodes,
        numbers: GossipNumbers,
        hyper: Any,
        judging: Judging,
    ) -> None:
        """Judge the model that came, merge it if it can be trusted, learn. A spammer only grows older."""
        slots, ensembles, trust = nodes.slots, judging.ensembles, judging.trust
        if ensembles.spam[u]:
            _keep(slots, own, to)
            slots.ages[to] += numbers.epochs
            slots.clock[to] = slots.clock[own] + numbers.epochs
            return
        trusted = True
        if trust.size > 0:
            members = EnsembleModels(
                ensembles.rows[u], ensembles.dense[u], ensembles.peer[u], ensembles.weight[u]
            )
            trusted = consider(
                nodes.private[u], ratings_of(nodes.data, u), slots.rows[theirs], slots.dense[theirs], sender, members,
                trust, hyper,
            )  # fmt: skip
        clock = slots.clock[own]
        if trusted:
            merge_all(
                slots.rows[own], slots.ages[own], slots.rows[theirs], slots.ages[theirs], slots.rows[to],
                slots.ages[to], numbers.shape,
            )  # fmt: skip
            clock = merge_dense(
                slots.dense[own], clock, slots.dense[theirs], slots.clock[theirs], slots.dense[to], numbers.shape
            )  # fmt: skip
        else:
            _keep(slots, own, to)
        learn_agent(u, nodes.rounds[u], slots, to, nodes.private, nodes.data, nodes.groups, numbers, hyper)
        slots.clock[to] = clock + numbers.epochs

    return receive


@cache
def make_predict_block(score: Callable[..., float]) -> Callable[..., None]:
    """The kernel that predicts with ensembles."""

    @kernel
    def predict_block(
        low: int, high: int, first: int, fleet: Fleet, ensembles: Ensembles, hyper: Any, out: Scores
    ) -> None:
        """Every item for the users first + low .. first + high: one's own model and the members, by weight."""
        slots = fleet.slots
        for n in range(low, high):
            u = first + n
            s = fleet.slot[u]
            rows, dense, person, weight = slots.rows[s], slots.dense[s], fleet.private[u], ensembles.weight[u]
            total = weight.sum()
            for i in range(out.shape[1]):
                out[n, i] = weight[0] / total * score(rows, dense, person, i, hyper)
            for p in range(ensembles.peer.shape[1]):
                if ensembles.peer[u, p] != EMPTY:
                    share = weight[p + 1] / total
                    rows, dense = ensembles.rows[u, p], ensembles.dense[u, p]
                    for i in range(out.shape[1]):
                        out[n, i] += share * score(rows, dense, person, i, hyper)

    return predict_block
