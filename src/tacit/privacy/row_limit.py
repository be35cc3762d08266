"""A message has room for only so many rows: beyond that a random part of them travels, another part each time."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.core.interactions import Positions
from tacit.core.message.update import Draws, Update
from tacit.privacy.subsample import Subsample


@dataclass(frozen=True, slots=True)
class AtMost:
    """Subsampling by a number of rows instead of a share."""

    rows: int

    def apply(self, update: Update, rated: Positions, draws: Draws) -> Update:
        """The update with as many rows as fit, those with own ratings first."""
        if len(update.rows) <= self.rows:
            return update
        return Subsample(self.rows / update.items).apply(update, rated, draws)
