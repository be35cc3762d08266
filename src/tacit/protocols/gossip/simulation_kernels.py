"""Gossip, compiled: what is sent and received, one model taken in, and one window of messages that are copies.

A node is an agent that learns for one user, or for the users of a cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints, Positions
from tacit.core.node_state import Floats
from tacit.merges.row_merging import RowMerging
from tacit.peer_sampling.base import NoSuchPeer
from tacit.peer_sampling.graphs import Neighbours
from tacit.privacy.subsample import select
from tacit.protocols.gossip.learning_kernels import GossipNumbers, GroupData
from tacit.simulator.churn.sessions import Sessions, online_at, online_through
from tacit.simulator.event_order import Merges
from tacit.simulator.fleet import Local, Parcels, Slots
from tacit.simulator.virtual_time import SEND, Events, Slot


class Nodes(NamedTuple):
    """Everything that belongs to nodes: models, messages, people's own parts and data, and what each has done."""

    slots: Slots
    parcels: Parcels
    private: Floats
    data: Local
    groups: GroupData
    due: Ints
    wakes: Ints
    rounds: Ints


class Network(NamedTuple):
    """Which nodes each node knows, and which are online when."""

    graph: Neighbours
    sessions: Sessions


class Sent(NamedTuple):
    """What the window's sends came to: one entry per new message, and running totals per node."""

    arrive: Ints
    receiver: Slot
    updates: Ints
    rows: Ints
    rows_rated: Ints
    bytes: Ints


@cache
def make_choose(pick: Callable[..., int]) -> Callable[..., int]:
    """The kernel that finds a node's next peer, as a sampler picks."""

    @kernel
    def choose(
        seed: int, node: int, event: int, known: Slot, nodes: int, sessions: Sessions, now: int, shape: float
    ) -> int:
        """An online neighbour; -1 when there is none. No neighbours listed: everybody is one."""
        everybody = len(known) == 0
        if len(sessions.first) == 0:
            peers = nodes - 1 if everybody else len(known)
            other = pick(seed, node, event, peers, shape)
            if not 0 <= other < peers:
                raise NoSuchPeer(other, peers)
            if not everybody:
                return known[other]  # type: ignore[no-any-return]
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
        place = pick(seed, node, event, count, shape)
        if not 0 <= place < count:
            raise NoSuchPeer(place, count)
        return online[place]  # type: ignore[no-any-return]

    return choose


@cache
def make_send(pick: Callable[..., int]) -> Callable[..., None]:
    """The kernel that sends one message."""
    choose = make_choose(pick)

    @kernel
    def send(
        u: int,
        own: int,
        n: int,
        to: int,
        rated: Positions,
        nodes: Nodes,
        network: Network,
        sent: Sent,
        numbers: GossipNumbers,
    ) -> None:
        """Pick a peer, copy what travels, and see whether it will arrive."""
        slots, parcels, sessions = nodes.slots, nodes.parcels, network.sessions
        now, wake = nodes.due[u], nodes.wakes[u]
        sent.receiver[n] = -1
        graph = network.graph
        peer = choose(numbers.seed, u, wake, graph[u], len(graph), sessions, now, numbers.peers)
        if peer < 0:
            return
        count = parcels.places.shape[1]
        own_rated = select(numbers.seed, u, wake, rated, slots.rows.shape[1], count, parcels.places[to])
        for r in range(count):
            i = parcels.places[to, r]
            parcels.ages[to, r] = slots.ages[own, i]
            for f in range(slots.rows.shape[2]):
                parcels.rows[to, r, f] = slots.rows[own, i, f]
        for f in range(slots.dense.shape[1]):
            parcels.dense[to, f] = slots.dense[own, f]
        parcels.clock[to] = slots.clock[own]
        arrive = now + numbers.transfer
        sent.arrive[n] = arrive
        if online_through(sessions, u, now, arrive) and online_through(sessions, peer, now, arrive):
            sent.receiver[n] = peer
        sent.updates[u] += 1
        sent.rows[u] += count
        sent.rows_rated[u] += own_rated
        sent.bytes[u] += numbers.message_bytes

    return send


class Flight(NamedTuple):
    """Messages in flight that point to versions, in order of arrival, then of sender."""

    arrive: Ints
    sender: Slot
    receiver: Slot
    version: Slot


