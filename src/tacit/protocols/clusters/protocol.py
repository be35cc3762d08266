"""Clusters: between gossip (clusters of one) and a server (one cluster of everybody)."""

from __future__ import annotations

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.registry import build_part
from tacit.core.settings import OneOf, Parameter, Whole
from tacit.models.base import Model
from tacit.protocols.base import Parameters, Plan, Protocol, build_graph, build_shields, state_bytes
from tacit.protocols.centralized.simulation import CentralSimulation
from tacit.protocols.clusters.simulation import ClusterSimulation, deal
from tacit.protocols.federated.protocol import check as check_federated
from tacit.protocols.federated.simulation import FederatedSimulation
from tacit.protocols.gossip import protocol as gossip
from tacit.simulator.simulation import Simulation


def build(plan: Plan) -> Simulation:
    """All agents, initialized. At the two ends clusters are gossip, and a server."""
    p = plan.parameters
    federated = p["cluster.inside"] == "federated"
    if p["cluster.size"] == 1:
        return gossip.build(plan)
    if p["churn"] != "none":
        raise BadInput("churn", got=p["churn"], allowed="none: the agents of clusters stay online")
    share = float(p["subsample"] or 1)
    if federated and share < 1:
        raise BadInput("subsample", got=share, allowed="1 with cluster.inside=federated")
    members = deal(plan.train.users, int(p["cluster.size"] or 1), plan.seed)
    setting = plan.setting()
    if members.agents == 1:
        return FederatedSimulation(setting) if federated else CentralSimulation(setting)
    return ClusterSimulation(
        setting,
        build_part("merge", p),
        build_graph(p, members.agents, plan.seed),
        members,
        share=share,
        staggered=p["start"] == "staggered",
        federated=federated,
        sampler=build_part("peers", p),
        shields=build_shields(p),
    )


def check(p: Parameters, model: Model, train: Interactions, avoid: Interactions) -> None:
    """What gossip asks for; and inside, what federation does."""
    gossip.rows_only(p, model, train, avoid)
    if p["cluster.inside"] == "federated" and int(p["cluster.size"] or 1) > 1:
        check_federated(p, model, train, avoid)


def memory(parameters: Parameters, model: Model, train: Interactions, size: int) -> int:
    """Two states an agent; what a federated round adds up is a state more for each thread."""
    agents = -(-train.users // int(parameters["cluster.size"] or 1))
    return (2 * agents + 8) * state_bytes(model, train.items, size)


def notes(recipe: str) -> list[str]:
    """What is different from gossip."""
    return [
        f"{recipe}: with cluster.inside=shared-data users send all of their ratings to their cluster's agent"
    ]


def rehearsal(parameters: Parameters, users: int, few: int) -> Parameters:
    """Gossip, clusters or a server: with few users still what it is with all."""
    size = int(parameters["cluster.size"] or 1)
    return {**parameters, "cluster.size": few if size >= users else min(size, 2)}


_OWN = (
    Parameter("cluster.size", 10, "users in a cluster at most; 1: gossip", Whole(1)),
    Parameter(
        "cluster.inside",
        "shared-data",
        "users send their agent their ratings, or take part in federated rounds",
        OneOf(("shared-data", "federated")),
    ),
)

protocol = Protocol(
    about="agents that learn for several users gossip with each other",
    parameters=(*_OWN, *gossip.protocol.parameters),
    build=build,
    memory=memory,
    notes=notes,
    check=check,
    rehearsal=rehearsal,
)
