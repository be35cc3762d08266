"""Federated collaborative filtering: all clients in every round, gradients of every row. A round is an epoch."""

from __future__ import annotations

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.models.base import Model
from tacit.protocols.base import EPOCHS, Parameters, Plan, Protocol, state_bytes
from tacit.protocols.fcf.simulation import FcfSimulation
from tacit.simulator.simulation import Simulation


def build(plan: Plan) -> Simulation:
    """The server and its clients, initialized."""
    return FcfSimulation(plan.setting())


def check(p: Parameters, model: Model, train: Interactions, avoid: Interactions) -> None:
    """Only its own model, and everybody online."""
    if model.name != "fcf":
        raise BadInput("model", got=model.name, allowed="fcf with protocol fcf")
    if p["churn"] != "none":
        raise BadInput("churn", got=p["churn"], allowed="none with protocol fcf")


def memory(parameters: Parameters, model: Model, train: Interactions, size: int) -> int:
    """The server's state, a gradient and its two moments, and a vector for every interaction."""
    return state_bytes(model, train.items, size) + 8 * model.row_width * (6 * train.items + 2 * len(train))


protocol = Protocol(
    about="every client returns a gradient of the whole model",
    parameters=EPOCHS,
    build=build,
    memory=memory,
    check=check,
)
