"""ALS with a server that adds up its clients' statistics. A round of the curve is one sweep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.settings import Flat, Value
from tacit.models.base import Model
from tacit.protocols.base import Protocol, state_bytes
from tacit.protocols.federated_sums.simulation import FederatedSumsSimulation
from tacit.simulator.simulation import Scenario, Simulation


@dataclass(frozen=True, slots=True)
class FederatedSums(Protocol):
    """A server adds up statistics, and everybody solves their own part."""

    name: ClassVar[str] = "federated-sums"
    about: ClassVar[str] = "a server adds up statistics, and everybody solves their own part"
    no_shield: ClassVar[str] = "statistics are added up in half precision, inside one loop over the clients"
    run_defaults: ClassVar[Mapping[str, Value]] = {"model": "ials"}
    synchronous: ClassVar[bool] = True

    def build(self, scenario: Scenario) -> Simulation:
        """The server and its clients, initialized."""
        return FederatedSumsSimulation(scenario)

    def check(self, scenario: Scenario, run: Flat) -> None:
        """Only the model for implicit feedback so far."""
        if scenario.model.name != "ials":
            raise BadInput("model", got=scenario.model.name, allowed=f"ials with protocol {self.name}")
        needs_sums(scenario, self.name)

    def notes(self, recipe: str, scenario: Scenario) -> list[str]:
        """What a reader must know."""
        return ["the server sees which items each client has: those it returns statistics of"]

    def memory(self, model: Model, train: Interactions, size: int) -> int:
        """The server's rows and sums, and everybody's statistics on their way."""
        width = model.row_width
        return (
            4 * state_bytes(model, train.items, 8) + 8 * train.users * width * (width + 3) + 24 * len(train)
        )


def needs_sums(scenario: Scenario, name: str) -> None:
    """Only a model that is solved from sums, in the precision sums travel in."""
    if not hasattr(scenario.model, "exchanged"):
        raise BadInput("model", got=scenario.model.name, allowed=f"ials or als with protocol {name}")
    if scenario.dtype != "float32":
        raise BadInput("storage", got=scenario.dtype, allowed=f"float32 with protocol {name}")


protocol = FederatedSums
