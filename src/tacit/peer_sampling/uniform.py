"""Uniform peer sampling: any known peer that is online, each equally likely."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from tacit.core.compiled.compiling import kernel
from tacit.core.rng import Stream, below
from tacit.peer_sampling.base import Pick

_STREAM = Stream.PEERS


@kernel
def pick(seed: int, node: int, event: int, candidates: int, shape: float = 0.0) -> int:
    """Which of its `candidates` online peers, in ascending order, a node sends to at its event-th wake."""
    return below(seed, _STREAM, node, event, 0, candidates)


@dataclass(frozen=True, slots=True)
class Uniform:
    """Each equally likely."""

    name: ClassVar[str] = "uniform"
    shape: ClassVar[float] = 0.0
    pick: Pick = field(default=pick, repr=False)


sampler = Uniform
