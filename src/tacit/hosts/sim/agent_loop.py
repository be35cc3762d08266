"""How an agent learns: for the one user it is, or for the users of a cluster.

A template: `train` and `difference` stand for the specialized ones of `tacit.protocols.kernels`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tacit.core.compiling import kernel
from tacit.core.interactions import Ints, Positions
from tacit.core.rng import Stream, permutation
from tacit.core.state import Ages, Floats
from tacit.hosts.sim.fleet import Local
from tacit.hosts.sim.plan import Slot
from tacit.protocols.kernels import difference, train

_ORDER = Stream.ORDER


class Agents(NamedTuple):
    """Agent a learns for user[first[a]:first[a+1]], who have data about the rows rated[start[a]:start[a+1]]."""

    first: Ints
    user: Slot
    start: Ints
    rated: Positions


@kernel
def learn_agent(
    agent: int,
    turn: int,
    rows: Floats,
    ages: Ages,
    dense: Floats,
    private: Floats,
    data: Local,
    agents: Agents,
    federated: bool,
    looks_up: bool,
    epochs: int,
    seed: int,
    hyper: Any,
) -> None:
    """From the data of the agent's users, one after the other in a fresh random order; or by a federated round."""
    first = agents.first[agent]
    size = agents.first[agent + 1] - first
    if federated and size > 1:
        _learn_federated(
            agents.user[first : first + size],
            turn,
            rows,
            ages,
            dense,
            private,
            data,
            looks_up,
            epochs,
            seed,
            hyper,
        )
        return
    for place in permutation(seed, _ORDER, agent, turn, size):
        u = agents.user[first + place]
        own = slice(data.start[u], data.start[u + 1])
        train(rows, ages, dense, private[u], data.item[own], data.value[own], epochs, (seed, u, turn), hyper)


@kernel
def _learn_federated(
    members: Slot,
    turn: int,
    rows: Floats,
    ages: Ages,
    dense: Floats,
    private: Floats,
    data: Local,
    looks_up: bool,
    epochs: int,
    seed: int,
    hyper: Any,
) -> None:
    """One federated round: each row moves by the mean of the differences that members return."""
    items, width = rows.shape
    total = np.zeros((items, width), rows.dtype)
    count = np.zeros(items, np.int64)
    total_dense = np.zeros_like(dense)
    changed = np.empty_like(dense)
    for u in members:
        own = slice(data.start[u], data.start[u + 1])
        rated = data.item[own]
        returned = np.empty((len(rated), width), rows.dtype)
        touched = np.empty(len(rated), np.bool_)
        difference(
            rows, dense, private[u], rated, data.value[own], epochs, (seed, u, turn), hyper,
            returned, changed, touched, looks_up,
        )  # fmt: skip
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
            for f in range(width):
                rows[i, f] += total[i, f] / np.float32(count[i])
    for f in range(len(dense)):
        dense[f] += total_dense[f] / np.float32(len(members))
