"""Noise that hides one person's part and cancels in the sum: of two partners with a secret one adds, one subtracts it.

A flat row of sums ends with check coordinates and the weight. Everybody puts 0 into the check coordinates, plus noise:
what is left of them is what is left of noise everywhere. Without masks everybody puts random numbers there, which tell
nothing about them. Sums are mixed when a share that arrives has the same mean of them as one's own sums.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.message.half_precision import Singles
from tacit.core.rng import Stream, philox, uniform

CHECKS = 16
"""Check coordinates."""
FAR = 10.0
"""How far apart sums are of which nothing is known yet."""
_NOISE = Stream.MASK_NOISE
_PROBES = Stream.PROBES
SPAN = np.float64(2.0 * np.sqrt(3.0) / 2**32)
"""Whole numbers of 32 bits times this are uniform with standard deviation 1."""
MIDDLE = np.float64(2**31 - 0.5)
_32 = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@kernel
def mask(
    number: int,
    partner: npt.NDArray[np.int32],
    key: npt.NDArray[np.uint64],
    epoch: int,
    strength: float,
    sums: Singles,
) -> None:
    """Add the noise of a node and its partners to everything but the weight. A partner of -1 is nobody."""
    last = len(sums) - 1
    for c in range(len(partner)):
        if partner[c] < 0:
            continue
        # Both partners scale by how many partners nodes have, even where one has fewer, so that it cancels.
        scale = strength / np.sqrt(np.float64(len(partner))) * SPAN
        if number > partner[c]:
            scale = -scale
        for block in range((last + 3) // 4):
            a, b = philox(key[c], _NOISE, 0, epoch, block)
            at = 4 * block
            sums[at] += scale * (np.float64(a & _LOW) - MIDDLE)
            if at + 1 < last:
                sums[at + 1] += scale * (np.float64(a >> _32) - MIDDLE)
            if at + 2 < last:
                sums[at + 2] += scale * (np.float64(b & _LOW) - MIDDLE)
            if at + 3 < last:
                sums[at + 3] += scale * (np.float64(b >> _32) - MIDDLE)


@kernel
def probe(seed: int, number: int, epoch: int, sums: Singles) -> None:
    """Numbers of one's own with a standard deviation of 1 for the check coordinates, where there are no masks."""
    last = len(sums) - 1
    for c in range(CHECKS):
        draw = uniform(seed, _PROBES, number, epoch, c)
        sums[last - CHECKS + c] = np.sqrt(12.0) * (draw - 0.5)


@kernel
def apart(sums: Singles, share: Singles) -> float:
    """How far a share's check coordinates are from those of one's own sums, both per weight (root of mean square)."""
    last = len(sums) - 1
    if sums[last] <= 0 or share[last] <= 0:
        return FAR
    total = 0.0
    for c in range(last - CHECKS, last):
        mine, theirs = np.float64(sums[c]) / sums[last], np.float64(share[c]) / share[last]
        total += (mine - theirs) ** 2
    return float(np.sqrt(total / CHECKS))


@kernel
def left_of_masks(sums: Singles) -> float:
    """Standard deviation of what is left of noise on every coordinate, per weight."""
    last = len(sums) - 1
    total = 0.0
    for c in range(last - CHECKS, last):
        total += np.float64(sums[c]) ** 2
    return float(np.sqrt(total / CHECKS) / sums[last])
