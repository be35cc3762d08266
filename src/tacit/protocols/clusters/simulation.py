"""Clusters between gossip and a server: agents that learn for several users gossip with each other.

*Shared-data* clusters: users send their agent all of their ratings once. *Federated* clusters: nobody sends ratings; an
agent learns by a federated round among its users. The gossip is `GossipSimulation`'s; here is what is sent inside the
clusters, on top of what agents send each other.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from tacit.core.message import codec
from tacit.core.rng import Stream, permutation
from tacit.core.traffic import BYTES_A_RATING, Traffic
from tacit.merges.base import Merge
from tacit.models.training import Average
from tacit.peer_sampling.graphs import Neighbours
from tacit.protocols.gossip.simulation import GossipSimulation
from tacit.simulator.simulation import Scenario
from tacit.simulator.user_groups import UserGroups


class ClusterSimulation(GossipSimulation):
    """A gossip network of clusters."""

    def __init__(
        self,
        scenario: Scenario,
        merge: Merge,
        graph: Neighbours,
        groups: UserGroups,
        *,
        federated: Average | None = None,
        **more: Any,
    ) -> None:
        """`more`: further arguments of `GossipSimulation`."""
        super().__init__(scenario, merge, graph, groups=groups, federated=federated, **more)
        self._federated = federated
        model, size = scenario.model, np.dtype(scenario.dtype).itemsize
        self._whole = codec.encoded_size(
            scenario.train.items, model.row_width, model.dense_size, sparse=False, itemsize=size
        )

    @property
    def traffic(self) -> Traffic:  # type: ignore[override]
        """What every user's own device sent: their ratings once, or a difference each round.

        A user alone in a cluster is the agent. What agents of several users send is in `bytes`, in nobody's traffic.
        """
        alone = self._users.sizes[self._agent] == 1
        counts, sent = self._scenario.train.counts, self._sent
        if self._federated:
            rounds = self._rounds[self._agent]
            inside = Traffic(
                rounds, rounds * self._scenario.train.items, rounds * counts, rounds * self._whole
            )
        else:
            inside = Traffic((counts > 0).astype(np.int64), counts, counts, counts * BYTES_A_RATING)
        return Traffic(
            *(
                np.where(alone, getattr(sent, name)[self._agent], getattr(inside, name))
                for name in ("updates", "rows", "rows_rated", "bytes")
            )
        )

    @property
    def messages(self) -> int:
        """Those between agents and those inside clusters."""
        return int(self._sent.updates.sum()) + self._inside(self.traffic.updates) + self._downloads

    @property
    def bytes(self) -> int:
        """Between agents and inside clusters."""
        return int(self._sent.bytes.sum()) + self._inside(self.traffic.bytes) + self._downloads * self._whole

    @property
    def _downloads(self) -> int:
        """Models that agents sent to their users for federated rounds."""
        sizes = self._users.sizes
        return int((self._rounds * sizes)[sizes > 1].sum()) if self._federated else 0

    def _inside(self, each: np.ndarray) -> int:
        return int(each[self._users.sizes[self._agent] > 1].sum())


def deal(users: int, size: int, seed: int) -> UserGroups:
    """Deal users at random, and as evenly as possible, into as few clusters of at most `size` as possible.

    Clusters are numbered by their lowest user: in clusters of one everybody is their own agent, number by number.
    """
    count = -(-users // size)
    order = permutation(seed, Stream.CLUSTERS, 0, 0, users)
    cuts = [users * n // count for n in range(count + 1)]
    groups = sorted((np.sort(order[a:b]) for a, b in pairwise(cuts)), key=lambda g: g[0])
    first = np.concatenate(([0], np.cumsum([len(g) for g in groups])))
    return UserGroups(first.astype(np.int64), np.concatenate(groups).astype(np.int32))
