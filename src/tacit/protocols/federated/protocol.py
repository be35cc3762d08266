"""Federated: a server sends its model to all online nodes each round and averages the differences they return."""

from __future__ import annotations

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.settings import Number, OneOf, Parameter, Share
from tacit.models.base import Model
from tacit.protocols.base import Parameters, Plan, Protocol, state_bytes
from tacit.protocols.federated.simulation import FederatedSimulation
from tacit.simulator.simulation import Simulation


def build(plan: Plan) -> Simulation:
    """The server and its clients, initialized."""
    p = plan.parameters
    return FederatedSimulation(
        plan.setting(), share=float(p["subsample"] or 1), participation=float(p["participation"] or 1)
    )


def check(p: Parameters, model: Model, train: Interactions, avoid: Interactions) -> None:
    """Clients hold only the rows they have data about, so a model cannot learn from others."""
    if getattr(model, "draws_negatives", False):
        raise BadInput(
            "model",
            got=model.name,
            allowed="one that draws no negatives, such as mf, with protocol federated",
        )


def memory(parameters: Parameters, model: Model, train: Interactions, size: int) -> int:
    """The server's state, and a returned row for every rating."""
    return (
        state_bytes(model, train.items, size)
        + len(train) * (size * model.row_width + 13)
        + train.users * size * model.dense_size
    )


protocol = Protocol(
    about="a server that never sees data",
    parameters=(
        Parameter(
            "participation",
            1.0,
            "share C of the nodes that is asked at a time; a round ends when everybody was asked once",
            Share(),
        ),
        Parameter("subsample", 1.0, "share of the rows clients send back", Number(0, 1, open_low=True)),
        Parameter(
            "start", "staggered", "rounds are synchronous either way", OneOf(("staggered", "synchronous"))
        ),
    ),
    build=build,
    memory=memory,
    check=check,
)
