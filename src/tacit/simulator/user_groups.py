"""The users that an agent learns for: an agent holds one user (gossip), all of them (a server), or a cluster."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints


class UserGroups(NamedTuple):
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


def alone(users: int) -> UserGroups:
    """Everybody is their own agent."""
    return UserGroups(np.arange(users + 1), np.arange(users, dtype=np.int32))


def together(users: int) -> UserGroups:
    """One agent holds everybody."""
    return UserGroups(np.array([0, users]), np.arange(users, dtype=np.int32))
