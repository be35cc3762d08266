"""The order in which a simulation merges: any that respects who reads what, chosen to keep models in the cache.

Which node sends which version to whom, and when, never depends on a model. So the merges of several periods are known
before any arithmetic (`Merges`). Any order that makes a version before reading it gives the same bits. A version has
about two readers: its owner and its receiver. The order here (`arrange`) runs them back to back and writes the result
over a version that nobody reads any more. That halves the memory traffic and keeps few versions alive.

Threads take turns in one order. Each runs its own part (`Turns`) and waits only for what it needs (`make_take_turns`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.instructions import give_way, load_acquire, store_release
from tacit.core.interactions import Ints

Slot = npt.NDArray[np.int32]
_LINE = 16
"""Counters of different threads are this many numbers apart, so that they share no cache line."""
_SPINS, _PATIENCE = 2_000, 20_000
"""How often a waiting thread looks before it offers its core to others, and how often before it gives up."""


class Merges(NamedTuple):
    """What happens, in order of time: `node` merges version `theirs` of `sender` into version `own`, at `at`.

    Versions 0 .. S are the slots in use; merge e makes version S + e.
    """

    at: Ints
    node: Slot
    sender: Slot
    own: Slot
    theirs: Slot


class Turns(NamedTuple):
    """Merges in the order they run: those of thread k are `mine[first[k]:first[k+1]]`, and each knows its slots."""

    merge: Slot
    own: Slot
    theirs: Slot
    to: Slot
    need: Slot
    """How many merges of each thread must be done before: one row per merge."""
    mine: Slot
    first: Ints


@kernel
def in_cache_order(merges: Merges, slots: int, kept: npt.NDArray[np.bool_], ahead: int, threads: int) -> Slot:
    """Positions in `merges`, in the order to run them; the n-th is thread n % threads' next.

    Candidates are the merges that can run and are at most `ahead` later than the earliest open one. First come those
    after which two versions are dead, then those after which one is, of what was touched just now, else the earliest.
    This takes constant time per merge.
    """
    count = len(merges.own)
    versions = slots + count
    uses = np.zeros(versions, np.int32)
    for e in range(count):
        uses[merges.own[e]] += 1
        uses[merges.theirs[e]] += 1
    start = np.zeros(versions + 1, np.int64)
    for v in range(versions):
        start[v + 1] = start[v] + uses[v]
    end = start[:versions].copy()
    readers = np.empty(start[versions], np.int32)
    for e in range(count):
        for v in (merges.own[e], merges.theirs[e]):
            readers[end[v]] = e
            end[v] += 1
    made = np.zeros(versions, np.bool_)
    made[:slots] = True
    done = np.zeros(count, np.bool_)
    # How many versions are dead after a merge.
    kills = np.zeros(count, np.int8)
    for v in range(versions):
        if uses[v] == 1 and not kept[v]:
            kills[readers[start[v]]] += 1
    # A merge is put on a stack again when its kills grow; what is stale is passed over.
    stack = np.empty((threads, 3, 4 * count), np.int32)
    top = np.zeros((threads, 3), np.int64)
    order = np.empty(count, np.int32)
    earliest = 0
    admitted = 0
    for n in range(count):
        k = n % threads
        while done[earliest]:
            earliest += 1
        limit = merges.at[earliest] + ahead
        while admitted < count and merges.at[admitted] <= limit:
            c = min(kills[admitted], 2)
            ready = made[merges.own[admitted]] and made[merges.theirs[admitted]]
            if c > 0 and ready and not done[admitted]:
                stack[k, c, top[k, c]] = admitted
                top[k, c] += 1
            admitted += 1
        e = -1
        for c in (2, 1):
            while e < 0 and top[k, c] > 0:
                top[k, c] -= 1
                x = stack[k, c, top[k, c]]
                if not done[x] and min(kills[x], 2) == c:
                    e = x
        if e < 0:
            e = earliest
        done[e] = True
        made[slots + e] = True
        order[n] = e
        # Readers of what was made, then of what was read: the last one pushed is taken first.
        for j in range(3):
            v = slots + e if j == 0 else (merges.theirs[e] if j == 1 else merges.own[e])
            if j > 0:
                uses[v] -= 1
                if uses[v] != 1 or kept[v]:
                    continue
            for q in range(start[v], start[v + 1]):
                r = readers[q]
                if done[r]:
                    continue
                if j > 0:
                    kills[r] += 1
                if r < admitted and kills[r] > 0 and made[merges.own[r]] and made[merges.theirs[r]]:
                    c = min(kills[r], 2)
                    stack[k, c, top[k, c]] = r
                    top[k, c] += 1
    return order


@kernel
def _giver(mine: int, free: npt.NDArray[np.int32], left: Ints, touched: int) -> int:
    """Whose last free slot is taken: one's own, or another's where no own one is below `touched`. Some are left."""
    giver = mine
    for k in range(len(left)):
        spent = left[giver] == 0 or free[giver, left[giver] - 1] >= touched
        if left[k] > 0 and spent and (left[giver] == 0 or free[k, left[k] - 1] < touched):
            giver = k
    return giver


@kernel
def arrange(
    merges: Merges, slots: int, kept: npt.NDArray[np.bool_], order: Slot, threads: int, slot: Slot
) -> tuple[Turns, bool]:
    """Slots for what is made, and what each merge must wait for. False: there are too few slots.

    `slot` (one entry per version) has the slots of versions that are there and gets those of new ones. A result goes
    over a version that nobody reads any more, else into the slot that was freed last.
    """
    count = len(order)
    versions = slots + count
    uses = np.zeros(versions, np.int32)
    for e in range(count):
        uses[merges.own[e]] += 1
        uses[merges.theirs[e]] += 1
    # Each thread takes what it freed itself: for another's it may have to wait. But it does so before it takes a slot
    # that nobody has touched yet, because that costs memory.
    free = np.empty((threads, slots), np.int32)
    left = np.zeros(threads, np.int64)
    touched = 0
    for s in range(slots - 1, -1, -1):
        if uses[s] == 0 and not kept[s]:
            free[s % threads, left[s % threads]] = s
            left[s % threads] += 1
        else:
            touched = max(touched, s + 1)
    own = np.empty(count, np.int32)
    theirs = np.empty(count, np.int32)
    to = np.empty(count, np.int32)
    need = np.zeros((count, threads), np.int32)
    wrote = np.zeros((slots, threads), np.int32)
    read = np.zeros((slots, threads), np.int32)
    done = np.zeros(threads, np.int32)
    for n in range(count):
        k = n % threads
        e = order[n]
        a, b = merges.own[e], merges.theirs[e]
        own[n], theirs[n] = slot[a], slot[b]
        uses[a] -= 1
        uses[b] -= 1
        a_dies = uses[a] == 0 and not kept[a]
        b_dies = uses[b] == 0 and not kept[b]
        if a_dies:
            here = own[n]
            if b_dies and a != b:
                free[k, left[k]] = theirs[n]
                left[k] += 1
        elif b_dies:
            here = theirs[n]
        elif left.sum() > 0:
            giver = _giver(k, free, left, touched)
            left[giver] -= 1
            here = free[giver, left[giver]]
            touched = max(touched, here + 1)
        else:
            return Turns(order, own, theirs, to, need, order, np.zeros(threads + 1, np.int64)), False
        to[n] = here
        for j in range(threads):
            if j != k:
                before = max(wrote[own[n], j], wrote[theirs[n], j])
                need[n, j] = max(before, wrote[here, j], read[here, j])
        done[k] += 1
        read[own[n], k] = done[k]
        read[theirs[n], k] = done[k]
        wrote[here, k] = done[k]
        slot[slots + e] = here
        if uses[slots + e] == 0 and not kept[slots + e]:
            free[k, left[k]] = here
            left[k] += 1
    mine = np.empty(count, np.int32)
    first = np.zeros(threads + 1, np.int64)
    at = 0
    for k in range(threads):
        for n in range(k, count, threads):
            mine[at] = n
            at += 1
        first[k + 1] = at
    return Turns(order, own, theirs, to, need, mine, first), True


@kernel
def moved(turns: Turns, slots: int, room: int) -> int:
    """How many models pass between memory and a cache of `room` models per thread: read, made room for, written back.

    A cache that lets go of what was not used for longest.
    """
    count = 0
    for k in range(len(turns.first) - 1):
        held = np.full(room, -1, np.int32)
        dirty = np.zeros(slots, np.bool_)
        for n in turns.mine[turns.first[k] : turns.first[k + 1]]:
            for s in (turns.own[n], turns.theirs[n], turns.to[n]):
                place = 0
                while place < room - 1 and held[place] != s:
                    place += 1
                if held[place] != s:
                    count += 1
                    if held[place] >= 0 and dirty[held[place]]:
                        count += 1
                        dirty[held[place]] = False
                for q in range(place, 0, -1):
                    held[q] = held[q - 1]
                held[0] = s
            dirty[turns.to[n]] = True
    return count


def new_progress(threads: int) -> Ints:
    """How many merges each thread has done: none."""
    return np.zeros(threads * _LINE, np.int64)


def all_done(progress: Ints, turns: Turns) -> bool:
    """Whether every thread has run its part."""
    return bool((progress[::_LINE] == np.diff(turns.first)).all())


@cache
def make_take_turns(receive: Callable[..., None]) -> Callable[..., None]:
    """The kernel by which threads run their parts; `receive` merges one model and learns."""

    @kernel
    def take_turns(
        low: int,
        high: int,
        merges: Merges,
        turns: Turns,
        progress: Ints,
        nodes: Any,
        numbers: Any,
        hyper: Any,
        more: Any,
    ) -> None:
        """Go on with the parts of threads low .. high, each until it is done or has waited in vain: call again then."""
        threads = turns.need.shape[1]
        for k in range(low, high):
            n = progress[k * _LINE]
            ready = True
            while ready and turns.first[k] + n < turns.first[k + 1]:
                e = turns.mine[turns.first[k] + n]
                for j in range(threads):
                    waits = 0
                    while ready and j != k and load_acquire(progress, j * _LINE) < turns.need[e, j]:
                        waits += 1
                        if waits > _SPINS:
                            give_way()
                        ready = waits < _PATIENCE
                if ready:
                    merge = turns.merge[e]
                    u = merges.node[merge]
                    receive(
                        u, turns.own[e], turns.to[e], turns.theirs[e], merges.sender[merge], nodes, numbers, hyper, more
                    )  # fmt: skip
                    nodes.rounds[u] += 1
                    n += 1
                    store_release(progress, k * _LINE, n)

    return take_turns
