"""BPR-MF in one place that knows everything: the federated rule with one triple per round."""

from __future__ import annotations

from tacit.core.traffic import Traffic
from tacit.protocols.federated_pairs.simulation import Pace, PairsSimulation
from tacit.simulator.simulation import Scenario, ticks


class CentralPairsSimulation(PairsSimulation):
    """BPR-MF as its authors meant it: one place with everybody's data, triples uniform over all interactions.

    That is the federated rule with one triple per round and clients picked by their data, and nothing hidden.
    """

    def __init__(self, scenario: Scenario, popular: float = 0.0, falling: bool = False) -> None:
        pace = Pace(1, 1, len(scenario.train), by_data=True, popular=popular, falling=falling)
        super().__init__(scenario, pace)
        self.traffic = Traffic.of_data(scenario.train.counts)
        self.period = ticks(scenario.full_seconds)

    @property
    def messages(self) -> int:
        """One a user: all of their data."""
        return int(self.traffic.updates.sum())

    @property
    def bytes(self) -> int:
        """An item's number and a rating, 4 bytes each."""
        return int(self.traffic.bytes.sum())

    def costs(self) -> dict[str, float]:
        """The papers give a centralized epoch no communication cost; every step sees a fresh model."""
        return {"freshness": float(self._pace.rounds), "normalized_freshness": 1.0}
