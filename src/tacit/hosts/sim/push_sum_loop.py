"""One window of push-sum, node by node.

A window is no longer than a transfer, and a node sends at most one share in it: its last one is still being read by
whoever receives it in this window, or was received before. So nodes are independent, and one buffer of words a node
is all that is in flight. The same goes for a node's question to a partner, and for the answer, which only the
partner that receives it in this window writes.

A template: `begin`, `take` and `wake` stand for those of `push_sum_kernels` with a model's own functions in them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiling import kernel
from tacit.core.interactions import Ints, Positions, Values
from tacit.hosts.sim.fleet import Local
from tacit.hosts.sim.gossip_loop import choose
from tacit.hosts.sim.sessions import Sessions, online_at, online_through
from tacit.peers.graphs import Neighbours
from tacit.protocols.pairs import QUESTION_BYTES, hear, next_asked, place, side
from tacit.protocols.push_sum_book import PEER, SENT_EPOCH, SENT_TURN, WAKES, Book, Rules
from tacit.protocols.push_sum_kernels import begin, take, take_back, wake
from tacit.protocols.transfers import ACK, ACK_BYTES, ANSWER, QUESTION, SHARE, lost

NEVER = 2**62


class Flights(NamedTuple):
    """Each node's last transmission, one entry a node."""

    arrive: Ints
    """When it arrives; -1: nothing is on its way."""
    receiver: npt.NDArray[np.int32]
    fresh: npt.NDArray[np.bool_]
    """Whether the receiver has not had it before."""
    delivered: npt.NDArray[np.bool_]
    """Whether the share that waits for an acknowledgement has arrived, or will, even so."""
    acknowledged: npt.NDArray[np.bool_]
    broken: npt.NDArray[np.bool_]
    """Whether one of the two went away during the transfer."""


class Questions(NamedTuple):
    """Each node's last question to one of its partners, one entry a node."""

    arrive: Ints
    """When it arrives; -1: nothing is on its way."""
    receiver: npt.NDArray[np.int32]
    said: Ints
    heard: npt.NDArray[np.bool_]
    """Whether the network lets the answer through."""
    answer: Ints
    """-1: none."""


class Inbox(NamedTuple):
    """What arrives in a window: node u gets entries start[u] .. start[u+1], in order."""

    start: Positions
    sender: Positions
    time: Ints


class Clocks(NamedTuple):
    """When nodes wake next, how often, and how long a transfer takes."""

    due: Ints
    period: Ints
    transfer: int
    loss: float


class Sent(NamedTuple):
    """Running totals a node, and what a message costs."""

    updates: Ints
    rows: Ints
    rows_rated: Ints
    bytes: Ints
    received: Ints
    rest: int
    """Bytes of a message beside its rows."""


@kernel
def begin_all(low: int, high: int, book: Book, data: Local, rules: Rules, hyper: Any) -> None:
    """Everybody begins the first epoch."""
    for u in range(low, high):
        own = slice(data.start[u], data.start[u + 1])
        begin(book, u, data.item[own], data.value[own], rules, hyper)


@kernel
def collect(until: int, arrive: Ints, receiver: npt.NDArray[np.int32]) -> Inbox:
    """The transmissions that arrive up to `until`, by receiver, time and sender; they are in flight no more."""
    nodes = len(arrive)
    start = np.zeros(nodes + 1, np.int32)
    for v in range(nodes):
        if 0 <= arrive[v] <= until:
            start[receiver[v] + 1] += 1
    for u in range(nodes):
        start[u + 1] += start[u]
    sender = np.empty(start[nodes], np.int32)
    time = np.empty(start[nodes], np.int64)
    end = start[:nodes].copy()
    for v in range(nodes):
        if 0 <= arrive[v] <= until:
            u = receiver[v]
            n = end[u]
            while n > start[u] and time[n - 1] > arrive[v]:
                time[n] = time[n - 1]
                sender[n] = sender[n - 1]
                n -= 1
            time[n] = arrive[v]
            sender[n] = v
            end[u] += 1
            arrive[v] = -1
    return Inbox(start, sender, time)


