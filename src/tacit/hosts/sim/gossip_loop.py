"""One planned window of gossip, node by node.

A node is an agent that learns for one user, or for the users of a cluster. A template: `merge_all`, `merge_some`,
`merge_dense` and `learn_agent` stand for the specialized ones of `tacit.protocols.kernels` and of `agent_loop`, `pick`
for that of whatever sampler was chosen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tacit.core.compiling import kernel
from tacit.core.interactions import Ints, Positions
from tacit.core.state import Ages, Floats
from tacit.hosts.sim.agent_loop import Agents, learn_agent
from tacit.hosts.sim.fleet import Local, Slots
from tacit.hosts.sim.plan import SEND, Events, Slot
from tacit.hosts.sim.sessions import Sessions, online_at, online_through
from tacit.peers.graphs import Neighbours
from tacit.peers.uniform import pick
from tacit.protocols.kernels import merge_all, merge_dense, merge_some
from tacit.shields.subsample import select


class Parcels(NamedTuple):
    """Copied payloads: parcel p holds rows `places[p]` up to the first -1. Empty when messages point to versions."""

    places: Positions
    rows: Floats
    ages: Ages
    dense: Floats
    clock: Ints


class Sent(NamedTuple):
    """What the window's sends came to: one entry a new message, and running totals a node."""

    arrive: Ints
    receiver: Slot
    updates: Ints
    rows: Ints
    rows_rated: Ints
    bytes: Ints


class Rules(NamedTuple):
    """The numbers of a run that stay the same."""

    seed: int
    epochs: int
    shape: float
    transfer: int
    message_bytes: int
    looks_up: bool
    peers: float
    """The sampler's own number."""
    federated: bool
    """Whether an agent of several users learns by a federated round among them, not from their data."""


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
) -> None:
    """Active nodes low .. high handle their events in order. They touch only slots that are theirs or in flight."""
    for q in range(low, high):
        _visit(
            q, events, due, wakes, rounds, slots, parcels, private, data, agents, graph, sessions, sent, rules,
            hyper,
        )  # fmt: skip


@kernel
def _visit(
    q: int,
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
) -> None:
    u = events.active[q]
    rated = agents.rated[agents.start[u] : agents.start[u + 1]]
    copied = parcels.places.shape[1] > 0
    for e in range(events.first[q], events.first[q + 1]):
        own = events.before[e]
        to = events.after[e]
        if events.kind[e] == SEND:
            send(
                u,
                events.message[e],
                own,
                to,
                due[u],
                wakes[u],
                slots,
                parcels,
                rated,
                graph,
                sessions,
                sent,
                rules,
            )
            continue
        theirs = events.message[e]
        if copied:
            count = parcels.places.shape[1]
            while count > 0 and parcels.places[theirs, count - 1] < 0:
                count -= 1
            merge_some(
                slots.rows[own], slots.ages[own], parcels.places[theirs][:count], parcels.rows[theirs],
                parcels.ages[theirs], rules.shape,
            )  # fmt: skip
            clock = merge_dense(
                slots.dense[own], slots.clock[own], parcels.dense[theirs], parcels.clock[theirs],
                slots.dense[to], rules.shape,
            )  # fmt: skip
        else:
            merge_all(
                slots.rows[own], slots.ages[own], slots.rows[theirs], slots.ages[theirs],
                slots.rows[to], slots.ages[to], rules.shape,
            )  # fmt: skip
            clock = merge_dense(
                slots.dense[own], slots.clock[own], slots.dense[theirs], slots.clock[theirs],
                slots.dense[to], rules.shape,
            )  # fmt: skip
        learn_agent(
            u, rounds[u], slots.rows[to], slots.ages[to], slots.dense[to], private, data, agents,
            rules.federated, rules.looks_up, rules.epochs, rules.seed, hyper,
        )  # fmt: skip
        slots.clock[to] = clock + rules.epochs
        rounds[u] += 1


@kernel
def send(
    u: int,
    n: int,
    own: int,
    to: int,
    now: int,
    wake: int,
    slots: Slots,
    parcels: Parcels,
    rated: Positions,
    graph: Neighbours,
    sessions: Sessions,
    sent: Sent,
    rules: Rules,
) -> None:
    """Pick a peer, pack what travels, and see whether it will arrive."""
    sent.receiver[n] = -1
    peer = choose(rules.seed, u, wake, graph[u], len(graph), sessions, now, rules.peers)
    if peer < 0:
        return
    items = slots.rows.shape[1]
    count = items
    own_rated = len(rated)
    if parcels.places.shape[1] > 0:
        count = parcels.places.shape[1]
        own_rated = select(rules.seed, u, wake, rated, items, count, parcels.places[to])
        for r in range(count):
            i = parcels.places[to, r]
            parcels.ages[to, r] = slots.ages[own, i]
            for f in range(slots.rows.shape[2]):
                parcels.rows[to, r, f] = slots.rows[own, i, f]
        for f in range(slots.dense.shape[1]):
            parcels.dense[to, f] = slots.dense[own, f]
        parcels.clock[to] = slots.clock[own]
    arrive = now + rules.transfer
    sent.arrive[n] = arrive
    if online_through(sessions, u, now, arrive) and online_through(sessions, peer, now, arrive):
        sent.receiver[n] = peer
    sent.updates[u] += 1
    sent.rows[u] += count
    sent.rows_rated[u] += own_rated
    sent.bytes[u] += rules.message_bytes


@kernel
def choose(
    seed: int,
    node: int,
    event: int,
    known: Slot,
    nodes: int,
    sessions: Sessions,
    now: int,
    shape: float = 0.0,
) -> int:
    """An online neighbour, as the sampler picks; -1 when there is none. No neighbours listed: everybody is one."""
    everybody = len(known) == 0
    if everybody and len(sessions.first) == 0:
        other = pick(seed, node, event, nodes - 1, shape)
        return other + 1 if other >= node else other
    total = nodes if everybody else len(known)
    online = np.empty(total, np.int32)
    count = 0
    for n in range(total):
        other = n if everybody else known[n]
        if other != node and online_at(sessions, other, now):
            online[count] = other
            count += 1
    if count == 0:
        return -1
    return online[pick(seed, node, event, count, shape)]  # type: ignore[no-any-return]
