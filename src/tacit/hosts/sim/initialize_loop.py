"""How nodes start, node by node. A template: the initializing kernels of a model."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.core.compiling import kernel
from tacit.core.state import Floats
from tacit.hosts.sim.fleet import Local, Slots
from tacit.hosts.sim.members import Members
from tacit.models.mf import init_private, init_rows
from tacit.protocols.kernels import start_biases, tell_starts
from tacit.shields.secure_sum import mask, unmask


@kernel
def fill_rows(low: int, high: int, seed: int, slots: Slots, hyper: Any) -> None:
    """Agents low .. high, each from its own randomness."""
    for agent in range(low, high):
        init_rows(seed, agent, slots.rows[agent], slots.dense[agent], hyper)


@kernel
def fill_private(low: int, high: int, seed: int, private: Floats, hyper: Any) -> None:
    """Users low .. high, each from their own randomness."""
    for user in range(low, high):
        init_private(seed, user, private[user], hyper)


@kernel
def from_data(
    low: int,
    high: int,
    seed: int,
    slots: Slots,
    private: Floats,
    members: Members,
    data: Local,
    secure: bool,
    hyper: Any,
) -> None:
    """Agents low .. high start from their users' data; `secure`: what users tell is masked, only sums are seen."""
    items = slots.rows.shape[1]
    sums = np.empty(items)
    counts = np.empty(items, np.int64)
    masked = np.empty((2, items), np.uint64)
    total = np.empty((2, items), np.uint64)
    for agent in range(low, high):
        first = members.first[agent]
        size = members.first[agent + 1] - first
        hidden = secure and size > 1
        sums[:] = 0
        counts[:] = 0
        total[:] = 0
        for place in range(size):
            u = members.user[first + place]
            own = slice(data.start[u], data.start[u + 1])
            if hidden:
                sums[:] = 0
                counts[:] = 0
            tell_starts(private[u], data.item[own], data.value[own], sums, counts, hyper)
            if hidden:
                mask(seed, agent, place, size, sums, counts, masked)
                total += masked
        if hidden:
            unmask(total, sums, counts)
        start_biases(slots.rows[agent], slots.ages[agent], sums, counts)
