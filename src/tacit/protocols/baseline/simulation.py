"""A recommender that is fitted once, in one place, to everybody's data: what a baseline is as a simulation.

Nothing is private: every user's interactions are sent there once, and that is what is counted.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tacit.core.scorer import Scorer
from tacit.core.traffic import BYTES_A_RATING, Tally
from tacit.simulator.checkpoint import Arrays, Reader
from tacit.simulator.fleet import Fleet, empty_slots
from tacit.simulator.simulation import Setting, ticks


class RecommenderSimulation:
    """Everybody sends their data; when it has arrived the recommender is fitted."""

    def __init__(self, setting: Setting, fit: Callable[[], Scorer]) -> None:
        model, train = setting.model, setting.train
        self._fit, self.scorer = fit, None
        self._users = train.users
        self.period = ticks(setting.full_seconds)
        slots = empty_slots(1, train.items, model, setting.dtype)
        none = np.zeros((train.users, model.private_size), setting.dtype)
        self.fleet = Fleet(slots, np.zeros(train.users, np.int32), none)
        counts = train.counts
        self.tally = Tally(
            (counts > 0).astype(np.int64), counts.copy(), counts.copy(), counts * BYTES_A_RATING
        )
        self.now = -1

    scorer: Scorer | None
    """Who ranks, once fitted."""

    @property
    def node_rounds(self) -> int:
        """Users learned from."""
        return self._users if self.scorer is not None else 0

    @property
    def messages(self) -> int:
        """One a user: all of their data."""
        return int(self.tally.updates.sum())

    @property
    def bytes(self) -> int:
        """The size of everybody's data."""
        return int(self.tally.bytes.sum())

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`."""
        if self.scorer is None and self.period <= until:
            self.scorer = self._fit()
        self.now = until

    def save(self) -> Arrays:
        """Only the time: what was fitted comes out the same again."""
        return {"now": np.array([self.now])}

    def restore(self, arrays: Reader) -> None:
        """Go on from what `save` gave."""
        self.advance(int(arrays["now"][0]))
