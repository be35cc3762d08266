"""A ring: whoever sends in a period sends so many places further on as all do in that period.

Strides double from period to period. After log2 N of them what one of N people told is spread evenly over all, where N
is a power of two, and nearly so for other N; then the next pass goes by strides that are the same times a number
without a factor in common with N. Random peers leave 0.71 of the differences between nodes in each period, a ring
about 0.6, as long as what is sent in a period arrives before the next. So all send in the first half of it, and need
clocks that agree to a small part of a period.
"""

from __future__ import annotations

from math import gcd

from tacit.core.compiled.compiling import kernel
from tacit.core.rng import Stream, below

_STREAM = Stream.RING


@kernel
def stride(seed: int, period: int, nodes: int) -> int:
    """How many places further on everybody sends in the period-th period; never a multiple of `nodes` (two or more)."""
    doublings = 0
    while 1 << doublings < nodes:
        doublings += 1
    return (_unit(seed, period // doublings, nodes) << (period % doublings)) % nodes


@kernel
def _unit(seed: int, again: int, nodes: int) -> int:
    """A number below `nodes` without a factor in common with it: steps of it come by all nodes."""
    draw = 0
    while True:
        unit = below(seed, _STREAM, 0, again, draw, nodes)
        if gcd(unit, nodes) == 1:
            return unit
        draw += 1
