"""What a sampler is: it picks which of its online peers a node sends to.

A sampler module holds a frozen dataclass under the name `sampler`. Its `pick` is a compiled function. It gets the node
that asks, the time, and one number of the sampler's own, `shape`. See `uniform.py`, the shortest example.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Protocol

Pick = Callable[[int, int, int, int, float], int]
"""The compiled function (seed, node, event, candidates, shape): a place among so many online peers, in ascending order.
`event` counts the node's wakes."""


class NoSuchPeer(IndexError):  # noqa: N818 - reads as what happened
    """A sampler's place that is none of the candidates', with their number."""

    def __str__(self) -> str:
        return "place {} of {} peers".format(*self.args)


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
