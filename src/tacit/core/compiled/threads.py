"""Threads: one compiled loop on all cores, each thread with a range of nodes.

Plain threads are lighter than Numba's own parallel loops, which take several times as long to compile and share one
global pool. They are safe to use from several threads of a program at once. Results cannot depend on the number of
threads: a kernel gets a range of nodes, and each node's arithmetic touches that node's data only.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

from tacit.core.errors import BadInput


class Workers:
    """A pool of threads that share out ranges.

    >>> workers = Workers(2)
    >>> workers.run(lambda low, high: None, 10)
    """

    def __init__(self, threads: int | None = None) -> None:
        if threads is not None and (not isinstance(threads, int) or threads < 1):
            raise BadInput("threads", got=repr(threads), allowed="a whole number from 1")
        self.threads = threads or _cores()
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None

    def __reduce__(self) -> tuple[type[Workers], tuple[int]]:
        """A copy, in this process or another, has threads of its own."""
        return Workers, (self.threads,)

    def run(self, kernel: Callable[..., None], count: int, *args: Any, first: int = 0) -> None:
        """Call `kernel(low, high, *args)` for ranges that cover first .. first + count, and wait for all of them."""
        parts = min(self.threads, count)
        if self._pool is None or parts < 2:
            if count:
                kernel(first, first + count, *args)
            return
        cuts = [first + count * n // parts for n in range(parts + 1)]
        others = [self._pool.submit(kernel, a, b, *args) for a, b in pairwise(cuts[1:])]
        kernel(cuts[0], cuts[1], *args)
        for other in others:
            other.result()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
