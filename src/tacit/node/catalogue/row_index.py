"""Row index of an open catalogue: which position in the model's arrays belongs to which item.

Nodes agree on no list of items. A row is named by the 64-bit hash of its item's key; its position in a node's arrays is
local to the node. Positions are assigned as rows become known, up to a cap. Then a new row takes the position of the
least useful one: the row updated least often, among equals the one not received for longest.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Positions
from tacit.core.node_state import Ages

Hashes = npt.NDArray[np.uint64]
NOWHERE = -1


class RowIndex:
    """Row names and their positions."""

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self.names: Hashes = np.zeros(0, np.uint64)
        """The name of the row at each position."""
        self.heard = np.zeros(0, np.int64)
        """When each row was last received, in rounds."""
        self._sorted: Hashes = np.zeros(0, np.uint64)
        """All names in ascending order, and the position of each: a tenth of the memory of a dict."""
        self._position: Positions = np.zeros(0, np.int32)

    def __len__(self) -> int:
        return len(self.names)

    def find(self, names: Hashes) -> Positions:
        """The position of each row; NOWHERE for rows without one."""
        if not len(self):
            return np.full(len(names), NOWHERE, np.int32)
        at = np.minimum(np.searchsorted(self._sorted, names), len(self) - 1)
        return np.where(self._sorted[at] == names, self._position[at], np.int32(NOWHERE))

    def restore(self, names: Hashes, heard: npt.NDArray[np.int64]) -> None:
        """Continue with positions assigned before."""
        self.names, self.heard = names.astype(np.uint64), heard.astype(np.int64)
        self._position = np.argsort(self.names).astype(np.int32)
        self._sorted = self.names[self._position]
        if (self._sorted[1:] == self._sorted[:-1]).any():
            raise ValueError("a row has two positions")

    def append(self, names: Hashes, now: int) -> None:
        """Assign positions at the end to new rows, whatever the cap."""
        self._insert(names, np.arange(len(self), len(self) + len(names), dtype=np.int32))
        self.names = np.concatenate((self.names, names))
        self.heard = np.concatenate((self.heard, np.full(len(names), now, np.int64)))

    def replace(self, positions: Positions, names: Hashes, now: int) -> None:
        """Assign the positions of some rows to new ones."""
        gone = np.searchsorted(self._sorted, self.names[positions])
        self._sorted, self._position = np.delete(self._sorted, gone), np.delete(self._position, gone)
        self._insert(names, positions)
        self.names[positions], self.heard[positions] = names, now

    def _insert(self, names: Hashes, positions: Positions) -> None:
        order = np.argsort(names)
        at = np.searchsorted(self._sorted, names[order])
        self._sorted = np.insert(self._sorted, at, names[order])
        self._position = np.insert(self._position, at, positions[order])

    def least_useful(self, count: int, ages: Ages, pinned: Positions) -> Positions:
        """Up to `count` positions, least useful first; never a pinned one."""
        free = np.ones(len(self), np.bool_)
        free[pinned] = False
        positions = np.flatnonzero(free)
        order = np.lexsort((self.heard[positions], ages[positions]))[:count]
        return positions[order].astype(np.int32)
