"""Rows of zeros stay at home where that makes a message smaller. The others carry positions. This hides nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.core.interactions import Positions
from tacit.core.message.codec import rows_size
from tacit.core.message.update import Draws, Update, reshape


@dataclass(frozen=True, slots=True)
class Sparse:
    """Leave out rows that are all zero, where the message becomes smaller."""

    def apply(self, update: Update, rated: Positions, draws: Draws) -> Update:
        """The update without its empty rows; whoever receives it takes missing ones for zero."""
        if update.index is not None:
            return update
        some = np.flatnonzero((update.rows != 0).any(axis=1)).astype(np.int32)
        rows, ages = update.rows[some], update.ages[some] if len(update.ages) else update.ages
        smaller = rows_size(rows) + 4 * len(ages) + 4 * len(some)
        if smaller >= rows_size(update.rows) + 4 * len(update.ages):
            return update
        return reshape(update, index=some, rows=rows, ages=ages)


shield = Sparse
