"""Every node learns from its own data, node by node. A template: `train`."""

from __future__ import annotations

from typing import Any

from tacit.core.compiling import kernel
from tacit.core.state import Floats
from tacit.hosts.sim.fleet import Local, Slots
from tacit.protocols.kernels import train


@kernel
def learn_all(
    low: int,
    high: int,
    slots: Slots,
    private: Floats,
    data: Local,
    epochs: int,
    seed: int,
    turn: int,
    hyper: Any,
) -> None:
    """Nodes low .. high."""
    for u in range(low, high):
        own = slice(data.start[u], data.start[u + 1])
        train(
            slots.rows[u], slots.ages[u], slots.dense[u], private[u], data.item[own], data.value[own], epochs,
            (seed, u, turn), hyper,
        )  # fmt: skip
        slots.clock[u] += epochs
