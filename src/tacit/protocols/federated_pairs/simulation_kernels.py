"""Rounds of federated pair-wise learning: clients draw triples, their updates pass disclosure, the server adds them.

Where clients come and go, the server asks for availability (FedeRank, section 3). It chooses only clients that are
online and have something to draw. A client that leaves before the model is there learns nothing; if it leaves later,
its own vector has moved, and its update is lost.

With Adam a client keeps the moments of its own vector, and the server those of its rows. The server takes one step per
round, by the sum of what it received. So messages are the same as without Adam.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import inlined_kernel, kernel
from tacit.core.interactions import Ints, Positions
from tacit.core.math.negative_sampling import among
from tacit.core.node_state import Floats
from tacit.core.rng import Stream, below, sample, two
from tacit.models.adam import begin, climb, moments
from tacit.models.bpr import Hyper, draw_triple, memory_size, surprise
from tacit.privacy.disclosure import discloses
from tacit.simulator.churn.sessions import Sessions, online_at, online_through
from tacit.simulator.fleet import Slots

_CLIENTS, _PAIRS = Stream.CLIENTS, Stream.PAIRS
_ASKED = 1000
"""Clients that a server asks, one after the other, before it gives a round of one client up."""
DOWNLOADS, LEARNED, LOST = 0, 1, 2
"""What is counted: models sent out, clients that learned, updates that did not arrive."""


class PairNumbers(NamedTuple):
    """What stays the same during a run."""

    seed: int
    clients: int
    """Clients per round."""
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
    download: int
    """How long a model takes to a client."""
    length: int
    """How long a round takes."""
    days: int
    """After which time who is online is repeated."""
    churn: bool
    """Whether clients come and go."""


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
    may_leave: npt.NDArray[np.bool_]
    """Which of its entries an update may be sent about at all; empty: all."""
    triples: Ints
    """T of each; 0: this one takes no part."""


class Asking(NamedTuple):
    """How a server asks for availability, and what it found."""

    entry_user: Positions
    """The user of every entry, where clients are picked by how much data they have; empty: all alike."""
    sessions: Sessions
    counts: Ints
    """How many downloads there were, how many clients learned, how many of their updates were lost."""


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
    asking: Asking,
    rounds: tuple[Round, Round],
    numbers: PairNumbers,
    hyper: Hyper,
) -> None:
    """Rounds first .. last. `row_memory`: what the server remembers of its rows, a block each.

    `rounds`: where updates go that arrive, and where those that do not.
    """
    rows, ages = server.rows[0], server.ages[0]
    under_way, nowhere = rounds
    scratch = under_way.scratch
    width = rows.shape[1]
    size = memory_size(width - 1)
    taken = np.zeros(len(clients.triples), np.bool_)
    chosen = np.arange(len(clients.triples))
    for r in range(first, last):
        now = (r * numbers.length) % numbers.days
        chosen[0] = _draw(r, 0, asking.entry_user, len(clients.triples), numbers.seed)
        asked = 1
        if numbers.clients > 1 or numbers.churn or clients.triples[chosen[0]] == 0:
            asked = _ask(r, now, clients.triples, asking, numbers, taken, chosen)
        count = 0
        for n in range(asked):
            exchange = r * numbers.clients + n + 1
            asking.counts[DOWNLOADS] += 1
            arrives = True
            if numbers.churn:
                ready, end = now + numbers.download, now + numbers.length
                if not online_through(asking.sessions, chosen[n], now, ready):
                    continue
                arrives = online_through(asking.sessions, chosen[n], ready, end)
            asking.counts[LEARNED] += 1
            if arrives:
                count = one_client(chosen[n], r, exchange, count, rows, clients, under_way, numbers, hyper)
            else:
                asking.counts[LOST] += 1
                one_client(chosen[n], r, exchange, 0, rows, clients, nowhere, numbers, hyper)
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
def _draw(r: int, draw: int, entries: Positions, people: int, seed: int) -> int:
    """A random client; by data: that of a random entry."""
    if len(entries):
        return entries[below(seed, _CLIENTS, 0, r, draw, len(entries))]  # type: ignore[no-any-return]
    return below(seed, _CLIENTS, 0, r, draw, people)


@kernel
def _ask(
    r: int,
    now: int,
    triples: Ints,
    asking: Asking,
    numbers: PairNumbers,
    taken: npt.NDArray[np.bool_],
    chosen: Ints,
) -> int:
    """Write which clients take part into `chosen`; how many.

    One: random clients are asked until one is available. Several: so many random ones of those that are available, or
    all of these.
    """
    people = len(triples)
    if numbers.clients == 1:
        for draw in range(_ASKED):
            u = _draw(r, draw, asking.entry_user, people, numbers.seed)
            if triples[u] > 0 and (not numbers.churn or online_at(asking.sessions, u, now)):
                chosen[0] = u
                return 1
        return 0
    found = 0
    for u in range(people):
        if triples[u] > 0 and (not numbers.churn or online_at(asking.sessions, u, now)):
            chosen[found] = u
            found += 1
    if found <= numbers.clients:
        return found
    taken[:] = False
    sample(numbers.seed, _CLIENTS, 0, r, found, numbers.clients, taken)
    at = 0
    for n in range(found):
        if taken[n]:
            chosen[at] = chosen[n]
            at += 1
    return at


@inlined_kernel
def one_client(
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
    """One client's T triples on the server's model as it was sent; its own p moves with each, or once at the end."""
    scratch, sent, observed = under_way.scratch, under_way.sent, under_way.observed
    own = clients.item[clients.start[u] : clients.start[u + 1]]
    avoid = clients.avoid_item[clients.avoid_start[u] : clients.avoid_start[u + 1]]
    p = clients.private[u]
    k = len(p)
    of_p = moments(clients.memory, u, memory_size(k))
    may = (
        clients.may_leave[clients.start[u] : clients.start[u + 1]]
        if len(clients.may_leave)
        else clients.may_leave
    )
    watched = observed.slot[u]
    draw = 0
    sent_rows = 0
    sent_rated = 0
    slope = np.zeros(k, rows.dtype)
    for t in range(clients.triples[u]):
        draws = (numbers.seed, u, r)
        i, j, draw = draw_triple(own, avoid, len(rows), draws, draw)
        if numbers.popular > 0:
            j, draw = _popular(j, avoid, clients.item, numbers.popular, draws, draw)
        g = surprise(rows, p, i, j)
        disclosed = discloses(numbers.seed, u, r, i if numbers.whole_items else t, clients.pi[u])
        if len(may) and disclosed:
            disclosed = may[_place(own, i)]
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


@kernel
def _place(own: Positions, item: int) -> int:
    """Where an item stands among a client's own, which are in ascending order."""
    low, high = 0, len(own)
    while low < high:
        middle = (low + high) // 2
        if own[middle] < item:
            low = middle + 1
        else:
            high = middle
    return low
