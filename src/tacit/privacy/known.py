"""Only rows that say something: updated by somebody, or one's own.

A row that nobody ever updated weighs nothing where it arrives. One's own go out even so, because others may need to
hear that there is such an item before anybody can learn about it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.core.interactions import Positions
from tacit.core.message.update import Draws, Update, reshape


@dataclass(frozen=True, slots=True)
class Known:
    """Leave out rows of age 0 that the node has no data about."""

    def apply(self, update: Update, rated: Positions, draws: Draws) -> Update:
        """The update without them."""
        index = np.arange(update.items, dtype=np.int32) if update.index is None else update.index
        keep = update.ages > 0
        keep |= np.isin(index, rated)
        if keep.all():
            return update
        return reshape(update, index=index[keep], rows=update.rows[keep], ages=update.ages[keep])


shield = Known
