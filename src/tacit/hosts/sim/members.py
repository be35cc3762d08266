"""Who learns for whom: an agent holds one user (gossip), all of them (a server), or a cluster."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints
from tacit.core.rng import Stream, permutation


class Members(NamedTuple):
    """Agent a holds the users user[first[a]:first[a+1]], ascending."""

    first: Ints
    user: npt.NDArray[np.int32]

    @property
    def agents(self) -> int:
        """How many agents there are."""
        return len(self.first) - 1

    @property
    def sizes(self) -> Ints:
        """How many users each agent holds."""
        return np.diff(self.first)

    @property
    def agent(self) -> npt.NDArray[np.int32]:
        """Every user's agent."""
        table = np.empty(len(self.user), np.int32)
        table[self.user] = np.repeat(np.arange(self.agents, dtype=np.int32), self.sizes)
        return table


def alone(users: int) -> Members:
    """Everybody is their own agent."""
    return Members(np.arange(users + 1), np.arange(users, dtype=np.int32))


def together(users: int) -> Members:
    """One agent holds everybody."""
    return Members(np.array([0, users]), np.arange(users, dtype=np.int32))


def deal(users: int, size: int, seed: int) -> Members:
    """As few clusters as keep each at `size` users or fewer, dealt at random, as even as can be.

    Clusters are numbered by their lowest user: in clusters of one everybody is their own agent, number by number.
    """
    count = -(-users // size)
    order = permutation(seed, Stream.CLUSTERS, 0, 0, users)
    cuts = [users * n // count for n in range(count + 1)]
    groups = sorted((np.sort(order[a:b]) for a, b in pairwise(cuts)), key=lambda g: g[0])
    first = np.concatenate(([0], np.cumsum([len(g) for g in groups])))
    return Members(first.astype(np.int64), np.concatenate(groups).astype(np.int32))
