"""A federated round, client by client, and the server's sum, item by item."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints
from tacit.core.node_state import Ages, Floats
from tacit.models.training import Difference
from tacit.privacy.subsample import select
from tacit.simulator.fleet import Local, Slots, Turn, node_of, ratings_of
from tacit.simulator.virtual_time import Slot


class Returned(NamedTuple):
    """What clients send back: a difference for each of their own rows, and whether that row travels."""

    rows: Floats
    travels: npt.NDArray[np.bool_]
    dense: Floats


@cache
def make_learn_clients(difference: Callable[..., None]) -> Callable[..., None]:
    """The kernel by which clients learn; `difference` says what one returns."""

    @kernel
    def learn_clients(
        low: int,
        high: int,
        clients: Slot,
        server: Slots,
        private: Floats,
        data: Local,
        returned: Returned,
        count: int,
        turn: Turn,
        looks_up: bool,
        hyper: Any,
    ) -> None:
        """Clients low .. high learn from the server's model and keep the difference. `count` rows travel."""
        items = server.rows.shape[1]
        index = np.empty(count, np.int32)
        for q in range(low, high):
            u = clients[q]
            start = data.start[u]
            entries = slice(start, data.start[u + 1])
            own = ratings_of(data, u)
            node = node_of(server, 0, private, data, u)
            out = Difference(returned.rows[entries], returned.dense[u], returned.travels[entries])
            difference(node, own, turn.epochs, (turn.seed, u, turn.number), hyper, looks_up, out)
            if count < items:
                select(turn.seed, u, turn.number, own.items, items, count, index)
                at = 0
                for n in range(len(own.items)):
                    while at < count and index[at] < own.items[n]:
                        at += 1
                    if at == count or index[at] != own.items[n]:
                        returned.travels[start + n] = False

    return learn_clients


class Sums(NamedTuple):
    """What clients returned, added up: for each of the server's rows the sum, and of how many it is to be the mean."""

    total: Floats
    counts: Ints


@kernel
def add_up(
    low: int,
    high: int,
    sums: Sums,
    item_start: Ints,
    entries: Ints,
    entry_user: Slot,
    arrived: npt.NDArray[np.bool_],
    returned: Returned,
) -> None:
    """Add the differences that arrived of rows low .. high, users ascending."""
    width = sums.total.shape[1]
    for i in range(low, high):
        for n in range(item_start[i], item_start[i + 1]):
            e = entries[n]
            if arrived[entry_user[e]] and returned.travels[e]:
                sums.counts[i] += 1
                for f in range(width):
                    sums.total[i, f] += returned.rows[e, f]


@kernel
def move_rows(low: int, high: int, rows: Floats, ages: Ages, sums: Sums) -> None:
    """Rows low .. high of the server's model move by the mean of the differences."""
    for i in range(low, high):
        if sums.counts[i] > 0:
            for f in range(rows.shape[1]):
                rows[i, f] += sums.total[i, f] / np.float32(sums.counts[i])
            ages[i] += 1
