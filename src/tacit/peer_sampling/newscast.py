"""Newscast (Jelasity et al. 2003), live peer sampling: two nodes merge their views and keep the freshest descriptors.

A view is a few descriptors, each with an age: how many exchanges ago its owner was known to be there. So views stay
random samples of the nodes that are online. Descriptors of nodes that left grow old and drop out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tacit.core.rng import Stream, uniform


@dataclass(frozen=True, slots=True)
class Descriptor:
    """A peer as passed on."""

    id: str
    addresses: tuple[str, ...]
    age: int


def merge_views(
    mine: Iterable[Descriptor], theirs: Iterable[Descriptor], me: str, size: int, draws: tuple[int, int]
) -> list[Descriptor]:
    """The `size` freshest of both views, each peer once and never oneself; equally fresh ones in random order.

    Everything received has made one step more. `draws` = (seed, event).
    """
    seed, event = draws
    best: dict[str, Descriptor] = {}
    for one in [*mine, *(replace(other, age=other.age + 1) for other in theirs)]:
        if one.id != me and (one.id not in best or one.age < best[one.id].age):
            best[one.id] = one
    names = sorted(best)
    luck = {name: uniform(seed, Stream.LIVE_VIEW, 0, event, n) for n, name in enumerate(names)}
    return sorted(best.values(), key=lambda one: (one.age, luck[one.id]))[:size]


def older(view: Iterable[Descriptor]) -> list[Descriptor]:
    """A view after one more exchange without news."""
    return [replace(one, age=one.age + 1) for one in view]
