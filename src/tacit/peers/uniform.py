"""Uniform peer sampling: any known peer that is online, each equally likely."""

from __future__ import annotations

from tacit.core.compiling import kernel
from tacit.core.rng import Stream, below

_STREAM = Stream.PEERS


@kernel
def pick(seed: int, node: int, event: int, candidates: int) -> int:
    """Which of its `candidates` online peers, in ascending order, a node sends to at its event-th wake."""
    return below(seed, _STREAM, node, event, 0, candidates)
