"""How an agent learns: for the one user it is, or for the users of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints, Positions
from tacit.core.node_state import Floats
from tacit.core.rng import Stream, permutation
from tacit.models.training import Average, Difference, Training
from tacit.simulator.fleet import Local, Slots, node_of, ratings_of
from tacit.simulator.virtual_time import Slot

_ORDER = Stream.ORDER


class GroupData(NamedTuple):
    """Agent a learns for user[first[a]:first[a+1]], who have data about the rows rated[start[a]:start[a+1]]."""

    first: Ints
    user: Slot
    start: Ints
    rated: Positions


class GossipNumbers(NamedTuple):
    """The numbers of a run that stay the same."""

    seed: int
    epochs: int
    shape: float
    """The merge's own number."""
    transfer: int
    message_bytes: int
    looks_up: bool
    peers: float
    """The sampler's own number."""


@cache
def make_learn_agent(training: Training, federated: Average | None = None) -> Callable[..., None]:
    """The kernel by which an agent learns with a model.

    `federated`: an agent of several users learns by a federated round among them, not from their data. A row's mean is
    over the users with data about it, or over all.
    """
    learn_one_by_one = _make_learn_one_by_one(training.train)
    if federated is None:
        return learn_one_by_one
    learn_federated = _make_learn_federated(training.difference, federated == "clients")

    @kernel
    def learn_agent(
        agent: int,
        turn: int,
        slots: Slots,
        at: int,
        private: Floats,
        data: Local,
        groups: GroupData,
        numbers: GossipNumbers,
        hyper: Any,
    ) -> None:
        """By a federated round among the agent's users; one user alone learns as always."""
        first, last = groups.first[agent], groups.first[agent + 1]
        if last - first > 1:
            learn_federated(groups.user[first:last], turn, slots, at, private, data, numbers, hyper)
        else:
            learn_one_by_one(agent, turn, slots, at, private, data, groups, numbers, hyper)

    return learn_agent


def _make_learn_one_by_one(train: Callable[..., None]) -> Callable[..., None]:
    @kernel
    def learn_one_by_one(
        agent: int,
        turn: int,
        slots: Slots,
        at: int,
        private: Floats,
        data: Local,
        groups: GroupData,
        numbers: GossipNumbers,
        hyper: Any,
    ) -> None:
        """From the data of the agent's users, one after the other in a fresh random order."""
        first = groups.first[agent]
        size = groups.first[agent + 1] - first
        # One user needs no order: first[:1] is [0], and nothing is allocated.
        order = groups.first[:1] if size == 1 else permutation(numbers.seed, _ORDER, agent, turn, size)
        for place in order:
            u = groups.user[first + place]
            draws = (numbers.seed, u, turn)
            train(node_of(slots, at, private, data, u), ratings_of(data, u), numbers.epochs, draws, hyper)

    return learn_one_by_one


def _make_learn_federated(difference: Callable[..., None], over_all: bool) -> Callable[..., None]:
    @kernel
    def learn_federated(
        members: Slot,
        turn: int,
        slots: Slots,
        at: int,
        private: Floats,
        data: Local,
        numbers: GossipNumbers,
        hyper: Any,
    ) -> None:
        """One federated round: each row moves by the mean of the differences that members return."""
        rows, ages, dense = slots.rows[at], slots.ages[at], slots.dense[at]
        items, width = rows.shape
        total = np.zeros((items, width), rows.dtype)
        count = np.zeros(items, np.int64)
        total_dense = np.zeros_like(dense)
        changed = np.empty_like(dense)
        for u in members:
            own = ratings_of(data, u)
            rated = own.items
            returned = np.empty((len(rated), width), rows.dtype)
            touched = np.empty(len(rated), np.bool_)
            out = Difference(returned, changed, touched)
            node, draws = node_of(slots, at, private, data, u), (numbers.seed, u, turn)
            difference(node, own, numbers.epochs, draws, hyper, numbers.looks_up, out)
            for n in range(len(rated)):
                if touched[n]:
                    count[rated[n]] += 1
                    for f in range(width):
                        total[rated[n], f] += returned[n, f]
            for f in range(len(dense)):
                total_dense[f] += changed[f]
        for i in range(items):
            if count[i] > 0:
                ages[i] += 1
                over = len(members) if over_all else count[i]
                for f in range(width):
                    rows[i, f] += total[i, f] / np.float32(over)
        for f in range(len(dense)):
            dense[f] += total_dense[f] / np.float32(len(members))

    return learn_federated
