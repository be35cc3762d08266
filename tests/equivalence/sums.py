"""Small push-sum networks to try both ways: as one simulation, and as real nodes over a transport in memory."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.models.ials import ImplicitLeastSquares
from tacit.peer_sampling.graphs import Neighbours, k_out
from tacit.protocols.push_sum.mask_partners import pair_up
from tacit.protocols.push_sum.node import PushSumNode, PushSumRules
from tacit.protocols.push_sum.simulation import Conduct, PushSumSimulation
from tacit.simulator.churn.sessions import Sessions, always
from tacit.simulator.simulation import Scenario
from tacit.testing.memory_sums import MemorySums
from tests.equivalence.networks import FULL, ratings, sessions

SEED = 7


@dataclass(frozen=True)
class Sums:
    """Everything that says what a network will do."""

    users: int = 24
    items: int = 15
    conduct: Conduct = field(default_factory=lambda: Conduct(turns=8))
    churn: bool = False
    everybody: bool = True
    model: ImplicitLeastSquares = ImplicitLeastSquares(k=3, w0=0.1, reg=0.3)  # noqa: RUF009 - frozen
    online: Sessions | None = None

    @property
    def train(self) -> Interactions:
        return ratings(self.users, self.items)

    @property
    def sessions(self) -> Sessions:
        if self.online is not None:
            return self.online
        return sessions(self.users) if self.churn else always()

    @property
    def graph(self) -> Neighbours:
        return np.empty((self.users, 0), np.int32) if self.everybody else k_out(self.users, 5, SEED)

    def but(self, **changes: float) -> Sums:
        """The same network with other manners."""
        return replace(self, conduct=replace(self.conduct, **changes))

    def simulation(self, threads: int = 1) -> PushSumSimulation:
        setting = Scenario(
            self.model, self.train, SEED, self.sessions, full_seconds=FULL, workers=Workers(threads)
        )
        return PushSumSimulation(setting, self.graph, self.conduct)

    def host(self) -> MemorySums:
        c, train, graph = self.conduct, self.train, self.graph
        period = self.simulation().period
        agreed = PushSumRules(self.model, c.rules(SEED, period), period, c.speeds, c.staggered)
        partner, secret = pair_up(self.users, c.partners if c.masks > 0 else 0, SEED)
        nodes = []
        for u in range(self.users):
            known = [n for n in range(self.users) if n != u] if self.everybody else graph[u].tolist()
            nodes.append(PushSumNode(u, agreed, self.items, *train.of(u), known, partner[u], secret[u]))
        return MemorySums(nodes, self.sessions, period // 2, c.loss)


def total(simulation: PushSumSimulation, epoch: int) -> np.ndarray:
    """The sum of everything that is held, on its way, or waits to be sent again, in one epoch."""
    from tacit.protocols.push_sum.state import EPOCH, PEER, SENT_EPOCH

    book, flights = simulation.book, simulation.flights
    inside = book.clock[:, EPOCH] == epoch
    whole = book.sums[inside].astype(np.float64).sum(axis=0)
    on_way = (flights.arrive >= 0) & flights.fresh
    waiting = (book.clock[:, PEER] >= 0) & ~flights.delivered
    away = (on_way | waiting) & (book.clock[:, SENT_EPOCH] == epoch)
    return whole + book.words[away].view(np.float16).astype(np.float64).sum(axis=0)
