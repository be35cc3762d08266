"""One window of virtual time, planned: who handles which message when, and where the result goes.

A window is no longer than the shortest transfer, so nothing that is sent in it can arrive in it, and nodes are
independent there. The plan lists each node's events in order (`Events`), and the loops run nodes in parallel. At one
instant arrivals come before sends, and arrivals in order of sender. What the plan decides (slots) never shows in a
result.
Gossip whose messages are whole versions is planned further ahead, by `event_order`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints
from tacit.simulator.churn.sessions import Sessions, online_at

RECEIVE, SEND = 0, 1
Slot = npt.NDArray[np.int32]


class Messages(NamedTuple):
    """Messages in flight; the first `in_flight[0]` entries are in use."""

    in_flight: Ints
    arrive: Ints
    sender: Slot
    receiver: Slot
    payload: Slot


class Pool(NamedTuple):
    """Which slots are taken: `users[s]` counts the messages in flight that point to slot s."""

    users: Slot
    current: npt.NDArray[np.bool_]
    free: Slot
    free_count: Ints


class Events(NamedTuple):
    """A window's events: active node q handles events first[q] .. first[q+1]."""

    active: Slot
    first: Slot
    kind: npt.NDArray[np.int8]
    message: Slot
    """RECEIVE: the message's payload slot. SEND: its number among the window's new messages."""
    sender: Slot
    before: Slot
    after: Slot


def new_messages(capacity: int) -> Messages:
    """An empty list of messages in flight."""
    ints = (np.zeros(capacity, np.int32) for _ in range(3))
    return Messages(np.zeros(1, np.int64), np.zeros(capacity, np.int64), *ints)


def new_pool(slots: int, taken: int) -> Pool:
    """`slots` slots of which the first `taken` are current states; the rest is free, lowest first."""
    current = np.zeros(slots, np.bool_)
    current[:taken] = True
    free = np.arange(slots - 1, taken - 1, -1, dtype=np.int32)
    stack = np.zeros(slots, np.int32)
    stack[: len(free)] = free
    return Pool(np.zeros(slots, np.int32), current, stack, np.array([len(free)]))


@kernel
def plan(
    until: int, due: Ints, sessions: Sessions, slot: Slot, messages: Messages, pool: Pool, shared: bool
) -> tuple[Events, int]:
    """The events up to and including `until`, and how many new messages they send.

    A node that is offline when it is due sends nothing. `shared`: payloads are versions of states, not copies. Where
    the pool would run out of slots the number comes back as -1 and nothing has changed: plan a shorter window.
    """
    nodes = len(due)
    inbox_start, inbox = _inbox(until, nodes, messages)
    sending = np.zeros(nodes, np.bool_)
    needed = 0
    sends = 0
    for u in range(nodes):
        sending[u] = due[u] <= until and online_at(sessions, u, due[u])
        sends += sending[u]
        if not shared:
            needed += sending[u]
            continue
        # A first new version if the current one is in flight, another for what arrives after it was sent.
        early = 0
        late = 0
        for n in range(inbox_start[u], inbox_start[u + 1]):
            if sending[u] and messages.arrive[inbox[n]] > due[u]:
                late = 1
            else:
                early = 1
        needed += late + (early if pool.users[slot[u]] > 0 else 0)
    if needed > pool.free_count[0]:
        sends = -1
        sending[:] = False
        inbox = inbox[:0]
        inbox_start[:] = 0
    total = len(inbox) + max(sends, 0)
    active = np.empty(min(nodes, total), np.int32)
    first = np.zeros(min(nodes, total) + 1, np.int32)
    kind = np.empty(total, np.int8)
    message = np.empty(total, np.int32)
    sender = np.empty(total, np.int32)
    before = np.empty(total, np.int32)
    after = np.empty(total, np.int32)
    q = 0
    e = 0
    new = 0
    for u in range(nodes):
        to_send = sending[u]
        n = inbox_start[u]
        if n == inbox_start[u + 1] and not to_send:
            continue
        active[q] = u
        while n < inbox_start[u + 1] or to_send:
            here = slot[u]
            before[e] = here
            if to_send and (n == inbox_start[u + 1] or messages.arrive[inbox[n]] > due[u]):
                kind[e] = SEND
                message[e] = new
                sender[e] = u
                after[e] = here if shared else _pop(pool)
                pool.users[after[e]] += 1
                new += 1
                to_send = False
            else:
                kind[e] = RECEIVE
                message[e] = messages.payload[inbox[n]]
                sender[e] = messages.sender[inbox[n]]
                if shared and pool.users[here] > 0:
                    slot[u] = _pop(pool)
                    pool.current[here] = False
                    pool.current[slot[u]] = True
                after[e] = slot[u]
                n += 1
            e += 1
        q += 1
        first[q] = e
    return Events(active[:q], first[: q + 1], kind, message, sender, before, after), sends


