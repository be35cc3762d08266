"""Alone: nobody sends anything. What a device can do by itself, or what many weak models say together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tacit.core.interactions import Interactions
from tacit.core.settings import setting
from tacit.models.base import Model
from tacit.protocols.alone.simulation import AloneSimulation
from tacit.protocols.base import Protocol, state_bytes
from tacit.simulator.simulation import Scenario, Simulation


@dataclass(frozen=True, slots=True)
class Alone(Protocol):
    """Everybody by themselves."""

    common: bool = setting(False, "do all nodes start from the same model? (Dymbe, section 3.3)")

    name: ClassVar[str] = "alone"
    about: ClassVar[str] = "everybody by themselves"
    no_shield: ClassVar[str] = "nothing is sent"

    def build(self, scenario: Scenario) -> Simulation:
        """All nodes, initialized."""
        return AloneSimulation(scenario, common=self.common)

    def memory(self, model: Model, train: Interactions, size: int) -> int:
        """Every node's state."""
        return train.users * state_bytes(model, train.items, size)


protocol = Alone
