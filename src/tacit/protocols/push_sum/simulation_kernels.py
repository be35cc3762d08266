"""One window of push-sum, node by node.

A window is no longer than a transfer, and a node sends at most one share in it. Its last share is received in this
window, or was received before. So nodes are independent, and one buffer of words per node is all that is in flight. The
same goes for a node's question to a partner, and for the answer, which only the partner that receives it in this window
writes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Positions, Values
from tacit.core.message.packing import exponents, size_in_message, used_bits
from tacit.peer_sampling.graphs import Neighbours
from tacit.peer_sampling.uniform import pick
from tacit.protocols.gossip.simulation_kernels import make_choose
from tacit.protocols.push_sum.kernels import SumKernels, take_back
from tacit.protocols.push_sum.mask_pairs import hear
from tacit.protocols.push_sum.mask_questions_kernels import answer, ask
from tacit.protocols.push_sum.message_loss import ACK, ACK_BYTES, SHARE, lost
from tacit.protocols.push_sum.ring import stride
from tacit.protocols.push_sum.state import PEER, SENT_EPOCH, SENT_TURN, WAKES, Book, Rules
from tacit.protocols.push_sum.window_kernels import Clocks, Flights, Inbox, Questions, Sent
from tacit.simulator.churn.sessions import Sessions, online_at, online_through
from tacit.simulator.fleet import Local

NEVER = 2**62
_choose = make_choose(pick)


@kernel
def _onward(u: int, nodes: int, sessions: Sessions, now: int, rules: Rules) -> int:
    """The next on the ring who is online; somebody is."""
    peer = (u + stride(rules.seed, now // rules.ring, nodes)) % nodes
    while peer == u or not online_at(sessions, peer, now):
        peer = (peer + 1) % nodes
    return peer


@kernel
def _count(u: int, had: Positions, book: Book, sent: Sent) -> None:
    """What a message is as encoded: all rows, or those that are not zero with their positions where that is smaller."""
    items = book.sizes[0]
    wide = book.sizes[2]
    words = book.words[u, : items * wide]
    count = 0
    for i in range(items):
        for f in range(i * wide, (i + 1) * wide):
            if words[f] & 0x7FFF:
                count += 1
                break
    bits = used_bits(words)
    counts = exponents(words)
    whole = size_in_message(counts, bits)
    counts[0] -= (items - count) * wide
    some = 4 * count + size_in_message(counts, bits)
    sparse = some < whole
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
    sent.bytes[u] += sent.rest + (some if sparse else whole)


@cache
def make_begin_all(begin: Callable[..., None]) -> Callable[..., None]:
    """The kernel by which everybody begins."""

    @kernel
    def begin_all(low: int, high: int, book: Book, data: Local, rules: Rules, hyper: Any) -> None:
        """Everybody begins the first epoch."""
        for u in range(low, high):
            own = slice(data.start[u], data.start[u + 1])
            begin(book, u, data.item[own], data.value[own], rules, hyper)

    return begin_all


@cache
def make_run(kernels: SumKernels) -> Callable[..., None]:
    """The kernel that lets nodes live through a window."""
    take, wake = kernels.take, kernels.wake

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
        """A new share to a peer, or the last one again to the peer that has not acknowledged it."""
        clock = book.clock[u]
        event = clock[WAKES]
        if flights.acknowledged[u]:
            clock[PEER] = -1
        if flights.broken[u]:
            take_back(book, u)
        flights.broken[u] = False
        peer = _choose(rules.seed, u, event, graph[u], len(graph), sessions, now, 0.0)
        if peer < 0:
            clock[WAKES] += 1
            return
        if wake(book, u, had, values, rules, hyper):
            clock[PEER] = _onward(u, len(graph), sessions, now, rules) if rules.ring > 0 else peer
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
                        answer(u, asked.sender[q], questions, book, sent, rules)
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
                        ask(u, due, event, questions, book, clocks, sessions, sent, rules)
                    else:
                        book.clock[u, WAKES] += 1
                    clocks.due[u] = due + clocks.period[u]
                else:
                    break

    return run