@kernel
def run(
    low: int,
    high: int,
    until: int,
    inbox: Inbox,
    asked: Inbox,
    flights: Flights,
    questions: Questions,
    book: Book,
    clocks: Clocks,
    data: Local,
    graph: Neighbours,
    sessions: Sessions,
    sent: Sent,
    rules: Rules,
    hyper: Any,
) -> None:
    """Nodes low .. high live through a window."""
    for u in range(low, high):
        had = data.item[data.start[u] : data.start[u + 1]]
        values = data.value[data.start[u] : data.start[u + 1]]
        n, q = inbox.start[u], asked.start[u]
        while True:
            due = clocks.due[u]
            share = inbox.time[n] if n < inbox.start[u + 1] else NEVER
            question = asked.time[q] if q < asked.start[u + 1] else NEVER
            first = min(share, question)
            if first < NEVER and (due > until or first <= due):
                if question < share:
                    _answer(u, asked.sender[q], questions, book, sent, rules)
                    q += 1
                    continue
                v = inbox.sender[n]
                sent.bytes[u] += ACK_BYTES
                if flights.fresh[v]:
                    sent.received[u] += 1
                    clock = book.clock[v]
                    take(
                        book, u, had, values, clock[SENT_EPOCH], clock[SENT_TURN], book.ahead[v, 1],
                        book.words[v], book.sent_heads[v], rules, hyper,
                    )  # fmt: skip
                n += 1
            elif due <= until:
                if online_at(sessions, u, due):
                    event = book.clock[u, WAKES]
                    if questions.answer[u] >= 0:
                        hear(book, u, questions.answer[u], rules)
                        questions.answer[u] = -1
                    _send(u, due, had, values, flights, book, clocks, graph, sessions, sent, rules, hyper)
                    _ask(u, due, event, questions, book, clocks, sessions, sent, rules)
                else:
                    book.clock[u, WAKES] += 1
                clocks.due[u] = due + clocks.period[u]
            else:
                break


@kernel
def _send(
    u: int,
    now: int,
    had: Positions,
    values: Values,
    flights: Flights,
    book: Book,
    clocks: Clocks,
    graph: Neighbours,
    sessions: Sessions,
    sent: Sent,
    rules: Rules,
    hyper: Any,
) -> None:
    """A new share to a random peer, or the last one again to the peer that has not acknowledged it."""
    clock = book.clock[u]
    event = clock[WAKES]
    if flights.acknowledged[u]:
        clock[PEER] = -1
    if flights.broken[u]:
        take_back(book, u)
    flights.broken[u] = False
    peer = choose(rules.seed, u, event, graph[u], len(graph), sessions, now)
    if peer < 0:
        clock[WAKES] += 1
        return
    if wake(book, u, had, values, rules, hyper):
        clock[PEER] = peer
        flights.delivered[u] = False
    peer = clock[PEER]
    flights.acknowledged[u] = False
    if not online_at(sessions, peer, now):
        return
    _count(u, had, book, sent)
    arrive = now + clocks.transfer
    both = online_through(sessions, u, now, arrive) and online_through(sessions, peer, now, arrive)
    flights.broken[u] = not both
    if not both or lost(rules.seed, u, event, SHARE, clocks.loss):
        return
    flights.arrive[u] = arrive
    flights.receiver[u] = peer
    flights.fresh[u] = not flights.delivered[u]
    flights.delivered[u] = True
    flights.acknowledged[u] = not lost(rules.seed, u, event, ACK, clocks.loss)


@kernel
def _ask(
    u: int,
    now: int,
    event: int,
    questions: Questions,
    book: Book,
    clocks: Clocks,
    sessions: Sessions,
    sent: Sent,
    rules: Rules,
) -> None:
    """Ask a partner that is there whether its mask is in."""
    partner = book.partner[u]
    there = np.zeros(len(partner), np.bool_)
    for c in range(len(partner)):
        there[c] = partner[c] >= 0 and online_at(sessions, partner[c], now)
    c = next_asked(book, u, there)
    if c < 0:
        return
    sent.bytes[u] += QUESTION_BYTES
    arrive = now + clocks.transfer
    if (
        online_through(sessions, u, now, arrive)
        and online_through(sessions, partner[c], now, arrive)
        and not lost(rules.seed, u, event, QUESTION, clocks.loss)
    ):
        questions.arrive[u] = arrive
        questions.receiver[u] = partner[c]
        questions.said[u] = side(book, u, c)
        questions.heard[u] = not lost(rules.seed, u, event, ANSWER, clocks.loss)


@kernel
def _answer(u: int, v: int, questions: Questions, book: Book, sent: Sent, rules: Rules) -> None:
    """Node u hears what v says of their pair, and says of it what is so then."""
    said = questions.said[v]
    hear(book, u, said, rules)
    sent.bytes[u] += QUESTION_BYTES
    if questions.heard[v]:
        questions.answer[v] = side(book, u, place(said))


@kernel
def _count(u: int, had: Positions, book: Book, sent: Sent) -> None:
    """What a message is as encoded: all rows, or those that are not zero with their positions where that is smaller."""
    items = book.sizes[0]
    wide = book.sizes[1] + 1
    words = book.words[u, : items * wide]
    lower = np.uint16(0)
    for f in range(len(words)):
        lower |= words[f] & np.uint16(0xFF)
    row = wide * (1 if lower == 0 else 2)
    count = 0
    for i in range(items):
        for f in range(i * wide, (i + 1) * wide):
            if words[f] & 0x7FFF:
                count += 1
                break
    sparse = count * (row + 4) < items * row
    rated = len(had)
    if sparse:
        rated = 0
        for n in range(len(had)):
            for f in range(had[n] * wide, (had[n] + 1) * wide):
                if words[f] & 0x7FFF:
                    rated += 1
                    break
    sent.updates[u] += 1
    sent.rows[u] += count if sparse else items
    sent.rows_rated[u] += rated
    sent.bytes[u] += sent.rest + (count * (row + 4) if sparse else items * row)
