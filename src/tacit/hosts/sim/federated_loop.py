"""A federated round, client by client, and the server's sum, item by item.

A template: `difference` stands for the specialized one of `tacit.protocols.kernels`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiling import kernel
from tacit.core.interactions import Ints
from tacit.core.state import Ages, Floats
from tacit.hosts.sim.fleet import Local, Slots
from tacit.hosts.sim.plan import Slot
from tacit.protocols.kernels import difference
from tacit.shields.subsample import select


class Returned(NamedTuple):
    """What clients send back: a difference for each of their own rows, and whether that row travels."""

    rows: Floats
    travels: npt.NDArray[np.bool_]
    dense: Floats


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
    epochs: int,
    seed: int,
    turn: int,
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
        own = data.item[entries]
        difference(
            server.rows[0], server.dense[0], private[u], own, data.value[entries], epochs, (seed, u, turn), hyper,
            returned.rows[entries], returned.dense[u], returned.travels[entries], looks_up,
        )  # fmt: skip
        if count < items:
            select(seed, u, turn, own, items, count, index)
            at = 0
            for n in range(len(own)):
                while at < count and index[at] < own[n]:
                    at += 1
                if at == count or index[at] != own[n]:
                    returned.travels[start + n] = False


@kernel
def add_rows(
    low: int,
    high: int,
    rows: Floats,
    ages: Ages,
    item_start: Ints,
    entries: Ints,
    entry_user: Slot,
    arrived: npt.NDArray[np.bool_],
    returned: Returned,
) -> None:
    """Rows low .. high of the server's model move by the mean of the differences that arrived, users ascending."""
    width = rows.shape[1]
    total = np.empty(width, rows.dtype)
    for i in range(low, high):
        total[:] = 0
        count = 0
        for n in range(item_start[i], item_start[i + 1]):
            e = entries[n]
            if arrived[entry_user[e]] and returned.travels[e]:
                count += 1
                for f in range(width):
                    total[f] += returned.rows[e, f]
        if count > 0:
            for f in range(width):
                rows[i, f] += total[f] / np.float32(count)
            ages[i] += 1
