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
from tacit.core.math.negative_sampling import among
from tacit.core.node_state import Floats
from tacit.core.rng import Stream, below, sample, two
from tacit.models.adam import begin, climb, moments
from tacit.models.bpr import Hyper, draw_triple, memory_size, surprise
from tacit.privacy.disclosure import discloses
from tacit.simulator.fleet import Slots

_CLIENTS, _PAIRS = Stream.CLIENTS, Stream.PAIRS


class PairNumbers(NamedTuple):
    """What stays the same during a run."""

    seed: int
    clients: int
    """Clients a round."""
    triples: int
    """T."""
    whole_items: bool
    """FedeRank's disclosure (whole items) instead of FPL's (each positive update)."""
    batch: bool
    """Whether a client's vector moves once, by the sum of its gradients, and not after every triple."""
    popular: float
    """What share of negatives is drawn by popularity; only in one place that knows it."""
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


class Clients(NamedTuple):
    """What every client has of its own."""

    private: Floats
    memory: Floats | None
    """What it remembers of the steps of its vector, a block each; None: plain steps."""
    start: Ints
    item: Positions
    avoid_start: Ints
    avoid_item: Positions
    """What negatives are drawn outside of."""
    pi: npt.NDArray[np.float64]


class Round(NamedTuple):
    """Where a round's updates, counts and observations go."""

    scratch: Scratch
    sent: Sent
    observed: Observed


@kernel
def run_rounds(
    first: int,
    last: int,
    server: Slots,
    row_memory: Floats | None,
    clients: Clients,
    entry_user: npt.NDArray[np.int32],
    under_way: Round,
    numbers: PairNumbers,
    hyper: Hyper,
) -> None:
    """Rounds first .. last. With `entry_user` (the user of every training entry) clients are picked by how much data
    they have, otherwise all alike. `row_memory`: what the server remembers of its rows, a block each."""
    rows, ages = server.rows[0], server.ages[0]
    scratch = under_way.scratch
    people = len(clients.private)
    width = rows.shape[1]
    size = memory_size(width - 1)
    taken = np.zeros(people, np.bool_)
    chosen = np.arange(people)
    for r in range(first, last):
        if numbers.clients == 1:
            if len(entry_user):
                chosen[0] = entry_user[below(numbers.seed, _CLIENTS, 0, r, 0, len(entry_user))]
            else:
                chosen[0] = below(numbers.seed, _CLIENTS, 0, r, 0, people)
        elif numbers.clients < people:
            taken[:] = False
            sample(numbers.seed, _CLIENTS, 0, r, people, numbers.clients, taken)
            at = 0
            for u in range(people):
                if taken[u]:
                    chosen[at] = u
                    at += 1
        count = 0
        for n in range(numbers.clients):
            exchange = r * numbers.clients + n + 1
            count = _client(chosen[n], r, exchange, count, rows, clients, under_way, numbers, hyper)
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
    count: int,
    rows: Floats,
    clients: Clients,
    under_way: Round,
    numbers: PairNumbers,
    hyper: Hyper,
) -> int:
    """One client's T triples on the server's model as it was sent; its own p moves as it goes."""
    scratch, sent, observed = under_way.scratch, under_way.sent, under_way.observed
    own = clients.item[clients.start[u] : clients.start[u + 1]]
    avoid = clients.avoid_item[clients.avoid_start[u] : clients.avoid_start[u + 1]]
    p = clients.private[u]
    k = len(p)
    of_p = moments(clients.memory, u, memory_size(k))
    watched = observed.slot[u]
    draw = 0
    sent_rows = 0
    sent_rated = 0
    slope = np.zeros(k, rows.dtype)
    for t in range(numbers.triples):
        draws = (numbers.seed, u, r)
        i, j, draw = draw_triple(own, avoid, len(rows), draws, draw)
        if numbers.popular > 0:
            j, draw = _popular(j, avoid, clients.item, numbers.popular, draws, draw)
        g = surprise(rows, p, i, j)
        disclosed = discloses(numbers.seed, u, r, i if numbers.whole_items else t, clients.pi[u])
        if disclosed:
            n, count, new = _find(scratch, i, count, exchange)
            sent_rows += new
            sent_rated += new
            for f in range(k):
                scratch.sums[n, f] += g * p[f] - hyper.reg_pos * rows[i, f]
            scratch.sums[n, k] += g - hyper.reg_bias * rows[i, k]
        n, count, new = _find(scratch, j, count, exchange)
        sent_rows += new
        for f in range(k):
            scratch.sums[n, f] += -g * p[f] - hyper.reg_neg * rows[j, f]
        scratch.sums[n, k] -= g + hyper.reg_bias * rows[j, k]
        if watched >= 0:
            observed.seen[watched, j] += 1
            observed.bias[watched, j] -= g
            if disclosed:
                observed.seen[watched, i] += 1
                observed.bias[watched, i] += g
        if numbers.batch:
            for f in range(k):
                slope[f] += g * (rows[i, f] - rows[j, f]) - hyper.reg_u * p[f]
            continue
        begin(of_p)
        for f in range(k):
            climb(p, f, g * (rows[i, f] - rows[j, f]) - hyper.reg_u * p[f], hyper.lr, of_p, f)
    if numbers.batch:
        begin(of_p)
        for f in range(k):
            climb(p, f, slope[f], hyper.lr, of_p, f)
    sent.updates[u] += 1
    sent.rows[u] += sent_rows
    sent.rows_rated[u] += sent_rated
    sent.bytes[u] += numbers.header + sent_rows * numbers.row
    return count


@kernel
def _popular(
    j: int, avoid: Positions, everyone: Positions, share: float, draws: tuple[int, int, int], draw: int
) -> tuple[int, int]:
    """With the chance `share` another negative instead of j: the item of a random interaction."""
    seed, node, event = draws
    a, b = two(seed, _PAIRS, node, event, draw)
    draw += 1
    if a >= share:
        return j, draw
    j = everyone[int(b * len(everyone))]
    while among(avoid, j):
        a, b = two(seed, _PAIRS, node, event, draw)
        j = everyone[int(a * len(everyone))]
        draw += 1
    return j, draw


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
