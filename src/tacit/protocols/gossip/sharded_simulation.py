"""Gossip whose nodes are divided among several processes ("ranks").

Nothing that is sent in a window arrives in it. So ranks run a window, exchange the models that cross, and go on. The
plan of messages depends on no model. So every rank plans whole models for all nodes, and a model stays with its sender
until the window in which it arrives. Copies of some rows go to the rank of their receiver at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.errors import TooBig
from tacit.core.interactions import Ints
from tacit.protocols.gossip.simulation import GossipSimulation
from tacit.protocols.gossip.simulation_kernels import Flight, Sent
from tacit.simulator.checkpoint import Arrays, Picked, Reader, own_part, whole
from tacit.simulator.event_order import Merges
from tacit.simulator.fleet import as_saved
from tacit.simulator.partition import Crossing
from tacit.simulator.virtual_time import SEND, Events, new_pool

_WINDOWS = 8
"""Windows per period: the more there are, the fewer models of other ranks are here at a time."""
_NEVER = np.iinfo(np.int64).max
_MESSAGES = ("arrive", "sender", "receiver", "payload")


class ShardedGossip(GossipSimulation):
    """The agents of a gossip network that are on this rank."""

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self.partition = self._scenario.partition
        nodes = len(self._due)
        self._owner = self.partition.owner(nodes)
        self._mine = self._owner == self.partition.rank
        self._window = max(1, self.period // _WINDOWS)
        if not self._copied:
            self._slot[~self._mine] = self._elsewhere

    @property
    def _elsewhere(self) -> int:
        """The slot that stands for whatever another rank has; nothing is in it."""
        return len(self._slots.rows) - 1

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`; then every rank knows what all nodes sent."""
        self._ages.at_least(self.partition.most)
        super().advance(until)
        if self._copied:
            sent = self._sent
            for counts in (sent.updates, sent.rows, sent.rows_rated, sent.bytes, self._rounds):
                self.partition.complete(counts)

    def _cross(self, merges: Merges, flight: Flight) -> tuple[Merges, Flight]:
        """Number the versions that are made here anew, and exchange the models that other ranks' nodes merge."""
        slots, mine = len(self._slots.rows), self._mine[merges.node]
        number = np.full(slots + len(mine), self._elsewhere, np.int32)
        number[:slots] = np.arange(slots)
        number[slots + np.flatnonzero(mine)] = slots + np.arange(mine.sum())
        self._slot[:] = number[self._slot]
        flight = flight._replace(version=number[flight.version])
        np.add.at(self._rounds, merges.node[~mine], 1)  # those of own nodes are counted as they merge
        from_here = self._mine[merges.sender]
        own, theirs = number[merges.own], merges.theirs.copy()
        used = np.zeros(slots, np.bool_)
        for versions in (own[mine], theirs[from_here], self._slot, flight.version):
            used[versions[versions < slots]] = True
        used[self._elsewhere] = True
        coming, leaving = mine & ~from_here, from_here & ~mine
        free = np.flatnonzero(~used)[: coming.sum()]
        if len(free) < coming.sum():
            raise _crowded(int(coming.sum()), len(free))
        theirs[coming] = free
        self.partition.swap(
            self._slots,
            _crossing(self._owner[merges.node[leaving]], theirs[leaving]),
            self._slots,
            _crossing(self._owner[merges.sender[coming]], free),
        )
        return Merges(
            merges.at[mine], merges.node[mine], merges.sender[mine], own[mine], theirs[mine]
        ), flight

    def _wakes_here(self) -> Ints:
        return np.where(self._mine, self._due, _NEVER)

    def _run_window(self, end: int) -> bool:
        if not super()._run_window(end):  # a shorter window would be another one than that of other ranks
            raise _crowded(int(self._messages.in_flight[0]), len(self._pool.users))
        return True

    def _cross_copies(self, events: Events, sent: Sent) -> None:
        """What is sent to a node elsewhere leaves for its rank now, and waits there until it arrives."""
        sends = np.flatnonzero(events.kind == SEND)
        number, parcel = events.message[sends], events.after[sends]
        to = sent.receiver[number]
        leaving = np.flatnonzero((to >= 0) & ~self._mine[to])
        leaving = leaving[np.argsort(self._owner[to[leaving]], kind="stable")]
        number, parcel, to = number[leaving], parcel[leaving], to[leaving]
        told = np.stack((sent.arrive[number], events.sender[sends[leaving]].astype(np.int64), to), axis=1)
        ranks = self._owner[to]
        tables = self.partition.swap_tables([told[ranks == rank] for rank in range(self.partition.ranks)])
        come = np.concatenate(tables)
        places = self._enter(come)
        sources = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
        leaving_now, coming = _crossing(ranks, parcel), _crossing(sources, places)
        self.partition.swap(self._parcels, leaving_now, self._parcels, coming)
        sent.receiver[number] = -1  # it is not in flight here

    def _enter(self, come: Ints) -> Ints:
        """Parcels for messages that come from other ranks: arrival, sender and receiver of each."""
        pool, m, count = self._pool, self._messages, len(come)
        left, taken = int(pool.free_count[0]), int(m.in_flight[0])
        if count > left or taken + count > len(m.arrive):
            raise _crowded(count, left)
        places = pool.free[left - count : left].copy()
        pool.free_count[0] -= count
        pool.users[places] += 1
        arriving = slice(taken, taken + count)
        m.arrive[arriving], m.sender[arriving], m.receiver[arriving] = come.T
        m.payload[arriving] = places
        m.in_flight[0] += count
        return places.astype(np.int64)

    def save(self) -> Arrays:
        """As one process would: models of all ranks in one file, in order of rank."""
        p, flight, nodes = self.partition, self._in_flight(), len(self._due)
        here = self._here(flight)
        payloads = np.unique(flight.version[here])
        slots = np.unique(self._slot[self._mine])
        if not self._copied:
            slots = np.unique(np.concatenate((slots, payloads)))
        held = payloads if self._copied else slots
        place = np.zeros(max(len(self._pool.users), len(self._slots.rows)), np.int32)
        place[held] = p.before(len(held)) + np.arange(len(held))
        slot = np.arange(nodes, dtype=np.int32) if self._copied else place[self._slot]
        table = np.stack((flight.arrive, flight.sender, flight.receiver, place[flight.version]), axis=1)
        messages = np.concatenate(p.swap_tables([table[here].astype(np.int64)] * p.ranks))
        messages = messages[np.lexsort((messages[:, 1], messages[:, 0]))]
        for array in (slot, self._private):
            p.complete(array)
        parcels = payloads if self._copied else payloads[:0]
        return {
            **{
                name: Picked(as_saved(name, array), slots, p) for name, array in self._slots._asdict().items()
            },
            **{
                f"parcel_{name}": Picked(as_saved(name, array), parcels, p)
                for name, array in self._parcels._asdict().items()
            },
            "slot": slot,
            "memory": whole(self._data.memory, p),
            "private": self._private,
            "arrive": messages[:, 0],
            **{name: messages[:, n + 1].astype(np.int32) for n, name in enumerate(_MESSAGES[1:])},
            "due": self._due,
            "wakes": self._wakes,
            "rounds": self._rounds,
            "traffic": self._sent.stack(),
            "now": np.array([self.now]),
        }

    def restore(self, arrays: Reader) -> None:
        """Go on from what `save` gave, here or in one process, whatever the number of ranks was."""
        slot, flight = arrays["slot"][self._mine], Flight(*(arrays[name] for name in _MESSAGES))
        here = self._here(flight)
        payloads = np.unique(flight.version[here])
        slots = np.unique(slot if self._copied else np.concatenate((slot, payloads)))
        for name, array in self._slots._asdict().items():
            arrays.into(name, as_saved(name, array), slots)
        if self._copied:
            for name, array in self._parcels._asdict().items():
                arrays.into(f"parcel_{name}", as_saved(name, array), payloads)
        self._ages.look()
        self._slot[self._mine] = np.searchsorted(slots, slot)
        own_part(arrays, "memory", self._data.memory, self.partition)
        arrays.into("private", self._private)
        arrays.into("due", self._due)
        arrays.into("wakes", self._wakes)
        arrays.into("rounds", self._rounds)
        self._sent.restore(arrays["traffic"])
        self.now = int(arrays["now"][0])
        if not self._copied:
            place = np.where(here, np.searchsorted(slots, flight.version), self._elsewhere)
            self._flight = flight._replace(version=place.astype(np.int32))
            return
        self._pool = new_pool(len(self._pool.users), len(payloads))
        self._pool.current[:] = False
        self._pool.users[: len(payloads)] = 1
        count = self._messages.in_flight[0] = int(here.sum())
        m = self._messages
        m.arrive[:count], m.sender[:count], m.receiver[:count] = (array[here] for array in flight[:3])
        m.payload[:count] = np.searchsorted(payloads, flight.version[here])

    def _here(self, flight: Flight) -> npt.NDArray[np.bool_]:
        """Whether what a message carries is on this rank."""
        found: npt.NDArray[np.bool_] = self._mine[flight.receiver if self._copied else flight.sender]
        return found


def _crossing(ranks: npt.NDArray[Any], places: npt.NDArray[Any]) -> Crossing:
    return list(zip(ranks.tolist(), places.tolist(), strict=True))


def _crowded(needed: int, room: int) -> TooBig:
    return TooBig(
        f"--engine mpi: {needed:,} models of other ranks come at once, and there is room for {room:,}; "
        "try fewer ranks or --set start=staggered"
    )
