"""An open catalogue: which place in the model's arrays belongs to which item.

Nodes agree on no list of items. A row is named by the 64-bit hash of its item's key; where it stands in this node's
arrays is nobody else's business. Places are given out as rows become known, up to a cap; then a newcomer takes the
place of the least useful row: the one updated least often, among equals the one not heard of for longest.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Positions
from tacit.core.node_state import Ages

Hashes = npt.NDArray[np.uint64]
NOWHERE = -1


class Places:
    """Row names and their places."""

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self.names: Hashes = np.zeros(0, np.uint64)
        """The name of the row at each place."""
        self.heard = np.zeros(0, np.int64)
        """When each row was last heard of, in rounds."""
        self._sorted: Hashes = np.zeros(0, np.uint64)
        """All names in ascending order, and where each one's place stands: a tenth of the memory of a dict."""
        self._place: Positions = np.zeros(0, np.int32)

    def __len__(self) -> int:
        return len(self.names)

    def find(self, names: Hashes) -> Positions:
        """The place of each row, NOWHERE for those without."""
        if not len(self):
            return np.full(len(names), NOWHERE, np.int32)
        at = np.minimum(np.searchsorted(self._sorted, names), len(self) - 1)
        return np.where(self._sorted[at] == names, self._place[at], np.int32(NOWHERE))

    def restore(self, names: Hashes, heard: npt.NDArray[np.int64]) -> None:
        """Go on with places given out before."""
        self.names, self.heard = names.astype(np.uint64), heard.astype(np.int64)
        self._place = np.argsort(self.names).astype(np.int32)
        self._sorted = self.names[self._place]
        if (self._sorted[1:] == self._sorted[:-1]).any():
            raise ValueError("a row has two places")

    def append(self, names: Hashes, now: int) -> None:
        """Give new rows places at the end, whatever the cap."""
        self._insert(names, np.arange(len(self), len(self) + len(names), dtype=np.int32))
        self.names = np.concatenate((self.names, names))
        self.heard = np.concatenate((self.heard, np.full(len(names), now, np.int64)))

    def replace(self, places: Positions, names: Hashes, now: int) -> None:
        """Give the places of some rows to new ones."""
        gone = np.searchsorted(self._sorted, self.names[places])
        self._sorted, self._place = np.delete(self._sorted, gone), np.delete(self._place, gone)
        self._insert(names, places)
        self.names[places], self.heard[places] = names, now

    def _insert(self, names: Hashes, places: Positions) -> None:
        order = np.argsort(names)
        at = np.searchsorted(self._sorted, names[order])
        self._sorted = np.insert(self._sorted, at, names[order])
        self._place = np.insert(self._place, at, places[order])

    def least_useful(self, count: int, ages: Ages, pinned: Positions) -> Positions:
        """Up to `count` places, least useful first; never a pinned one."""
        free = np.ones(len(self), np.bool_)
        free[pinned] = False
        places = np.flatnonzero(free)
        order = np.lexsort((self.heard[places], ages[places]))[:count]
        return places[order].astype(np.int32)
