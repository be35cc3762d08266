"""Shares that arrive once: acknowledged, sent again until then, and added only the first time.

A draw from (seed, sender, its wake) decides whether a transmission is lost. So the simulator knows it at once, and a
transport with the same draws loses the same messages.
"""

from __future__ import annotations

from tacit.core.compiled.compiling import kernel
from tacit.core.rng import Stream, uniform

_LOSS = Stream.LOSS
ACK_BYTES = 8
"""An acknowledgement: the number of the share."""
SHARE, ACK, QUESTION, ANSWER = range(4)


@kernel
def lost(seed: int, sender: int, event: int, which: int, loss: float) -> bool:
    """Whether the network loses what `sender` sends at its event-th wake, or (which = ACK) the answer to it.

    A question to a partner may go at the same wake: `which` keeps the two apart.
    """
    return loss > 0 and uniform(seed, _LOSS, sender, event, which) < loss
