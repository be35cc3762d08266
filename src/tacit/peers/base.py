"""What a sampler is: which of its online peers a node sends to.

A sampler module holds a frozen dataclass under the name `sampler`: its `pick` is a compiled function that gets, beside
who asks and when, one number of the sampler's own, `shape`. See `uniform.py`, the shortest example.
"""

from __future__ import annotations

from typing import ClassVar, Protocol


class Pick(Protocol):
    """The compiled function: a place among `candidates` online peers, which stand in ascending order."""

    def __call__(self, seed: int, node: int, event: int, candidates: int, shape: float) -> int:
        """Whom `node` sends to at its event-th wake."""
        ...


class Sampler(Protocol):
    """A sampler with its parameters."""

    name: ClassVar[str]

    @property
    def pick(self) -> Pick:
        """The compiled function."""
        ...

    @property
    def shape(self) -> float:
        """The number that `pick` gets beside who asks and when."""
        ...
