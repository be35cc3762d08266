"""Centralized: everybody's data in one place. Not private; what decentralization is measured against."""

from __future__ import annotations

from tacit.core.interactions import Interactions
from tacit.core.kinds import OneOf, Parameter
from tacit.experiment.protocols.base import Parameters, Plan, Protocol, state_bytes
from tacit.hosts.sim.central import CentralSimulation
from tacit.hosts.sim.simulation import Simulation
from tacit.models.base import Model


def build(plan: Plan) -> Simulation:
    """The server, initialized."""
    return CentralSimulation(plan.setting())


def memory(parameters: Parameters, model: Model, train: Interactions, size: int) -> int:
    """One model."""
    return state_bytes(model, train.items, size)


def notes(recipe: str) -> list[str]:
    """What is different from everything else here."""
    return [f"{recipe} keeps nothing private: what every device sends is all of its ratings"]


protocol = Protocol(
    about="one place that knows everything",
    parameters=(
        Parameter("start", "staggered", "there is nothing to stagger", OneOf(("staggered", "synchronous"))),
    ),
    build=build,
    memory=memory,
    notes=notes,
)
