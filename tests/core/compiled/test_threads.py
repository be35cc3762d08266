"""Ranges cover everything exactly once, whatever the number of threads."""

from __future__ import annotations

import pickle
from copy import deepcopy
from threading import Lock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.compiled.threads import Workers

CREWS = {threads: Workers(threads) for threads in (1, 2, 3, 7)}


@given(st.sampled_from(sorted(CREWS)), st.integers(0, 50))
def test_ranges_cover_everything_once(threads: int, count: int) -> None:
    seen = np.zeros(count, int)
    ranges: list[tuple[int, int]] = []
    lock = Lock()

    def kernel(low: int, high: int, out: np.ndarray) -> None:
        with lock:
            ranges.append((low, high))
        out[low:high] += 1

    CREWS[threads].run(kernel, count, seen)
    assert seen.tolist() == [1] * count
    assert len(ranges) == min(threads, count)
    assert all(low < high for low, high in ranges)


def test_an_error_in_any_part_is_not_swallowed() -> None:
    def kernel(low: int, high: int) -> None:
        if high == 10:
            raise ValueError("part")

    with pytest.raises(ValueError, match="part"):
        CREWS[3].run(kernel, 10)


def test_a_copy_has_threads_of_its_own() -> None:
    for copy in (deepcopy(CREWS[3]), pickle.loads(pickle.dumps(CREWS[3]))):
        seen = np.zeros(10, int)
        copy.run(lambda low, high, seen=seen: seen[low:high].fill(1), 10)
        assert copy.threads == 3
        assert seen.all()


def test_as_many_threads_as_cores_unless_told() -> None:
    assert Workers().threads >= 1


@pytest.mark.parametrize("threads", [1, 3])
def test_ranges_may_begin_later(threads: int) -> None:
    seen = np.zeros(10, int)

    def kernel(low: int, high: int, out: np.ndarray) -> None:
        out[low:high] += 1

    CREWS[threads].run(kernel, 5, seen, first=3)
    assert seen.tolist() == [0, 0, 0, 1, 1, 1, 1, 1, 0, 0]
