"""Which nodes of a simulation this process has, where several processes ("ranks") share one run.

Every rank runs the same program: it knows who sends to whom and when, and it counts all traffic. Only what is large is
divided: models, and what optimizers remember. A rank has a contiguous range of nodes. So results that are put together
in order of rank are in order of node. `Partition` itself is one process that has everything; `tacit.engines.mpi_ranks`
has the one of several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Interactions, Ints

Array = npt.NDArray[Any]
Crossing = Sequence[tuple[int, int]]
"""Models that cross: the other rank of each, and its place in this rank's arrays."""


class Partition:
    """One process that has all nodes. Others divide them; what is exchanged between ranks is their business."""

    rank: int = 0
    ranks: int = 1
    refused: bool = False
    """Whether all ranks have agreed that there is nothing to run."""

    @property
    def first(self) -> bool:
        """Whether this rank speaks and writes for all."""
        return self.rank == 0

    def cuts(self, nodes: int) -> Ints:
        """Where the stretch of each rank begins, and at last where all end."""
        found: Ints = np.arange(self.ranks + 1) * nodes // self.ranks
        return found

    def own(self, nodes: int) -> range:
        """The nodes that this rank has."""
        cuts = self.cuts(nodes)
        return range(int(cuts[self.rank]), int(cuts[self.rank + 1]))

    def owner(self, nodes: int) -> npt.NDArray[np.int32]:
        """Every node's rank."""
        return np.repeat(np.arange(self.ranks, dtype=np.int32), np.diff(self.cuts(nodes)))

    def places(self, nodes: int) -> npt.NDArray[np.int32]:
        """Every own node's place among the own ones; what others' have means nothing."""
        own = self.own(nodes)
        return np.clip(np.arange(nodes) - own.start, 0, max(0, len(own) - 1)).astype(np.int32)

    def only_own(self, start: Ints) -> Ints:
        """Where stretches begin if other ranks' nodes have none; `start` has those of all nodes."""
        own = self.own(len(start) - 1)
        found: Ints = np.clip(start, start[own.start], start[own.stop]) - start[own.start]
        return found

    def part(self, table: Interactions) -> Interactions:
        """The entries of the users that this rank has."""
        if self.ranks == 1:
            return table
        own = self.own(table.users)
        entry = np.arange(len(table))
        return table.take((entry >= table.start[own.start]) & (entry < table.start[own.stop]))

    def room(self, nodes: int) -> int:
        """How many models of other ranks may be here at a time. Room that is never used costs no memory."""
        return 0

    def complete(self, array: Array, start: Ints | None = None) -> None:
        """Fill in what other ranks have: node u has the row u of an array, or array[start[u]:start[u+1]]."""

    def swap(self, here: Sequence[Array], leaving: Crossing, come: Sequence[Array], coming: Crossing) -> None:
        """Send rows of `here` to other ranks and take theirs into `come`; both sides name them in the same order."""

    def swap_tables(self, tables: Sequence[Ints]) -> list[Ints]:
        """Send every rank a table of whole numbers with as many columns, and get those meant for this one."""
        return list(tables)

    def in_turn(self, arrays: Sequence[Array], work: Callable[[], None]) -> None:
        """Every rank works on the same arrays, one after the other in order; then all have the last one's."""
        work()

    def share(self, array: Array) -> None:
        """Give the first rank's array to all."""

    def total(self, number: int) -> int:
        """The sum over all ranks."""
        return number

    def most(self, number: int) -> int:
        """The largest of all ranks'."""
        return number

    def before(self, number: int) -> int:
        """The sum over the ranks before this one."""
        return 0

    def any(self, said: bool) -> bool:
        """Whether any rank says so."""
        return self.total(int(said)) > 0

    def decided(self, said: bool) -> bool:
        """What the first rank says."""
        return said

    def follow(self, said: bool = True) -> None:
        """Go on where the first rank says so; OSError on the others where it could not write."""
        if not self.decided(said) and not self.first:
            raise OSError("the first rank could not write")

    def pieces(self, source: Array, index: Array, step: int) -> Iterator[Array]:
        """Rows of an array, some at a time, of all ranks in order, for the first rank; nothing for the others."""
        for at in range(0, len(index), step):
            yield source[index[at : at + step]]

    def agreed(self, make: Callable[[], Any]) -> Any:
        """What `make` gives, an experiment; whatever is wrong with it on any rank ends all."""
        return make()

    def end(self, code: int) -> None:
        """End all other ranks, and this one with an exit code."""

    def costs(self) -> dict[str, float]:
        """Further entries of the result's "cost"."""
        return {}

    def notes(self) -> list[str]:
        """What a reader must know of how the work was divided."""
        return []


ALONE = Partition()
"""One process has everything."""
