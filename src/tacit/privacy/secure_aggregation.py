"""A stand-in for secure aggregation: each vector is masked, the masks cancel in the sum, only the sum can be read.

As in Bonawitz et al. (2017), numbers are whole (fixed point) and masks are added modulo 2^64: a masked vector is
uniform whatever it hides, and the sum is exact. Members stand in a ring and share a mask with the next few on either
side (Bell et al. 2020: a few partners do for many members). Two things are missing, and make this a stand-in.
There is no agreement on keys: both ends of a pair derive their mask from the run's seed. There is no recovery from
members who drop out.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints
from tacit.core.rng import Stream, philox

_STREAM = Stream.MASKS
_REACH = 2
"""Partners on either side of the ring."""
_UNIT = 2.0**24
"""Steps of the fixed point a unit: finer than the numbers summed, and sums up to 2^39 fit."""

Doubles = npt.NDArray[np.float64]
Masked = npt.NDArray[np.uint64]


@kernel
def mask(
    seed: int, group: int, place: int, members: int, numbers: Doubles, counts: Ints, out: Masked
) -> None:
    """What member `place` of a group sends: out[0] hides `numbers`, out[1] hides `counts`."""
    for i in range(len(numbers)):
        out[0, i] = np.uint64(np.int64(np.round(numbers[i] * _UNIT)))
        out[1, i] = np.uint64(counts[i])
    for step in range(1, min(_REACH, members - 1) + 1):
        _add_pair(seed, group, place, (place + step) % members, step, True, out)
        _add_pair(seed, group, (place - step) % members, place, step, False, out)


@kernel
def _add_pair(seed: int, group: int, low: int, high: int, step: int, plus: bool, out: Masked) -> None:
    """The mask of one pair: one end adds it, the other takes it away."""
    for i in range(out.shape[1]):
        a, b = philox(seed, _STREAM, low, group * (_REACH + 1) + step, i)
        if plus:
            out[0, i] += a
            out[1, i] += b
        else:
            out[0, i] -= a
            out[1, i] -= b


@kernel
def unmask(total: Masked, numbers: Doubles, counts: Ints) -> None:
    """The sums behind a total over all members."""
    for i in range(total.shape[1]):
        numbers[i] = np.float64(np.int64(total[0, i])) / _UNIT
        counts[i] = np.int64(total[1, i])
