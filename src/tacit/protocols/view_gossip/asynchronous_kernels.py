"""One planned window of asynchronous gossip to views, node by node."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints
from tacit.peer_sampling.personalized import hear, remember, renew_view
from tacit.protocols.view_gossip.kernels import Person, Rules, Version, divide
from tacit.protocols.view_gossip.simulation_kernels import Owned, People, data_of, model_of
from tacit.simulator.churn.sessions import Sessions, online_through
from tacit.simulator.fleet import Slots
from tacit.simulator.virtual_time import SEND, Events, Slot


class Clocks(NamedTuple):
    """When every node is due, how often it woke, and how long one of its messages takes."""

    due: Ints
    wakes: Ints
    transfer: Ints


class Routine(NamedTuple):
    """What all nodes do when they wake."""

    alpha: float
    period: int
    """Wakes between two updates of the view."""
    refresh: int
    """Wakes after which another weighting set is set aside; 0: never."""


class Network(NamedTuple):
    """The views, when each node is online, and every node's items before they are divided."""

    views: npt.NDArray[np.int32]
    told: npt.NDArray[np.int32]
    """Every node's view as its messages on their way tell it."""
    sessions: Sessions
    own: Owned
    avoid: Owned


class Outbox(NamedTuple):
    """The messages of a window: |view| of them per send, and how many of them left."""

    arrive: Ints
    receiver: Slot
    left: Ints


class Versions(NamedTuple):
    """All models: as nodes have them, as messages carry them (the same slots unless these are copies), as shown."""

    slots: Slots
    payloads: Slots
    copied: bool
    shown: Slots


@kernel
def prepare(
    u: int, wake: int, people: People, network: Network, routine: Routine, rules: Rules, items: int
) -> None:
    """A node that wakes sets another weighting set aside, and renews its view, when their time has come."""
    if routine.refresh > 0 and wake > 0 and wake % routine.refresh == 0 and rules.scored:
        own, avoid = network.own, network.avoid
        forbidden = avoid.item[:0]
        if len(avoid.item):
            forbidden = avoid.item[avoid.start[u] : avoid.start[u + 1]]
        mine = own.item[own.start[u] : own.start[u + 1]]
        data = data_of(u, people.data, people.aside)
        divide(rules.seed, u, wake // routine.refresh, mine, forbidden, items, data)
    if wake % routine.period == 0:
        notes, views = people.notes, network.views
        draws = (rules.seed, u, wake // routine.period)
        renew_view(
            draws, len(views), routine.alpha, notes.peers[u], notes.scores[u], notes.heard[u], views[u]
        )


@kernel
def send(u: int, n: int, clocks: Clocks, network: Network, outbox: Outbox) -> None:
    """Put a node's messages on their way, one after the other: each leaves if its sender is still online then."""
    sessions, view = network.sessions, network.views[u]
    now, transfer = clocks.due[u], clocks.transfer[u]
    for m in range(len(view)):
        at = n * len(view) + m
        begin = now + m * transfer
        outbox.receiver[at] = -1
        outbox.arrive[at] = begin + transfer
        if not online_through(sessions, u, now, begin):
            continue
        outbox.left[n] += 1
        if online_through(sessions, u, now, begin + transfer) and online_through(
            sessions, view[m], begin, begin + transfer
        ):
            outbox.receiver[at] = view[m]


@cache
def make_run(receive: Callable[..., tuple[int, float]]) -> Callable[..., None]:
    """The kernel that lets nodes live through a window; `receive` takes in one model."""

    @kernel
    def take_in(
        u: int,
        sender: int,
        places: tuple[int, int, int],
        versions: Versions,
        people: People,
        network: Network,
        rules: Rules,
        hyper: Any,
    ) -> None:
        """Weigh, merge and learn from the model in a payload; `places`: own slot, next own slot, payload."""
        own, to, payload = places
        slots, payloads, notes = versions.slots, versions.payloads, people.notes
        mine = Version(model_of(slots, own), slots.clock[own], people.samples[u])
        theirs = Version(model_of(payloads, payload), payloads.clock[payload], people.samples[sender])
        new = model_of(slots, to)
        show = model_of(versions.shown, u) if len(versions.shown.rows) else new
        memory = people.data.memory[people.data.memory_start[u] : people.data.memory_start[u + 1]]
        person = Person(people.private[u], memory)
        draws = (rules.seed, u, people.received[u])
        data = data_of(u, people.data, people.aside)
        clock, score = receive(mine, theirs, new, show, person, data, draws, rules, hyper)
        slots.clock[to] = clock
        if rules.scored:
            remember(notes.peers[u], notes.scores[u], sender, score, rules.best)
        if notes.heard.shape[1] > 0:
            hear(notes.heard[u], people.received[u], u, sender, network.told[sender])
        people.received[u] += 1

    @kernel
    def run(
        low: int,
        high: int,
        events: Events,
        versions: Versions,
        people: People,
        network: Network,
        clocks: Clocks,
        outbox: Outbox,
        routine: Routine,
        rules: Rules,
        hyper: Any,
    ) -> None:
        """Active nodes low .. high handle their events in order. They touch only slots that are theirs or in flight."""
        slots, payloads = versions.slots, versions.payloads
        for q in range(low, high):
            u = events.active[q]
            for e in range(events.first[q], events.first[q + 1]):
                own, to, message = events.before[e], events.after[e], events.message[e]
                if events.kind[e] == SEND:
                    prepare(u, clocks.wakes[u], people, network, routine, rules, slots.rows.shape[1])
                    send(u, message, clocks, network, outbox)
                    clocks.wakes[u] += 1
                    if versions.copied:
                        payloads.rows[to] = slots.rows[own]
                        payloads.ages[to] = slots.ages[own]
                        payloads.dense[to] = slots.dense[own]
                        payloads.clock[to] = slots.clock[own]
                else:
                    places = (own, to, message)
                    take_in(u, events.sender[e], places, versions, people, network, rules, hyper)

    return run
