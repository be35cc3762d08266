"""Federated: a server sends its model to all online nodes each round and averages the differences they return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tacit.core.interactions import Interactions
from tacit.core.message.update import Shield
from tacit.core.settings import Flat, Proportion, Share, setting
from tacit.models.base import Model
from tacit.models.training import Average
from tacit.privacy.none import Nothing
from tacit.protocols.base import (
    SHIELD,
    Protocol,
    needs_no_negatives,
    shields_of,
    state_bytes,
    undivided_shield,
)
from tacit.protocols.federated.simulation import FederatedSimulation
from tacit.simulator.simulation import Scenario, Simulation


@dataclass(frozen=True, slots=True)
class Federated(Protocol):
    """A server that never sees data."""

    participation: Share = setting(
        1.0,
        "share C of the nodes that is asked at a time (Dymbe, section 3.6); a round ends when everybody was asked once",
    )
    subsample: Proportion = setting(1.0, "share of the rows clients send back (Hegedűs et al., algorithm 7)")

    average: Average = setting(
        "raters",
        "whose differences a row's mean is over: the item's raters (Hegedűs et al., algorithm 1), or all clients that "
        "answered (Dymbe, section 2.4)",
    )

    shield: Shield = setting(Nothing(), SHIELD, later=True)

    name: ClassVar[str] = "federated"
    about: ClassVar[str] = "a server that never sees data"

    def build(self, scenario: Scenario) -> Simulation:
        """The server and its clients, initialized."""
        return FederatedSimulation(
            scenario,
            share=self.subsample,
            participation=self.participation,
            shields=shields_of(self.shield),
            average=self.average,
        )

    def check(self, scenario: Scenario, run: Flat) -> None:
        """Clients hold only the rows they have data about, so a model cannot learn from others."""
        needs_no_negatives(scenario.model, self.name)

    def undivided(self, scenario: Scenario) -> str:
        """Shields see one message after the other, in one process."""
        return undivided_shield(self.shield)

    def memory(self, model: Model, train: Interactions, size: int) -> int:
        """The server's state, and a returned row for every rating."""
        returned = len(train) * (size * model.row_width + 13) + train.users * size * model.dense_size
        return state_bytes(model, train.items, size) + returned


protocol = Federated
