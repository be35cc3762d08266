"""Centralized: everybody's data in one place. Not private; what decentralization is measured against."""

from __future__ import annotations

from tacit.core.interactions import Interactions
from tacit.core.settings import OneOf, Parameter
from tacit.models.base import Model
from tacit.protocols.base import Parameters, Plan, Protocol, notes, state_bytes
from tacit.protocols.centralized.simulation import CentralSimulation
from tacit.simulator.simulation import Simulation


def build(plan: Plan) -> Simulation:
    """The server, initialized."""
    return CentralSimulation(plan.setting())


def memory(parameters: Parameters, model: Model, train: Interactions, size: int) -> int:
    """One model."""
    return state_bytes(model, train.items, size)


protocol = Protocol(
    about="one place that knows everything",
    parameters=(
        Parameter("start", "staggered", "there is nothing to stagger", OneOf(("staggered", "synchronous"))),
    ),
    build=build,
    memory=memory,
    notes=notes,
)
