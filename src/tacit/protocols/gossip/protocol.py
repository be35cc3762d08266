"""Gossip: every node sends to one random peer each period; a node that receives a model merges it, then learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.message.update import Shield
from tacit.core.settings import Count, Flat, Proportion, setting
from tacit.merges.age_average import AgeAverage
from tacit.merges.base import Merge
from tacit.models.base import Model
from tacit.peer_sampling.base import Sampler
from tacit.peer_sampling.graphs import Neighbours
from tacit.peer_sampling.uniform import Uniform
from tacit.privacy.none import Nothing
from tacit.privacy.subsample import row_count
from tacit.protocols.base import SHIELD, Protocol, build_graph, shields_of, state_bytes, undivided_shield
from tacit.protocols.gossip.sharded_simulation import ShardedGossip
from tacit.protocols.gossip.simulation import GossipSimulation
from tacit.simulator.simulation import Scenario, Simulation

VERSIONS = 1.4
"""Versions per node whose memory is ever touched: 1.37 to 1.39 from 943 nodes on, with any number of threads."""


@dataclass(frozen=True, slots=True)
class ToOnePeer(Protocol):
    """What all protocols have in which a node sends to one peer at a time."""

    merge: Merge = setting(
        AgeAverage(), "how a received model joins one's own (Hegedűs et al., algorithm 4; Dymbe, section 5.1)"
    )
    peers: Sampler = setting(
        Uniform(),
        "which of its online peers a node sends to (Hegedűs et al., algorithm 3: selectPeer)",
        later=True,
    )
    graph: Literal["k-out", "complete"] = setting(
        "k-out", "who knows whom: k-out (Hegedűs et al., section 6.2), complete (Dymbe, section 4.1)"
    )
    degree: Count = setting(
        20, "peers a node knows in a k-out graph (Hegedűs et al., section 6.2)", key="graph.degree"
    )

    def neighbours(self, nodes: int, seed: int) -> Neighbours:
        """Which nodes each node knows."""
        return build_graph(self.graph, self.degree, nodes, seed)

    def check(self, scenario: Scenario, run: Flat) -> None:
        """Merges that go by whole models belong to gossip to views."""
        if not hasattr(self.merge, "weight"):
            allowed = f"a merge of single rows, such as age-average, with protocol {self.name}"
            raise BadInput("merge", got=self.merge.name, allowed=allowed)


@dataclass(frozen=True, slots=True)
class Gossip(ToOnePeer):
    """Device to device, no server."""

    shield: Shield = setting(Nothing(), SHIELD, later=True)
    subsample: Proportion = setting(1.0, "share of the rows that travels (Hegedűs et al., algorithm 7)")
    wait: bool = setting(
        False,
        "does a node wait for a period before its first message (Hegedűs et al., algorithm 3), or send at its start?",
        key="start.wait",
        later=True,
    )

    name: ClassVar[str] = "gossip"
    about: ClassVar[str] = "device to device, no server"
    halves: ClassVar[bool] = True

    @property
    def shields(self) -> tuple[Shield, ...]:
        """What messages pass on their way out, beside subsampling."""
        return shields_of(self.shield)

    def build(self, scenario: Scenario) -> Simulation:
        """All nodes, initialized; or those of this rank."""
        simulation = GossipSimulation if scenario.partition.ranks == 1 else ShardedGossip
        found = simulation(
            scenario,
            self.merge,
            self.neighbours(scenario.train.users, scenario.seed),
            share=self.subsample,
            sampler=self.peers,
            shields=self.shields,
        )
        if self.wait:
            found.wait()
        return found

    def undivided(self, scenario: Scenario) -> str:
        """Shields see one message after the other, in one process."""
        return undivided_shield(self.shield)

    def memory(self, model: Model, train: Interactions, size: int) -> int:
        """Every node's state and half as much again; or two parcels each where only some rows travel."""
        state = state_bytes(model, train.items, size)
        if self.subsample >= 1 and not self.shields:
            return int(VERSIONS * train.users * state)
        rows = train.items if self.shields else row_count(self.subsample, train.items)
        return train.users * (state + 2 * rows * (4 + min(size, 4) + size * model.row_width))


protocol = Gossip
