"""A round of federated averaging of whole models: clients learn into rows of their own, the server adds them up.

A template: `train` stands for the specialized one of `tacit.protocols.kernels`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.compiling import kernel
from tacit.core.state import Floats
from tacit.hosts.sim.fleet import Local, Slots
from tacit.protocols.kernels import train


@kernel
def learn_whole(
    low: int,
    high: int,
    clients: npt.NDArray[np.int32],
    server: Slots,
    room: Slots,
    private: Floats,
    data: Local,
    epochs: int,
    seed: int,
    turn: int,
    hyper: Any,
) -> None:
    """Clients low .. high copy the server's model into their place in `room` and learn there."""
    for q in range(low, high):
        u = clients[q]
        rows, ages, dense = room.rows[q], room.ages[q], room.dense[q]
        rows[:] = server.rows[0]
        ages[:] = server.ages[0]
        dense[:] = server.dense[0]
        own = slice(data.start[u], data.start[u + 1])
        memory = data.memory[data.memory_start[u] : data.memory_start[u + 1]]
        train(
            rows,
            ages,
            dense,
            private[u],
            memory,
            data.item[own],
            data.value[own],
            epochs,
            (seed, u, turn),
            hyper,
        )


@kernel
def add_whole(
    low: int,
    high: int,
    count: int,
    weights: npt.NDArray[np.float64],
    server: Slots,
    room: Slots,
    sums: npt.NDArray[np.float64],
    touched: npt.NDArray[np.bool_],
) -> None:
    """Rows low .. high: add the weighted differences of the first `count` models in `room`, in their order."""
    width = sums.shape[1]
    for q in range(count):
        rows, ages = room.rows[q], room.ages[q]
        for i in range(low, high):
            if ages[i] != server.ages[0, i]:
                touched[i] = True
                for f in range(width):
                    sums[i, f] += weights[q] * (rows[i, f] - server.rows[0, i, f])


@kernel
def toward(low: int, high: int, server: Slots, models: Slots, step: np.float32) -> None:
    """Models low .. high go back to where only a step of the way from the server's model was made."""
    for u in range(low, high):
        models.rows[u] = server.rows[0] + step * (models.rows[u] - server.rows[0])
        models.dense[u] = server.dense[0] + step * (models.dense[u] - server.dense[0])