@kernel
def settle(
    until: int, events: Events, arrive: Ints, receiver: Slot, messages: Messages, pool: Pool, copies: int
) -> None:
    """After a window: forget what arrived, enter what was sent (receiver -1: lost, or nobody to send to).

    Every send is `copies` messages with the same payload: entries n * copies and so on are those of send n.
    """
    kept = 0
    for m in range(messages.in_flight[0]):
        if messages.arrive[m] <= until:
            _let_go(pool, messages.payload[m])
        else:
            messages.arrive[kept] = messages.arrive[m]
            messages.sender[kept] = messages.sender[m]
            messages.receiver[kept] = messages.receiver[m]
            messages.payload[kept] = messages.payload[m]
            kept += 1
    for e in range(len(events.kind)):
        if events.kind[e] == SEND:
            pool.users[events.after[e]] += copies - 1
            for n in range(events.message[e] * copies, (events.message[e] + 1) * copies):
                if receiver[n] < 0:
                    _let_go(pool, events.after[e])
                    continue
                messages.arrive[kept] = arrive[n]
                messages.sender[kept] = events.sender[e]
                messages.receiver[kept] = receiver[n]
                messages.payload[kept] = events.after[e]
                kept += 1
    messages.in_flight[0] = kept


@kernel
def _inbox(until: int, nodes: int, messages: Messages) -> tuple[Slot, Slot]:
    """The messages that arrive up to `until`, receiver by receiver, each in order of arrival, then of sender."""
    start = np.zeros(nodes + 1, np.int32)
    for m in range(messages.in_flight[0]):
        if messages.arrive[m] <= until:
            start[messages.receiver[m] + 1] += 1
    for u in range(nodes):
        start[u + 1] += start[u]
    inbox = np.empty(start[nodes], np.int32)
    end = start[:nodes].copy()
    for m in range(messages.in_flight[0]):
        if messages.arrive[m] <= until:
            u = messages.receiver[m]
            n = end[u]
            while n > start[u] and _later(messages, inbox[n - 1], m):
                inbox[n] = inbox[n - 1]
                n -= 1
            inbox[n] = m
            end[u] += 1
    return start, inbox


@kernel
def _later(messages: Messages, a: int, b: int) -> bool:
    if messages.arrive[a] != messages.arrive[b]:
        return messages.arrive[a] > messages.arrive[b]  # type: ignore[no-any-return]
    return messages.sender[a] > messages.sender[b]  # type: ignore[no-any-return]


@kernel
def _pop(pool: Pool) -> int:
    pool.free_count[0] -= 1
    return pool.free[pool.free_count[0]]  # type: ignore[no-any-return]


@kernel
def _let_go(pool: Pool, slot: int) -> None:
    pool.users[slot] -= 1
    if pool.users[slot] == 0 and not pool.current[slot]:
        pool.free[pool.free_count[0]] = slot
        pool.free_count[0] += 1
