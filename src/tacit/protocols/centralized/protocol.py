"""Centralized: everybody's data in one place. Not private; what decentralization is measured against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tacit.core.interactions import Interactions
from tacit.models.base import Model
from tacit.protocols.base import SENDS_DATA, Protocol, nothing_private, state_bytes
from tacit.protocols.centralized.simulation import CentralSimulation
from tacit.simulator.simulation import Scenario, Simulation


@dataclass(frozen=True, slots=True)
class Centralized(Protocol):
    """One place that knows everything."""

    name: ClassVar[str] = "centralized"
    about: ClassVar[str] = "one place that knows everything"
    no_shield: ClassVar[str] = SENDS_DATA
    ignores_churn: ClassVar[bool] = True

    def build(self, scenario: Scenario) -> Simulation:
        """The server, initialized."""
        return CentralSimulation(scenario)

    def notes(self, recipe: str, scenario: Scenario) -> list[str]:
        """What is different from everything else here."""
        return nothing_private(recipe)

    def memory(self, model: Model, train: Interactions, size: int) -> int:
        """One model."""
        return state_bytes(model, train.items, size)


protocol = Centralized
