"""Subsampling: only s rows travel (Hegedűs et al., algorithm 7).

First from the rows D this node has ratings for, min(s, |D|) of them at random; what room is left is filled at random
from the others, because a node also forwards what it heard.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Positions
from tacit.core.message.update import Draws, Update, reshape
from tacit.core.rng import Stream, sample
from tacit.core.settings import Proportion, setting

_STREAM = Stream.SUBSAMPLE


@kernel
def select(
    seed: int, node: int, event: int, rated: Positions, items: int, count: int, index: Positions
) -> int:
    """Write the positions of the rows that travel into `index`, ascending; return how many of them are rated."""
    own = min(count, len(rated))
    mine = np.zeros(len(rated), np.bool_)
    others = np.zeros(items - len(rated), np.bool_)
    sample(seed, _STREAM, node, 2 * event, len(mine), own, mine)
    sample(seed, _STREAM, node, 2 * event + 1, len(others), count - own, others)
    at = 0
    r = 0
    for i in range(items):
        if r < len(rated) and rated[r] == i:
            taken = mine[r]
            r += 1
        else:
            taken = others[i - r]
        if taken:
            index[at] = i
            at += 1
    return own


def row_count(share: float, items: int) -> int:
    """s for a share of the catalogue: at least one row."""
    return max(1, int(share * items))


@dataclass(frozen=True, slots=True)
class Subsample:
    """Send a share of the rows, those with own ratings first."""

    share: Proportion = setting(0.1, "share of the rows that travels")

    def apply(self, update: Update, rated: Positions, draws: Draws) -> Update:
        """The update cut down to s of the rows that it has."""
        count = row_count(self.share, update.items)
        if count >= len(update.rows):
            return update
        own = rated
        if update.index is not None:
            own = np.flatnonzero(np.isin(update.index, rated)).astype(np.int32)
        place: npt.NDArray[np.int32] = np.empty(count, np.int32)
        select(draws.seed, draws.node, draws.event, own, len(update.rows), count, place)
        index = place if update.index is None else update.index[place]
        return reshape(update, index=index, rows=update.rows[place], ages=update.ages[place])


shield = Subsample
