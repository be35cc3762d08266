"""Subsampling: only s rows travel (Hegedűs et al., algorithm 7).

First come the rows D that this node has ratings for, min(s, |D|) of them at random. The rest is drawn at random from
the other rows, because a node also forwards what it heard.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.instructions import lowest_bit
from tacit.core.interactions import Positions
from tacit.core.message.update import Draws, Update, reshape
from tacit.core.rng import Stream, sample_bits
from tacit.core.settings import Proportion, setting

_STREAM = Stream.SUBSAMPLE
_1 = np.uint64(1)


@kernel
def select(
    seed: int, node: int, event: int, rated: Positions, items: int, count: int, index: Positions
) -> int:
    """Write the positions of the rows that travel into `index`, ascending; return how many of them are rated."""
    own = min(count, len(rated))
    mine = sample_bits(seed, _STREAM, node, 2 * event, len(rated), own)
    others = sample_bits(seed, _STREAM, node, 2 * event + 1, items - len(rated), count - own)
    chosen = np.empty(own, np.int32)
    at = 0
    for q in range(len(mine)):
        word = mine[q]
        while word:
            chosen[at] = rated[64 * q + lowest_bit(word)]
            at += 1
            word &= word - _1
    # Of the others the j-th is j plus as many as there are rated rows before it.
    at = 0
    before = 0
    taken = 0
    for q in range(len(others)):
        word = others[q]
        while word:
            j = 64 * q + lowest_bit(word)
            word &= word - _1
            while before < len(rated) and rated[before] - before <= j:
                before += 1
            i = j + before
            while taken < own and chosen[taken] < i:
                index[at] = chosen[taken]
                at += 1
                taken += 1
            index[at] = i
            at += 1
    index[at:count] = chosen[taken:]
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
