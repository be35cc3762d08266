"""Ages of 16 bits must not run over: a bound on the oldest row, checked before anything is merged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.errors import BadInput
from tacit.core.node_state import Ages


class AgeLimit:
    """How old rows can be by now; looked up again only when that would be too much."""

    def __init__(self, ages: Sequence[Ages]) -> None:
        self._ages, self._oldest = ages, 0
        self._limit = int(np.iinfo(ages[0].dtype).max)

    def look(self) -> None:
        """Find the oldest row."""
        self._oldest = max(int(ages.max(initial=0)) for ages in self._ages)

    def at_least(self, oldest: Callable[[int], int]) -> None:
        """Ask others how old rows are, where ages have few bits: any of theirs may come here."""
        if self._limit <= 2**16:
            self._oldest = oldest(self._oldest)

    def expect(self, nodes: npt.NDArray[Any], visits: int, epochs: int) -> None:
        """Nodes are about to merge, each as often as it is in `nodes`; what a row grows at `visits` of them adds up."""
        if not len(nodes) or self._limit > 2**16:
            return
        more = int(np.bincount(nodes).max()) * visits * epochs
        if self._oldest + more > self._limit:
            self.look()
        self._oldest += more
        if self._oldest > self._limit:
            raise BadInput(
                f"storage: a row may soon be updated more than {self._limit:,} times",
                got="float16",
                allowed="float32, or fewer rounds",
            )
