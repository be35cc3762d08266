"""Small networks to try both ways: as one simulation, and as real nodes over a transport in memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.message.update import Shield
from tacit.merges.base import Merge
from tacit.models.base import Model
from tacit.models.mf import MatrixFactorization
from tacit.peer_sampling.base import Sampler
from tacit.peer_sampling.graphs import Neighbours, k_out
from tacit.peer_sampling.uniform import Uniform
from tacit.privacy.subsample import Subsample
from tacit.protocols.gossip.node import GossipNode, GossipRules
from tacit.protocols.gossip.simulation import GossipSimulation
from tacit.simulator.churn.sessions import SECOND, Sessions, always
from tacit.simulator.simulation import Scenario, Simulation
from tacit.testing.in_memory_host import MemoryHost

FULL = 600.0
"""Seconds a whole model takes."""


def ratings(users: int, items: int, seed: int = 0) -> Interactions:
    """About a third of all pairs, at least three a user."""
    rng = np.random.default_rng(seed)
    known = rng.random((users, items)) < 0.33
    for user in range(users):
        known[user, rng.choice(items, 3, replace=False)] = True
    user, item = known.nonzero()
    return Interactions.from_pairs(user, item, rng.integers(1, 6, len(user)), users=users, items=items)


def sessions(users: int, seed: int = 0, hours: float = 8.0) -> Sessions:
    """Everybody comes and goes, in sessions from shorter to longer than a transfer."""
    rng = np.random.default_rng(seed)
    first, spans = [0], []
    for _ in range(users):
        t = 0
        while t < hours * 3600 * SECOND:
            begin = t + int(rng.exponential(900) * SECOND) * int(rng.integers(0, 2)) + 1
            t = begin + 1 + int(rng.exponential(2000) * SECOND)
            spans.append((begin, t))
        first.append(len(spans))
    begin_end = np.array(spans, np.int64)
    return Sessions(np.array(first, np.int64), begin_end[:, 0].copy(), begin_end[:, 1].copy())


@dataclass(frozen=True)
class Network:
    """Everything that says what a gossip network will do."""

    merge: Merge
    users: int = 50
    items: int = 20
    share: float = 1.0
    staggered: bool = True
    churn: bool = False
    epochs: int = 1
    degree: int = 5
    model: Model = MatrixFactorization(k=3, eta=0.05)  # noqa: RUF009 - frozen
    sampler: Sampler = Uniform()  # noqa: RUF009 - frozen
    shields: tuple[Shield, ...] = ()
    everybody: bool = False
    """A complete graph, which the simulator does not write out."""

    @property
    def train(self) -> Interactions:
        return ratings(self.users, self.items)

    @property
    def online(self) -> Sessions:
        return sessions(self.users) if self.churn else always()

    @property
    def graph(self) -> Neighbours:
        return np.empty((self.users, 0), np.int32) if self.everybody else k_out(self.users, self.degree, 7)

    def simulation(self, threads: int = 1) -> GossipSimulation:
        setting = Scenario(
            self.model,
            self.train,
            7,
            self.online,
            epochs=self.epochs,
            full_seconds=FULL,
            workers=Workers(threads),
            staggered=self.staggered,
        )
        return GossipSimulation(
            setting, self.merge, self.graph, share=self.share, sampler=self.sampler, shields=self.shields
        )

    def host(self, kind: type[GossipNode] = GossipNode) -> MemoryHost:
        shields = (*((Subsample(self.share),) if self.share < 1 else ()), *self.shields)
        period = self.simulation().period
        rules = GossipRules(
            self.model, self.merge, 7, period, shields, self.epochs, self.staggered, sampler=self.sampler
        )
        train, graph = self.train, self.graph
        nodes = []
        for user in range(self.users):
            known = [n for n in range(self.users) if n != user] if self.everybody else graph[user].tolist()
            nodes.append(kind(user, rules, self.items, *train.of(user), known))
        return MemoryHost(nodes, self.online, period)


def fingerprint(simulation: Simulation) -> dict[str, bytes | int]:
    """Everything a user could notice, to the last bit."""
    fleet, tally = simulation.fleet, simulation.traffic
    nodes = [fleet.node(u) for u in range(len(fleet.slot))]
    return {
        "rows": b"".join(n.rows.tobytes() for n in nodes),
        "ages": b"".join(n.ages.tobytes() for n in nodes),
        "clocks": str([n.clock for n in nodes]).encode(),
        "private": fleet.private.tobytes(),
        "tally": b"".join(a.tobytes() for a in (tally.updates, tally.rows, tally.rows_rated, tally.bytes)),
        "rounds": simulation.node_rounds,
        "messages": simulation.messages,
        "bytes": simulation.bytes,
    }