@cache
def make_exchange(pick: Callable[..., int]) -> Callable[..., tuple[Merges, Flight]]:
    """The kernel that finds out what is sent and received, without any arithmetic on models."""
    choose = make_choose(pick)

    @kernel
    def exchange(
        until: int,
        versions: int,
        order: Slot,
        current: Slot,
        flight: Flight,
        nodes: Nodes,
        network: Network,
        sent: Sent,
        numbers: GossipNumbers,
    ) -> tuple[Merges, Flight]:
        """What nodes merge up to and including `until`, and what is in flight then.

        `order` has nodes by the time at which they are due, then by number. All are due within one period, and all
        messages take as long. So sends of a later period come later, and messages arrive in the order they are sent.
        At one instant arrivals come before sends. `current` has each node's version, and gets its last one.
        """
        graph, sessions, groups = network.graph, network.sessions, nodes.groups
        waiting = len(flight.arrive)
        room = waiting
        for u in order:
            if nodes.due[u] <= until:
                room += (until - nodes.due[u]) // numbers.transfer + 1
        arrive = np.empty(room, np.int64)
        sender = np.empty(room, np.int32)
        receiver = np.empty(room, np.int32)
        version = np.empty(room, np.int32)
        for n in range(waiting):  # assigning slices takes seconds to compile
            arrive[n], sender[n] = flight.arrive[n], flight.sender[n]
            receiver[n], version[n] = flight.receiver[n], flight.version[n]
        own = np.empty(room, np.int32)
        head, tail = 0, waiting
        turn = 0
        now = until
        while True:
            u = order[turn % len(order)]
            now = nodes.due[u]
            while head < tail and arrive[head] <= min(now, until):
                own[head] = current[receiver[head]]
                current[receiver[head]] = versions + head
                head += 1
            if now > until:
                break
            wake = nodes.wakes[u]
            nodes.due[u] += numbers.transfer
            nodes.wakes[u] += 1
            turn += 1
            if not online_at(sessions, u, now):
                continue
            peer = choose(numbers.seed, u, wake, graph[u], len(graph), sessions, now, numbers.peers)
            if peer < 0:
                continue
            sent.updates[u] += 1
            sent.rows[u] += nodes.slots.rows.shape[1]
            sent.rows_rated[u] += groups.start[u + 1] - groups.start[u]
            sent.bytes[u] += numbers.message_bytes
            then = now + numbers.transfer
            if online_through(sessions, u, now, then) and online_through(sessions, peer, now, then):
                arrive[tail] = then
                sender[tail] = u
                receiver[tail] = peer
                version[tail] = current[u]
                tail += 1
        merges = Merges(arrive[:head], receiver[:head], sender[:head], own[:head], version[:head])
        return merges, Flight(arrive[head:tail], sender[head:tail], receiver[head:tail], version[head:tail])

    return exchange


@cache
def make_receive(merging: RowMerging, learn_agent: Callable[..., None]) -> Callable[..., None]:
    """The kernel that takes in one model."""
    merge_all, merge_some, merge_dense = merging

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
        _: Any,
    ) -> None:
        """Merge the model that came into the next version of one's own, then learn."""
        slots, parcels, shape = nodes.slots, nodes.parcels, numbers.shape
        if parcels.places.shape[1] > 0:
            count = parcels.places.shape[1]
            while count > 0 and parcels.places[theirs, count - 1] < 0:
                count -= 1
            merge_some(
                slots.rows[own], slots.ages[own], parcels.places[theirs][:count], parcels.rows[theirs],
                parcels.ages[theirs], shape,
            )  # fmt: skip
            clock = merge_dense(
                slots.dense[own], slots.clock[own], parcels.dense[theirs], parcels.clock[theirs],
                slots.dense[to], shape,
            )  # fmt: skip
        else:
            merge_all(
                slots.rows[own], slots.ages[own], slots.rows[theirs], slots.ages[theirs],
                slots.rows[to], slots.ages[to], shape,
            )  # fmt: skip
            clock = merge_dense(
                slots.dense[own], slots.clock[own], slots.dense[theirs], slots.clock[theirs],
                slots.dense[to], shape,
            )  # fmt: skip
        learn_agent(u, nodes.rounds[u], slots, to, nodes.private, nodes.data, nodes.groups, numbers, hyper)
        slots.clock[to] = clock + numbers.epochs

    return receive


@cache
def make_run(pick: Callable[..., int], receive: Callable[..., None]) -> Callable[..., None]:
    """The kernel that lets nodes live through a window."""
    send = make_send(pick)

    @kernel
    def run(
        low: int,
        high: int,
        events: Events,
        nodes: Nodes,
        network: Network,
        sent: Sent,
        numbers: GossipNumbers,
        hyper: Any,
        more: Any,
    ) -> None:
        """Active nodes low .. high handle their events in order. Messages are copies, and a model stays in its slot.

        `more` is what `receive` needs beside what every gossip has.
        """
        groups = nodes.groups
        for q in range(low, high):
            u = events.active[q]
            rated = groups.rated[groups.start[u] : groups.start[u + 1]]
            for e in range(events.first[q], events.first[q + 1]):
                message, own = events.message[e], events.before[e]
                if events.kind[e] == SEND:
                    send(u, own, message, events.after[e], rated, nodes, network, sent, numbers)
                else:
                    receive(u, own, own, message, events.sender[e], nodes, numbers, hyper, more)
                    nodes.rounds[u] += 1

    return run
