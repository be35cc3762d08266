"""One round of gossip to views, node by node. A template: `receive` is that of `tacit.protocols.view_kernels`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiling import kernel
from tacit.core.interactions import Ints, Positions
from tacit.core.state import Floats
from tacit.hosts.sim.fleet import Local, Slots
from tacit.peers.personalized import choose_view, remember
from tacit.protocols.view_kernels import Data, Model, Rules, divide, receive


class Aside(NamedTuple):
    """Every node's weighting set (item[start[u]:start[u+1]]), and what it is ranked among (one row a node)."""

    start: Ints
    item: Positions
    others: npt.NDArray[np.int32]


class Notes(NamedTuple):
    """What every node remembers of its senders: one row a node."""

    peers: npt.NDArray[np.int32]
    scores: npt.NDArray[np.float32]


class Inbox(NamedTuple):
    """The round's messages by receiver, senders ascending: node u gets those of sender[start[u]:start[u+1]]."""

    start: Ints
    sender: npt.NDArray[np.int32]


@kernel
def data_of(u: int, data: Local, aside: Aside) -> Data:
    """One node's data, as views."""
    own = slice(data.start[u], data.start[u + 1])
    held = slice(aside.start[u], aside.start[u + 1])
    return Data(data.item[own], data.value[own], aside.item[held], aside.others[u])


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
    start: Ints,
    item: Positions,
    avoid_start: Ints,
    avoid: Positions,
    catalogue: int,
    data: Local,
    aside: Aside,
) -> None:
    """Nodes low .. high set their weighting sets aside; `avoid` is empty for honest negatives."""
    for u in range(low, high):
        forbidden = avoid[:0]
        if len(avoid):
            forbidden = avoid[avoid_start[u] : avoid_start[u + 1]]
        divide(seed, u, event, item[start[u] : start[u + 1]], forbidden, catalogue, data_of(u, data, aside))


@kernel
def choose_views(
    low: int, high: int, seed: int, event: int, alpha: float, notes: Notes, views: npt.NDArray[np.int32]
) -> None:
    """Nodes low .. high renew their views."""
    for u in range(low, high):
        choose_view(seed, u, event, len(views), alpha, notes.peers[u], notes.scores[u], views[u])


@kernel
def run_round(
    low: int,
    high: int,
    inbox: Inbox,
    sent: Slots,
    after: Slots,
    shown: Slots,
    private: Floats,
    data: Local,
    aside: Aside,
    samples: Ints,
    notes: Notes,
    received: Ints,
    rules: Rules,
    hyper: Any,
) -> None:
    """Nodes low .. high take in what arrived for them. `sent`: all models as they were when the round began."""
    for u in range(low, high):
        first, last = inbox.start[u], inbox.start[u + 1]
        new = model_of(after, u)
        mine = model_of(sent, u)
        clock = sent.clock[u]
        if first == last:
            new.rows[:] = mine.rows
            new.ages[:] = mine.ages
            new.dense[:] = mine.dense
        show = model_of(shown, u) if len(shown.rows) else new
        own = data_of(u, data, aside)
        memory = data.memory[data.memory_start[u] : data.memory_start[u + 1]]
        for n in range(first, last):
            x = inbox.sender[n]
            clock, score = receive(
                mine, clock, samples[u], model_of(sent, x), sent.clock[x], samples[x], new, show, private[u],
                memory, own, u, received[u], rules, hyper,
            )  # fmt: skip
            if rules.scored:
                remember(notes.peers[u], notes.scores[u], x, score)
            received[u] += 1
            mine = new
        after.clock[u] = clock
