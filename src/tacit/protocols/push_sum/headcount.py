"""How many people there are, counted by gossip: everybody draws some random numbers, and the largest of each spread.

The largest of N Gumbel numbers is log N larger on average than one. No node has to differ from the others, and a
message that is lost or comes twice does no harm. With 64 numbers the standard error is 1/sqrt(62) of N, 13 %.
"""

from __future__ import annotations

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.message.half_precision import Singles, narrow, widen
from tacit.core.rng import Stream, uniform

HEADS = 64
"""Numbers each person draws."""
NOBODY = np.float32(-100.0)
"""What stands for somebody who does not count."""
_STREAM = Stream.HEADCOUNT


@kernel
def draw_heads(seed: int, number: int, epoch: int, heads: Singles) -> None:
    """One person's numbers, rounded as they travel."""
    words = np.empty(len(heads), np.uint16)
    for h in range(len(heads)):
        # Never 0 or 1: both logarithms stay finite.
        draw = uniform(seed, _STREAM, number, epoch, h) * (1 - 1e-12) + 5e-13
        heads[h] = -np.log(-np.log(draw))
    narrow(heads, words)
    widen(words, heads)


@kernel
def headcount(heads: Singles) -> float:
    """How many people's numbers these are the largest of."""
    total = 0.0
    for h in range(len(heads)):
        total += np.exp(-np.float64(heads[h]))
    return max(1.0, (len(heads) - 1) / total)
