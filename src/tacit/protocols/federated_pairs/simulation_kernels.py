"""Rounds of federated pair-wise learning: clients draw triples, their updates pass disclosure, the server adds them.

With Adam whoever takes a step remembers it: a client the steps of its own vector, the server those of its rows, which
are one a round, by the sum of what it received. So messages are the same as without.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints, Positions
from tacit.core.node_state import Floats
from tacit.core.rng import Stream, below, sample
from tacit.models.adam import begin, climb, moments
from tacit.models.bpr import Hyper, draw_triple, memory_size, surprise
from tacit.privacy.disclosure import discloses
from tacit.simulator.fleet import Local, Slots

_CLIENTS = Stream.CLIENTS


class Rules(NamedTuple):
    """What stays the same during a run."""

    seed: int
    clients: int
    """Clients a round."""
    triples: int
    """T."""
    whole_items: bool
    """FedeRank's disclosure (whole items) instead of FPL's (each positive update)."""
    header: int
    """Bytes of a message without its rows."""
    row: int
    """Bytes of a row."""


class Scratch(NamedTuple):
    """The round under way: the items it has touched so far, compactly, so that a round of one client stays in cache."""

    place: Positions
    """Where each item may stand in the arrays below; true only if `item` there says so too."""
    item: Positions
    sums: Floats
    """Received updates, added up; zero between rounds."""
    received: npt.NDArray[np.int32]
    """How many clients sent an update of it."""
    exchange: Ints
    """The last exchange (from 1) in which one did."""


class Sent(NamedTuple):
    """What every client sent so far; the arrays of a Traffic."""

    updates: Ints
    rows: Ints
    rows_rated: Ints
    bytes: Ints


class Observed(NamedTuple):
    """What the server saw of a few clients: client u has row slot[u]; -1: not watched."""

    slot: npt.NDArray[np.int32]
    seen: npt.NDArray[np.int32]
    """How many updates of each item."""
    bias: npt.NDArray[np.float64]
    """The sum of their bias parts."""


@kernel
def run_rounds(
    first: int,
    last: int,
    server: Slots,
    private: Floats,
    own_memory: Floats | None,
    row_memory: Floats | None,
    data: Local,
    avoid_start: Ints,
    avoid_item: Positions,
    entry_user: npt.NDArray[np.int32],
    pi: npt.NDArray[np.float64],
    scratch: Scratch,
    sent: Sent,
    observed: Observed,
    rules: Rules,
    hyper: Hyper,
) -> None:
    """Rounds first .. last. With `entry_user` (the user of every training entry) clients are picked by how much data
    they have, otherwise all alike. Memories (None: plain steps): a block for each client's vector, and one for each of
    the server's rows."""
    rows, ages = server.rows[0], server.ages[0]
    people = len(private)
    width = rows.shape[1]
    size = memory_size(width - 1)
    taken = np.zeros(people, np.bool_)
    clients = np.arange(people)
    for r in range(first, last):
        if rules.clients == 1:
            if len(entry_user):
                clients[0] = entry_user[below(rules.seed, _CLIENTS, 0, r, 0, len(entry_user))]
            else:
                clients[0] = below(rules.seed, _CLIENTS, 0, r, 0, people)
        elif rules.clients < people:
            taken[:] = False
            sample(rules.seed, _CLIENTS, 0, r, people, rules.clients, taken)
            at = 0
            for u in range(people):
                if taken[u]:
                    clients[at] = u
                    at += 1
        count = 0
        for n in range(rules.clients):
            u = clients[n]
            own = data.item[data.start[u] : data.start[u + 1]]
            avoid = avoid_item[avoid_start[u] : avoid_start[u + 1]]
            exchange = r * rules.clients + n + 1
            of_p = moments(own_memory, u, size)
            count = _client(
                u, r, exchange, rows, private[u], of_p, own, avoid, pi[u], scratch, count, sent, observed, rules, hyper
            )  # fmt: skip
        for n in range(count):
            i = scratch.item[n]
            ages[i] += scratch.received[n]
            of_i = moments(row_memory, i, size)
            begin(of_i)
            for f in range(width):
                climb(rows[i], f, scratch.sums[n, f], hyper.lr, of_i, f)
                scratch.sums[n, f] = 0
        server.clock[0] += 1


@kernel
def _client(
    u: int,
    r: int,
    exchange: int,
    rows: Floats,
    p: Floats,
    of_p: Floats | None,
    own: Positions,
    avoid: Positions,
    pi: float,
    scratch: Scratch,
    count: int,
    sent: Sent,
    observed: Observed,
    rules: Rules,
    hyper: Hyper,
) -> int:
    """One client's T triples on the server's model as it was sent; its own p moves as it goes."""
    k = len(p)
    watched = observed.slot[u]
    draw = 0
    sent_rows = 0
    sent_rated = 0
    for t in range(rules.triples):
        i, j, draw = draw_triple(own, avoid, len(rows), (rules.seed, u, r), draw)
        g = surprise(rows, p, i, j)
        disclosed = discloses(rules.seed, u, r, i if rules.whole_items else t, pi)
        if disclosed:
            n, count, new = _find(scratch, i, count, exchange)
            sent_rows += new
            sent_rated += new
            for f in range(k):
                scratch.sums[n, f] += g * p[f] - hyper.reg_pos * rows[i, f]
            scratch.sums[n, k] += g
        n, count, new = _find(scratch, j, count, exchange)
        sent_rows += new
        for f in range(k):
            scratch.sums[n, f] += -g * p[f] - hyper.reg_neg * rows[j, f]
        scratch.sums[n, k] -= g
        if watched >= 0:
            observed.seen[watched, j] += 1
            observed.bias[watched, j] -= g
            if disclosed:
                observed.seen[watched, i] += 1
                observed.bias[watched, i] += g
        begin(of_p)
        for f in range(k):
            climb(p, f, g * (rows[i, f] - rows[j, f]) - hyper.reg_u * p[f], hyper.lr, of_p, f)
    sent.updates[u] += 1
    sent.rows[u] += sent_rows
    sent.rows_rated[u] += sent_rated
    sent.bytes[u] += rules.header + sent_rows * rules.row
    return count


@kernel
def _find(scratch: Scratch, item: int, count: int, exchange: int) -> tuple[int, int, int]:
    """Where an item stands among the `count` touched ones, how many there are now, and 1 if new to this exchange."""
    n = scratch.place[item]
    if n >= count or scratch.item[n] != item:
        n = count
        scratch.place[item] = n
        scratch.item[n] = item
        scratch.received[n] = 0
        scratch.exchange[n] = 0
        count += 1
    if scratch.exchange[n] == exchange:
        return n, count, 0
    scratch.exchange[n] = exchange
    scratch.received[n] += 1
    return n, count, 1
