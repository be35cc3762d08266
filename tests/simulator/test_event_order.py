"""The order of merges: a version is made before it is read, and nothing that is still read is overwritten."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.simulator.event_order import Merges, arrange, in_cache_order


def random_merges(nodes: int, count: int, seed: int) -> tuple[Merges, np.ndarray, int]:
    """`count` merges of `nodes` nodes: each merges a version that some node had a while ago."""
    rng = np.random.default_rng(seed)
    slots = 2 * nodes + 2
    current = list(range(nodes))
    seen = [list(current)]
    own, theirs, node, sender = [], [], [], []
    for e in range(count):
        u, v = rng.choice(nodes, 2, replace=False)
        own.append(current[u])
        theirs.append(seen[max(0, len(seen) - 1 - int(rng.integers(0, nodes)))][v])
        node.append(u)
        sender.append(v)
        current[u] = slots + e
        seen.append(list(current))
    kept = np.zeros(slots + count, np.bool_)
    kept[current] = True
    ints = (np.array(x, np.int32) for x in (node, sender, own, theirs))
    return Merges(np.arange(count, dtype=np.int64), *ints), kept, slots


def results(merges: Merges, slots: int, turns) -> dict[int, tuple[int, int]]:  # type: ignore[no-untyped-def]
    """Which two versions each merge found in its slots. Merge e makes version slots + e, and each is made once."""
    content = {s: s for s in range(slots)}
    read = {}
    for n, e in enumerate(turns.merge):
        read[int(e)] = content[int(turns.own[n])], content[int(turns.theirs[n])]
        content[int(turns.to[n])] = slots + int(e)
    return read


def by_time(merges: Merges) -> dict[int, tuple[int, int]]:
    """Which two versions each merge is to find."""
    return {
        e: (int(own), int(theirs))
        for e, (own, theirs) in enumerate(zip(merges.own, merges.theirs, strict=True))
    }


@given(
    nodes=st.integers(2, 9), count=st.integers(0, 60), ahead=st.integers(0, 40), threads=st.integers(1, 3),
    seed=st.integers(0, 999),
)  # fmt: skip
@settings(deadline=None, max_examples=150)
def test_every_order_gives_what_time_gives(
    nodes: int, count: int, ahead: int, threads: int, seed: int
) -> None:
    merges, kept, slots = random_merges(nodes, count, seed)
    order = in_cache_order(merges, slots, kept, ahead, threads)
    assert sorted(order) == list(range(count))
    slot = np.concatenate((np.arange(slots, dtype=np.int32), np.full(count, -1, np.int32)))
    turns, fits = arrange(merges, slots, kept, order, threads, slot)
    if not fits:
        return
    assert results(merges, slots, turns) == by_time(merges)
    # Each thread's part keeps the order, and what a merge waits for comes before it.
    for k in range(threads):
        mine = turns.mine[turns.first[k] : turns.first[k + 1]]
        assert list(mine) == list(range(k, count, threads))
    for n in range(count):
        for j in range(threads):
            assert turns.need[n, j] <= len(range(j, n, threads))


@pytest.mark.parametrize("threads", [2, 3])
def test_a_merge_waits_for_every_merge_of_other_threads_that_touches_its_slots(threads: int) -> None:
    merges, kept, slots = random_merges(6, 80, 5)
    order = in_cache_order(merges, slots, kept, 10, threads)
    slot = np.concatenate((np.arange(slots, dtype=np.int32), np.full(80, -1, np.int32)))
    turns, fits = arrange(merges, slots, kept, order, threads, slot)
    assert fits
    waited = 0
    for n in range(80):
        for m in range(n):
            if m % threads == n % threads:
                continue
            reads = {turns.own[n], turns.theirs[n]} & {turns.to[m]}
            writes = {turns.to[n]} & {turns.to[m], turns.own[m], turns.theirs[m]}
            if reads or writes:
                assert turns.need[n, m % threads] > m // threads
                waited += 1
    assert waited > 0


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_no_new_slot_is_touched_while_one_of_those_below_is_free(threads: int) -> None:
    merges, kept, slots = random_merges(9, 200, 7)
    order = in_cache_order(merges, slots, kept, 10, threads)
    slot = np.concatenate((np.arange(slots, dtype=np.int32), np.full(200, -1, np.int32)))
    turns, fits = arrange(merges, slots, kept, order, threads, slot)
    assert fits
    uses = np.bincount(np.concatenate((merges.own, merges.theirs)), minlength=len(kept))
    holds = {s: s for s in range(slots) if uses[s] > 0 or kept[s]}
    touched, new = max(holds) + 1, 0
    for n, e in enumerate(order):
        for version in (merges.own[e], merges.theirs[e]):
            uses[version] -= 1
        free = [s for s in range(touched) if s not in holds or not (uses[holds[s]] or kept[holds[s]])]
        if turns.to[n] >= touched:
            assert not free
            touched, new = turns.to[n] + 1, new + 1
        holds[int(turns.to[n])] = slots + e
    assert new, "some slot is new"
