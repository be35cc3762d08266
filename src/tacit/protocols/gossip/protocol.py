"""Gossip: every node sends to one random peer each cycle; whoever receives merges, then learns."""

from __future__ import annotations

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.registry import build_part
from tacit.core.settings import Number, OneOf, Parameter, Part, Whole
from tacit.models.base import Model
from tacit.privacy.subsample import row_count
from tacit.protocols.base import Parameters, Plan, Protocol, build_graph, build_shields, state_bytes
from tacit.protocols.gossip.simulation import GossipSimulation
from tacit.simulator.simulation import Simulation


def build(plan: Plan) -> Simulation:
    """All nodes, initialized."""
    p = plan.parameters
    graph = build_graph(p, plan.train.users, plan.seed)
    merge = build_part("merge", p)
    share, staggered = float(p["subsample"] or 1), p["start"] == "staggered"
    return GossipSimulation(
        plan.setting(), merge, graph, share=share, staggered=staggered, sampler=build_part("peers", p),
        shields=build_shields(p),
    )  # fmt: skip


def rows_only(p: Parameters, model: Model, train: Interactions, avoid: Interactions) -> None:
    """Merges that go by whole models belong to gossip to views."""
    if not hasattr(build_part("merge", p), "weight"):
        allowed = f"a merge of single rows, such as age-average, with protocol {p['protocol']}"
        raise BadInput("merge", got=p["merge"], allowed=allowed)


def memory(parameters: Parameters, model: Model, train: Interactions, size: int) -> int:
    """Every node's state; a second one each in flight, or two parcels where only some rows travel."""
    state = state_bytes(model, train.items, size)
    share = float(parameters["subsample"] or 1)
    if share >= 1 and parameters["shield"] == "none":
        return 2 * train.users * state
    rows = row_count(share, train.items) if parameters["shield"] == "none" else train.items
    parcel = rows * (8 + size * model.row_width)
    return train.users * (state + 2 * parcel)


protocol = Protocol(
    about="device to device, no server",
    parameters=(
        Parameter("merge", "age-average", "how a received model joins one's own", Part("a merge's name")),
        Parameter(
            "peers",
            "uniform",
            "which of its online peers a node sends to",
            Part("a sampler's name"),
            later=True,
        ),
        Parameter(
            "shield", "none", "what changes a message on its way out", Part("a shield's name"), later=True
        ),
        Parameter("graph", "k-out", "who knows whom", OneOf(("k-out", "complete"))),
        Parameter("graph.degree", 20, "peers a node knows in a k-out graph", Whole(1)),
        Parameter("subsample", 1.0, "share of the rows that travels", Number(0, 1, open_low=True)),
        Parameter(
            "start",
            "staggered",
            "first sends spread over a cycle, or all at 0",
            OneOf(("staggered", "synchronous")),
        ),
    ),
    build=build,
    memory=memory,
    check=rows_only,
)
