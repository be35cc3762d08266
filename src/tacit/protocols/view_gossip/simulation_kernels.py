"""One round of gossip to views, node by node."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints, Positions
from tacit.core.node_state import Floats
from tacit.peer_sampling.personalized import hear, remember, renew_view
from tacit.protocols.view_gossip.kernels import Data, Model, Person, Rules, Version, divide
from tacit.simulator.fleet import Local, Slots


class Aside(NamedTuple):
    """Every node's weighting set (item[start[u]:start[u+1]]), and what it is ranked among: others[u], list by list."""

    start: Ints
    item: Positions
    others: npt.NDArray[np.int32]


class Notes(NamedTuple):
    """What every node remembers of its senders, and the peers it heard of: one row per node."""

    peers: npt.NDArray[np.int32]
    scores: npt.NDArray[np.float32]
    heard: npt.NDArray[np.int32]
    """As `tacit.peer_sampling.personalized.hear` keeps them; no columns where strangers come from everybody."""


class Inbox(NamedTuple):
    """The round's messages by receiver, senders ascending: node u gets those of sender[start[u]:start[u+1]]."""

    start: Ints
    sender: npt.NDArray[np.int32]
    told: npt.NDArray[np.int32]
    """Everybody's view, as it is sent along: one row per sender."""
    place: npt.NDArray[np.int32]
    """Where each message's model is: in `left`, or beyond that in `come`."""


class Owned(NamedTuple):
    """Node u has item[start[u]:start[u+1]]."""

    start: Ints
    item: Positions


class Models(NamedTuple):
    """All nodes' models: as they were when the round began, as they become, and what people are shown."""

    before: Slots
    left: Slots
    """As they left, past their senders' shields."""
    come: Slots
    """Those that came from other ranks."""
    after: Slots
    shown: Slots


class People(NamedTuple):
    """What every node has of its own."""

    private: Floats
    data: Local
    aside: Aside
    samples: Ints
    notes: Notes
    received: Ints


@kernel
def data_of(u: int, data: Local, aside: Aside) -> Data:
    """One node's data, as views."""
    own = slice(data.start[u], data.start[u + 1])
    held = slice(aside.start[u], aside.start[u + 1])
    lists = max(1, min(aside.start[u + 1] - aside.start[u], aside.others.shape[1]))
    return Data(data.item[own], data.value[own], aside.item[held], aside.others[u, :lists])


@kernel
def model_of(slots: Slots, u: int) -> Model:
    """One node's model, as views."""
    return Model(slots.rows[u], slots.ages[u], slots.dense[u])


@kernel
def divide_all(
    low: int,
    high: int,
    seed: int,
    event: int,
    own: Owned,
    avoid: Owned,
    catalogue: int,
    data: Local,
    aside: Aside,
) -> None:
    """Nodes low .. high set their weighting sets aside; `avoid` is empty for honest negatives."""
    for u in range(low, high):
        forbidden = avoid.item[:0]
        if len(avoid.item):
            forbidden = avoid.item[avoid.start[u] : avoid.start[u + 1]]
        mine = own.item[own.start[u] : own.start[u + 1]]
        divide(seed, u, event, mine, forbidden, catalogue, data_of(u, data, aside))


@kernel
def choose_views(
    low: int, high: int, seed: int, event: int, alpha: float, notes: Notes, views: npt.NDArray[np.int32]
) -> None:
    """Nodes low .. high renew their views."""
    for u in range(low, high):
        renew_view(
            (seed, u, event), len(views), alpha, notes.peers[u], notes.scores[u], notes.heard[u], views[u]
        )


@cache
def make_run_round(receive: Callable[..., tuple[int, float]]) -> Callable[..., None]:
    """The kernel that lets nodes live through a round."""

    @kernel
    def run_round(
        low: int,
        high: int,
        first_node: int,
        inbox: Inbox,
        models: Models,
        people: People,
        rules: Rules,
        hyper: Any,
    ) -> None:
        """Nodes low .. high take in what arrived for them. The first model here is that of node `first_node`."""
        before, left, come = models.before, models.left, models.come
        after, shown = models.after, models.shown
        data, notes, received = people.data, people.notes, people.received
        for u in range(low, high):
            at = u - first_node
            first, last = inbox.start[u], inbox.start[u + 1]
            new = model_of(after, at)
            mine = Version(model_of(before, at), before.clock[at], people.samples[u])
            if first == last:
                new.rows[:] = mine.model.rows
                new.ages[:] = mine.model.ages
                new.dense[:] = mine.model.dense
            show = model_of(shown, at) if len(shown.rows) else new
            own = data_of(u, data, people.aside)
            memory = data.memory[data.memory_start[u] : data.memory_start[u + 1]]
            person = Person(people.private[u], memory)
            for n in range(first, last):
                x = inbox.sender[n]
                place = inbox.place[n]
                if place < len(left.rows):
                    theirs = Version(model_of(left, place), left.clock[place], people.samples[x])
                else:
                    place -= len(left.rows)
                    theirs = Version(model_of(come, place), come.clock[place], people.samples[x])
                draws = (rules.seed, u, received[u])
                clock, score = receive(mine, theirs, new, show, person, own, draws, rules, hyper)
                if rules.scored:
                    remember(notes.peers[u], notes.scores[u], x, score, rules.best)
                if notes.heard.shape[1] > 0:
                    hear(notes.heard[u], received[u], u, x, inbox.told[x])
                received[u] += 1
                mine = Version(new, clock, people.samples[u])
            after.clock[at] = mine.clock

    return run_round
