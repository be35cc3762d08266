"""Shares that arrive once: acknowledged, sent again until then, and added only the first time.

What becomes of a transmission is a draw from (seed, sender, its wake), so that a simulator can know at once and a
transport made of it loses the same ones.
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
