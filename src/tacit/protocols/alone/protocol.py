"""Alone: nobody sends anything. What a device can do by itself, or what many weak models say together."""

from __future__ import annotations

from tacit.core.interactions import Interactions
from tacit.core.settings import OneOf, Parameter, Switch
from tacit.models.base import Model
from tacit.protocols.alone.simulation import AloneSimulation
from tacit.protocols.base import Parameters, Plan, Protocol, state_bytes
from tacit.simulator.simulation import Simulation


def build(plan: Plan) -> Simulation:
    """All nodes, initialized."""
    return AloneSimulation(plan.setting(), common=bool(plan.parameters["common"]))


def memory(parameters: Parameters, model: Model, train: Interactions, size: int) -> int:
    """Every node's state."""
    return train.users * state_bytes(model, train.items, size)


protocol = Protocol(
    about="everybody by themselves",
    parameters=(
        Parameter("common", False, "do all nodes start from the same model?", Switch()),
        Parameter("start", "staggered", "nobody waits for anybody", OneOf(("staggered", "synchronous"))),
    ),
    build=build,
    memory=memory,
)
