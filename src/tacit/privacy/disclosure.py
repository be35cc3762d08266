"""Disclosure: an update about something the person has leaves only with probability pi.

From one training pair a server sees +v at the consumed item and -v at the other. So a full update betrays what was
consumed. The user chooses pi: 1 discloses every update about own items, 0 none. Updates of other items always leave,
and silence tells something too (docs/explanation/masks.md).

FPL decides for each positive update (section 3.1.2). FedeRank decides for each consumed item of a round's sample as a
whole (equations 4 and 5). Both ask `discloses`, with the number of the update or of the item as the draw. The live node
has a third rule (`fixed_items`): each item is drawn once and for all. The shared model does not learn from a hidden
item, so the rating leaves no mark in any message.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Interactions, Positions
from tacit.core.message.update import Draws, Update, reshape
from tacit.core.rng import Stream, uniform
from tacit.core.settings import UnitInterval, setting

_STREAM = Stream.DISCLOSURE
_FIXED = Stream.FIXED_ITEMS


@kernel
def discloses(seed: int, node: int, event: int, draw: int, pi: float) -> bool:
    """Whether this one leaves."""
    return uniform(seed, _STREAM, node, event, draw) < pi


def fixed_items(seed: int, table: Interactions, pi: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which entries take part, by each user's pi: drawn once per user and item, so a higher pi only adds some."""
    part = np.empty(len(table), np.bool_)
    _draw_fixed(seed, table.user, table.item, pi, part)
    return part


@kernel
def _draw_fixed(
    seed: int, user: Positions, item: Positions, pi: npt.NDArray[np.float64], part: npt.NDArray[np.bool_]
) -> None:
    for n in range(len(part)):
        part[n] = uniform(seed, _FIXED, user[n], 0, item[n]) < pi[user[n]]


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Leave each row the person has data about out of a message with probability 1 - pi."""

    pi: UnitInterval = setting(0.5, "share of messages that a row about own items is in")

    def apply(self, update: Update, rated: Positions, draws: Draws) -> Update:
        """The update without the rows that stay hidden."""
        if self.pi >= 1:
            return update
        index = np.arange(update.items, dtype=np.int32) if update.index is None else update.index
        hidden = [i for i in rated.tolist() if not discloses(draws.seed, draws.node, draws.event, i, self.pi)]
        keep = ~np.isin(index, hidden)
        return reshape(update, index=index[keep], rows=update.rows[keep], ages=update.ages[keep])


shield = Disclosure
