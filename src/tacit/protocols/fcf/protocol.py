"""Federated collaborative filtering: all clients in every round, gradients of every row. A round is an epoch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.settings import Flat, Value
from tacit.models.base import Model
from tacit.protocols.base import Protocol, state_bytes
from tacit.protocols.fcf.simulation import FcfSimulation
from tacit.simulator.simulation import Scenario, Simulation


@dataclass(frozen=True, slots=True)
class FederatedFiltering(Protocol):
    """Every client returns a gradient of the whole model."""

    name: ClassVar[str] = "fcf"
    about: ClassVar[str] = "every client returns a gradient of the whole model"
    no_shield: ClassVar[str] = "gradients of all clients are computed as one sum"
    run_defaults: ClassVar[Mapping[str, Value]] = {"epochs": 20, "hours": None, "model": "fcf"}
    all_online: ClassVar[bool] = True
    synchronous: ClassVar[bool] = True

    def build(self, scenario: Scenario) -> Simulation:
        """The server and its clients, initialized."""
        return FcfSimulation(scenario)

    def check(self, scenario: Scenario, run: Flat) -> None:
        """Only its own model."""
        if scenario.model.name != "fcf":
            raise BadInput("model", got=scenario.model.name, allowed="fcf with protocol fcf")

    def memory(self, model: Model, train: Interactions, size: int) -> int:
        """The server's state, a gradient and its two moments, and a vector for every interaction."""
        gradients = 8 * model.row_width * (6 * train.items + 2 * len(train))
        return state_bytes(model, train.items, size) + gradients


protocol = FederatedFiltering
