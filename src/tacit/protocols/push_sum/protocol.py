"""Push-sum: nodes add up statistics by giving half of their sums to a peer each turn, and solve ALS with them."""

from __future__ import annotations

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.settings import Number, OneOf, Parameter, Whole
from tacit.models.base import Model, sum_width
from tacit.protocols.base import Parameters, Plan, Protocol, build_graph
from tacit.protocols.federated_sums.protocol import check_sums
from tacit.protocols.push_sum.headcount import HEADS
from tacit.protocols.push_sum.simulation import Conduct, PushSumSimulation
from tacit.protocols.push_sum.state import flat_size
from tacit.simulator.simulation import Simulation


def build(plan: Plan) -> Simulation:
    """All nodes, initialized."""
    p = plan.parameters
    graph = build_graph(p, plan.train.users, plan.seed)
    return PushSumSimulation(plan.setting(), graph, conduct(p))


def conduct(p: Parameters) -> Conduct:
    """How nodes go about it, from parameters."""
    return Conduct(
        turns=0 if p["turns"] == "rule" else int(p["turns"] or 1),
        masks=float(p["masks"] or 0),
        partners=int(p["masks.partners"] or 1),
        tolerance=float(p["masks.tolerance"] or 0),
        staggered=p["start"] == "staggered",
        speeds=float(p["speeds"] or 0),
        loss=float(p["loss"] or 0),
        ring=p["peers"] == "ring",
    )


def check(p: Parameters, model: Model, train: Interactions, avoid: Interactions) -> None:
    """Only a model that is solved from sums, and a ring only among all."""
    check_sums(p, model)
    if p.get("peers") == "ring" and p["graph"] != "complete":
        raise BadInput("peers", got="ring", allowed="uniform with graph=k-out; a ring needs all to know all")


def memory(parameters: Parameters, model: Model, train: Interactions, size: int) -> int:
    """Sums, the share in flight in half precision, and rows in half precision."""
    flat = flat_size(train.items, model.row_width, sum_width(model))
    return train.users * (6 * flat + 8 * HEADS + 2 * train.items * model.row_width)


def rehearsal(parameters: Parameters, users: int, few: int) -> Parameters:
    """A network of three knows everybody."""
    return {**parameters, "graph.degree": min(int(parameters["graph.degree"] or 1), few - 1)}


protocol = Protocol(
    about="device to device, no server: sums of statistics, and everybody solves with them",
    parameters=(
        Parameter(
            "turns",
            "rule",
            "shares a node gives away in an epoch; rule: enough for the people there are",
            OneOf(("rule",), Whole(2)),
        ),
        Parameter(
            "masks",
            0.0,
            "standard deviation of the noise that hides a node's own part and cancels in the sum; 0: none",
            Number(0, 1000),
        ),
        Parameter("masks.partners", 4, "nodes that each node shares masks with", Whole(1)),
        Parameter(
            "masks.tolerance",
            0.04,
            "what may be left of masks, as a part of an item's mean count, before an epoch is discarded",
            Number(0, 100, open_low=True),
        ),
        Parameter("loss", 0.0, "share of messages that the network loses", Number(0, 0.9)),
        Parameter(
            "speeds",
            0.0,
            "how much longer the slowest node takes than the fastest: 1 is twice",
            Number(0, 10),
        ),
        Parameter(
            "peers",
            "ring",
            "whom a node sends to: the one so many places further on as all do in that turn, which mixes fastest "
            "(graph=complete), or anybody",
            OneOf(("ring", "uniform")),
        ),
        Parameter("graph", "complete", "who knows whom", OneOf(("k-out", "complete"))),
        Parameter("graph.degree", 20, "peers a node knows in a k-out graph", Whole(1)),
        Parameter(
            "start",
            "staggered",
            "first sends spread over a cycle, or all at 0",
            OneOf(("staggered", "synchronous")),
        ),
    ),
    build=build,
    memory=memory,
    check=check,
    rehearsal=rehearsal,
)
