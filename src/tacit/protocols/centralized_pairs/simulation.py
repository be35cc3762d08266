"""BPR-MF in one place that knows everything: the federated rule with one triple per round."""

from __future__ import annotations

import numpy as np

from tacit.core.interactions import Interactions
from tacit.core.traffic import Tally
from tacit.protocols.federated_pairs.simulation import Pace, PairsSimulation
from tacit.simulator.simulation import Setting, ticks


class CentralPairsSimulation(PairsSimulation):
    """BPR-MF as its authors meant it: one place with everybody's data, triples uniform over all interactions.

    That is the federated rule with one triple a round and clients picked by their data, and nothing hidden.
    """

    def __init__(self, setting: Setting, *, avoid: Interactions | None = None) -> None:
        super().__init__(setting, Pace(1, 1, len(setting.train), by_data=True), avoid=avoid)
        counts = setting.train.counts
        self._data_sent = Tally((counts > 0).astype(np.int64), counts.copy(), counts.copy(), counts * 8)
        self.period = ticks(setting.full_seconds)

    @property
    def messages(self) -> int:
        """One a user: all of their data."""
        return int(self._data_sent.updates.sum())

    @property
    def bytes(self) -> int:
        """An item's number and a rating, 4 bytes each."""
        return int(self._data_sent.bytes.sum())

    def costs(self) -> dict[str, float]:
        """The papers give a centralized epoch no communication cost; every step sees a fresh model."""
        return {"freshness": float(self._pace.rounds), "normalized_freshness": 1.0}
