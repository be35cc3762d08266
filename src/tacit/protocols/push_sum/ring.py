"""A ring: all nodes that send in a period send the same number of places further on.

Strides double from period to period. After log2 N periods the part of one of N people is spread evenly over all. That
is exact if N is a power of two, and nearly so for other N. The next pass multiplies the strides by a number that
shares no factor with N. Random peers leave 0.71 of the differences between nodes in each period. A ring leaves about
0.6, if what is sent in a period arrives before the next. So all send in the first half of it, and need clocks that
agree to a small part of a period.
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
