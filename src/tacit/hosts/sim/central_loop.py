"""One pass over everybody's data on one model, in one order. A template: `train`."""

from __future__ import annotations

from typing import Any

from tacit.core.compiling import kernel
from tacit.core.interactions import Ints
from tacit.core.state import Floats
from tacit.hosts.sim.fleet import Local, Slots
from tacit.protocols.kernels import train


@kernel
def learn_all(
    order: Ints, model: Slots, private: Floats, data: Local, epochs: int, seed: int, turn: int, hyper: Any
) -> None:
    """Learn from the users in the given order, each with their own private part."""
    for u in order:
        items = data.item[data.start[u] : data.start[u + 1]]
        values = data.value[data.start[u] : data.start[u + 1]]
        train(
            model.rows[0],
            model.ages[0],
            model.dense[0],
            private[u],
            data.memory[data.memory_start[u] : data.memory_start[u + 1]],
            items,
            values,
            epochs,
            (seed, u, turn),
            hyper,
        )
