"""One planned window of gossip among nodes that keep ensembles, node by node; and what an ensemble predicts.

A template: the kernels of `tacit.protocols.kernels`, `send` of `gossip_loop`, `consider` of `tacit.protocols.ensemble`,
a model's `score`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiling import kernel
from tacit.core.interactions import Ints
from tacit.core.scorer import Scores
from tacit.core.state import Floats
from tacit.hosts.sim.agent_loop import Agents, learn_agent
from tacit.hosts.sim.fleet import Local, Slots
from tacit.hosts.sim.gossip_loop import Parcels, Rules, Sent, send
from tacit.hosts.sim.plan import SEND, Events
from tacit.hosts.sim.sessions import Sessions
from tacit.models.mf import score
from tacit.peers.graphs import Neighbours
from tacit.protocols.ensemble import EMPTY, Members, Trust, Weights, consider
from tacit.protocols.kernels import merge_all, merge_dense


class Ensembles(NamedTuple):
    """`Members` of every node, and who does not learn but sends garbage."""

    rows: Floats
    dense: Floats
    peer: npt.NDArray[np.int32]
    weight: Weights
    spam: npt.NDArray[np.bool_]


@kernel
def run(
    low: int,
    high: int,
    events: Events,
    due: Ints,
    wakes: Ints,
    rounds: Ints,
    slots: Slots,
    parcels: Parcels,
    private: Floats,
    data: Local,
    agents: Agents,
    graph: Neighbours,
    sessions: Sessions,
    sent: Sent,
    rules: Rules,
    hyper: Any,
    ensembles: Ensembles,
    trust: Trust,
) -> None:
    """Active nodes low .. high handle their events in order. They touch only slots that are theirs or in flight."""
    for q in range(low, high):
        u = events.active[q]
        rated = agents.rated[agents.start[u] : agents.start[u + 1]]
        for e in range(events.first[q], events.first[q + 1]):
            own, to, message = events.before[e], events.after[e], events.message[e]
            if events.kind[e] == SEND:
                send(
                    u, message, own, to, due[u], wakes[u], slots, parcels, rated, graph, sessions, sent, rules
                )  # fmt: skip
                continue
            _receive(
                u, own, to, message, events.sender[e], rounds[u], slots, private, data, agents, rules, hyper, ensembles,
                trust,
            )  # fmt: skip
            rounds[u] += 1


@kernel
def _receive(
    u: int,
    own: int,
    to: int,
    theirs: int,
    sender: int,
    turn: int,
    slots: Slots,
    private: Floats,
    data: Local,
    agents: Agents,
    rules: Rules,
    hyper: Any,
    ensembles: Ensembles,
    trust: Trust,
) -> None:
    """Judge the model that came, merge it if it can be trusted, learn. A spammer only grows older."""
    if ensembles.spam[u]:
        _keep(slots, own, to)
        slots.ages[to] += rules.epochs
        slots.clock[to] = slots.clock[own] + rules.epochs
        return
    trusted = True
    if trust.size > 0:
        mine = slice(data.start[u], data.start[u + 1])
        members = Members(ensembles.rows[u], ensembles.dense[u], ensembles.peer[u], ensembles.weight[u])
        trusted = consider(
            private[u], data.item[mine], data.value[mine], slots.rows[theirs], slots.dense[theirs], sender, members,
            trust, hyper,
        )  # fmt: skip
    clock = slots.clock[own]
    if trusted:
        merge_all(
            slots.rows[own], slots.ages[own], slots.rows[theirs], slots.ages[theirs], slots.rows[to], slots.ages[to],
            rules.shape,
        )  # fmt: skip
        clock = merge_dense(
            slots.dense[own], clock, slots.dense[theirs], slots.clock[theirs], slots.dense[to], rules.shape
        )  # fmt: skip
    else:
        _keep(slots, own, to)
    learn_agent(
        u, turn, slots.rows[to], slots.ages[to], slots.dense[to], private, data, agents, rules.federated,
        rules.looks_up, rules.epochs, rules.seed, hyper,
    )  # fmt: skip
    slots.clock[to] = clock + rules.epochs


@kernel
def _keep(slots: Slots, own: int, to: int) -> None:
    """The next version is the last one."""
    if own != to:
        slots.rows[to] = slots.rows[own]
        slots.ages[to] = slots.ages[own]
        slots.dense[to] = slots.dense[own]


@kernel
def predict_block(
    low: int,
    high: int,
    first: int,
    slots: Slots,
    slot: npt.NDArray[np.int32],
    private: Floats,
    ensembles: Ensembles,
    hyper: Any,
    out: Scores,
) -> None:
    """Every item for the users first + low .. first + high: one's own model and the members, by weight."""
    for n in range(low, high):
        u = first + n
        rows, dense, person, weight = (
            slots.rows[slot[u]],
            slots.dense[slot[u]],
            private[u],
            ensembles.weight[u],
        )
        total = weight.sum()
        for i in range(out.shape[1]):
            out[n, i] = weight[0] / total * score(rows, dense, person, i, hyper)
        for p in range(ensembles.peer.shape[1]):
            if ensembles.peer[u, p] != EMPTY:
                share = weight[p + 1] / total
                rows, dense = ensembles.rows[u, p], ensembles.dense[u, p]
                for i in range(out.shape[1]):
                    out[n, i] += share * score(rows, dense, person, i, hyper)
