"""A round of federated averaging of whole models: clients learn into rows of their own, the server adds them up."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.node_state import Floats
from tacit.simulator.fleet import Local, Slots, Turn, node_of, ratings_of


@cache
def make_learn_whole(train: Callable[..., None]) -> Callable[..., None]:
    """The kernel by which clients learn."""

    @kernel
    def learn_whole(
        low: int,
        high: int,
        clients: npt.NDArray[np.int32],
        server: Slots,
        room: Slots,
        private: Floats,
        data: Local,
        turn: Turn,
        hyper: Any,
    ) -> None:
        """Clients low .. high copy the server's model into their place in `room` and learn there."""
        for q in range(low, high):
            u = clients[q]
            node = node_of(room, q, private, data, u)
            node.rows[:] = server.rows[0]
            node.ages[:] = server.ages[0]
            node.dense[:] = server.dense[0]
            train(node, ratings_of(data, u), turn.epochs, (turn.seed, u, turn.number), hyper)

    return learn_whole


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
