"""Clusters: between gossip (clusters of one) and a server (one cluster of everybody)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.settings import Count, Flat, setting
from tacit.models.base import Model
from tacit.models.training import Average
from tacit.protocols.base import needs_no_negatives, state_bytes
from tacit.protocols.centralized.simulation import CentralSimulation
from tacit.protocols.clusters.simulation import ClusterSimulation, deal
from tacit.protocols.federated.simulation import FederatedSimulation
from tacit.protocols.gossip.protocol import Gossip
from tacit.simulator.simulation import Scenario, Simulation


@dataclass(frozen=True, slots=True)
class Clusters(Gossip):
    """Agents that learn for several users gossip with each other."""

    size: Count = setting(
        10, "users in a cluster at most (Dymbe, section 6.2.1); 1: gossip", key="cluster.size"
    )
    inside: Literal["shared-data", "federated"] = setting(
        "shared-data",
        "users send their agent their ratings (Dymbe, section 6.2), or take part in federated rounds (section 6.3)",
        key="cluster.inside",
    )

    average: Average = setting(
        "raters", "as `average` of protocol federated, with cluster.inside=federated", key="cluster.average"
    )

    name: ClassVar[str] = "clusters"
    about: ClassVar[str] = "agents that learn for several users gossip with each other"

    def build(self, scenario: Scenario) -> Simulation:
        """All agents, initialized. At the two ends clusters are gossip, and a server."""
        if self.size == 1:
            return Gossip.build(self, scenario)
        federated = self.average if self.inside == "federated" else None
        seed = scenario.seed
        groups = deal(scenario.train.users, self.size, seed)
        if groups.agents == 1:
            return (
                FederatedSimulation(scenario, average=federated) if federated else CentralSimulation(scenario)
            )
        return ClusterSimulation(
            scenario,
            self.merge,
            self.neighbours(groups.agents, seed),
            groups,
            share=self.subsample,
            federated=federated,
            sampler=self.peers,
            shields=self.shields,
        )

    def check(self, scenario: Scenario, run: Flat) -> None:
        """What gossip asks for; and inside, what federation does."""
        Gossip.check(self, scenario, run)
        if self.size == 1:
            return
        if run["churn"] != "none":
            raise BadInput("churn", got=run["churn"], allowed="none, because agents of clusters stay online")
        if self.inside == "federated":
            needs_no_negatives(scenario.model, self.name)
            if self.subsample < 1:
                raise BadInput("subsample", got=self.subsample, allowed="1 with cluster.inside=federated")

    def notes(self, recipe: str, scenario: Scenario) -> list[str]:
        """What is different from gossip."""
        sent = "users send all of their ratings to their cluster's agent"
        return [f"{recipe}: with cluster.inside=shared-data {sent}"]

    def memory(self, model: Model, train: Interactions, size: int) -> int:
        """Two states per agent. A federated round needs one more state per thread."""
        return (2 * -(-train.users // self.size) + 8) * state_bytes(model, train.items, size)

    def rehearsal(self, users: int, few: int) -> Self:
        """Gossip, clusters or a server: with few users still what it is with all."""
        return replace(self, size=few if self.size >= users else min(self.size, 2))


protocol = Clusters
