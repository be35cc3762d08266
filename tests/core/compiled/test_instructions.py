"""Instructions that Numba has no name for."""

from __future__ import annotations

import threading

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.instructions import give_way, load_acquire, lowest_bit, store_release, touch


@kernel
def lowest(word):  # type: ignore[no-untyped-def]
    return lowest_bit(word)


@kernel
def touch_all(rows):  # type: ignore[no-untyped-def]
    for n in range(rows.size):
        touch(rows, n)


@kernel
def hand_over(me, counters, numbers):  # type: ignore[no-untyped-def]
    """Two threads count in turns, and each adds to a number that is not atomic."""
    for n in range(len(numbers)):
        while load_acquire(counters, 0) != 2 * n + me:
            pass
        numbers[n] += 1
        store_release(counters, 0, 2 * n + me + 1)


def test_the_lowest_bit_is_found() -> None:
    assert [lowest(np.uint64(1 << n | 1 << 63)) for n in range(64)] == list(range(64))


def test_touching_changes_nothing() -> None:
    for kind in (np.float32, np.float64, np.uint16):
        rows = np.arange(6).reshape(2, 3).astype(kind)
        touch_all(rows)
        assert (rows == np.arange(6).reshape(2, 3)).all()


def test_what_was_written_before_a_release_is_seen_after_it() -> None:
    counters, numbers = np.zeros(1, np.int64), np.zeros(200, np.int64)
    hand_over(0, counters, numbers[:0])  # compiled before two threads wait for each other
    threads = [threading.Thread(target=hand_over, args=(me, counters, numbers)) for me in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (numbers == 2).all()


@kernel
def wait_for(counters, times):  # type: ignore[no-untyped-def]
    """Give way until the other thread has counted so far."""
    while load_acquire(counters, 0) < times:
        give_way()
    return load_acquire(counters, 0)


def test_a_thread_that_gives_way_sees_what_another_does() -> None:
    counters = np.zeros(1, np.int64)
    assert wait_for(counters, 0) == 0  # compiled before anybody waits
    waiting = threading.Thread(target=wait_for, args=(counters, 1))
    waiting.start()
    counters[0] = 1
    waiting.join(60)
    assert not waiting.is_alive()
