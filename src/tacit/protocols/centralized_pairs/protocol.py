"""BPR-MF in one place that knows everything. A round of the curve is an epoch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from tacit.core.interactions import Interactions
from tacit.core.settings import Flat, UnitInterval, Value, setting
from tacit.models.base import Model
from tacit.protocols.base import SENDS_DATA, Protocol, nothing_private, state_bytes
from tacit.protocols.centralized_pairs.simulation import CentralPairsSimulation
from tacit.protocols.federated_pairs.protocol import FederatedPairs, needs_bpr
from tacit.simulator.simulation import Scenario, Simulation


@dataclass(frozen=True, slots=True)
class CentralizedPairs(Protocol):
    """Pair-wise learning from everybody's data."""

    popular: UnitInterval = setting(
        0.0,
        "share of negatives drawn by popularity: 0 is every item alike (Rendle et al. 2009, section 4), 1 is what the "
        "library implicit does",
        key="negatives.popular",
        later=True,
    )
    falling: bool = setting(
        False,
        "the learning rate falls in a straight line, to 0 at the end",
        key="model.lr.falling",
        later=True,
    )

    name: ClassVar[str] = "centralized-pairs"
    about: ClassVar[str] = "pair-wise learning in one place that knows everything"
    no_shield: ClassVar[str] = SENDS_DATA
    run_defaults: ClassVar[Mapping[str, Value]] = FederatedPairs.run_defaults
    paper_negatives: ClassVar[bool] = True
    server_steps: ClassVar[bool] = True
    one_core: ClassVar[bool] = True
    all_online: ClassVar[bool] = True
    synchronous: ClassVar[bool] = True

    def build(self, scenario: Scenario) -> Simulation:
        """The server, initialized."""
        return CentralPairsSimulation(scenario, self.popular, self.falling)

    def check(self, scenario: Scenario, run: Flat) -> None:
        """As with one triple from one client per round."""
        needs_bpr(scenario.model, self.name)
        FederatedPairs(clients=1, triples=1).pace(scenario)

    def notes(self, recipe: str, scenario: Scenario) -> list[str]:
        """What is different from everything else here."""
        return nothing_private(recipe)

    def memory(self, model: Model, train: Interactions, size: int) -> int:
        """One model and a sum of updates."""
        return 2 * state_bytes(model, train.items, size)


protocol = CentralizedPairs
