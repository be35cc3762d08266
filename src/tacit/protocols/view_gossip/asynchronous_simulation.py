"""Gossip to views in exact virtual time: own periods, first sends apart, and links that are not equally fast.

A node that wakes sends its model, as it is then, to everybody in its view, one after the other. Each message takes as
long as a model takes on its sender's link. A node that receives a model weighs it, mixes it into its own and learns at
once (PEPPER, section 4.1). It wakes again after its own period, or when its last message is out, if that is later. A
message is lost if either end goes offline while it travels. What was not yet on its way is not sent.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.core.rng import Stream, uniforms
from tacit.protocols.view_gossip.asynchronous_kernels import (
    Clocks,
    Network,
    Outbox,
    Routine,
    Versions,
    make_run,
)
from tacit.protocols.view_gossip.network_simulation import Held, ViewNetwork
from tacit.protocols.view_gossip.node import Habits
from tacit.simulator.checkpoint import Arrays, Picked, Reader
from tacit.simulator.fleet import Slots, empty_slots
from tacit.simulator.simulation import Scenario, ticks
from tacit.simulator.virtual_time import SEND, Events, new_messages, new_pool, plan, settle

_MESSAGES = ("arrive", "sender", "receiver", "payload")


@dataclass(frozen=True, slots=True)
class Pace:
    """How nodes differ in time: each number is how many times as long the slowest takes as the fastest.

    The fastest node has the period of a round, and its messages take as long as everybody's in rounds.
    """

    periods: float = 1.0
    bandwidths: float = 1.0


class AsynchronousSimulation(ViewNetwork):
    """All nodes of a network in which everybody keeps their own time."""

    def __init__(
        self, scenario: Scenario, habits: Habits, held: Held, pace: Pace, *, timed: bool = False
    ) -> None:
        super().__init__(scenario, habits, held, timed=timed)
        nodes, items, seed = len(self._views), scenario.train.items, scenario.seed
        self._copied = bool(habits.shields)
        # A node has its current version, and at most one more on its way to its view.
        room = 2 * nodes + 2
        self._slots = empty_slots(nodes if self._copied else room, items, scenario.model, scenario.dtype)
        copies = empty_slots(room if self._copied else 0, items, scenario.model, scenario.dtype)
        self._payloads = copies if self._copied else self._slots
        self._slot = np.arange(nodes, dtype=np.int32)
        self._pool = new_pool(room, 0 if self._copied else nodes)
        self._messages = new_messages(nodes * self._view)
        slow, narrow = (
            _spread(seed, stream, nodes, ratio)
            for stream, ratio in ((Stream.PERIODS, pace.periods), (Stream.BANDWIDTHS, pace.bandwidths))
        )
        transfer = np.maximum(1, ticks(scenario.full_seconds) * narrow).astype(np.int64)
        self._periods = np.maximum((self.period * slow).astype(np.int64), self._view * transfer)
        first = uniforms(seed, Stream.START, 0, nodes, 1)[:, 0] if scenario.staggered else np.zeros(nodes)
        due = (first * self._periods).astype(np.int64)
        self._clocks = Clocks(due, np.zeros(nodes, np.int64), transfer)
        self._told = np.zeros_like(self._views)
        self._routine = Routine(habits.alpha, habits.period, habits.refresh)
        # Nothing that is sent in a window may arrive in it; shorter ones free what arrived sooner.
        self._window = max(1, int(transfer.min()))
        self._run = make_run(self._receive)
        self._start(self._slots)

    def _own(self) -> tuple[Slots, npt.NDArray[np.int32]]:
        return self._slots, self._slot

    @property
    def node_rounds(self) -> int:  # type: ignore[override]
        """Models received, merged and learned from."""
        return int(self._received.sum())

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`."""
        window = self._window
        while self.now < until:
            end = min(self.now + window, until)
            if not self._run_window(end):
                window = max(1, window // 2)
                continue
            self.now = end

    def _run_window(self, end: int) -> bool:
        clocks = self._clocks
        events, sends = plan(
            end, clocks.due, self._scenario.sessions, self._slot, self._messages, self._pool, not self._copied
        )
        if sends < 0:
            return False
        outbox = Outbox(
            np.zeros(sends * self._view, np.int64),
            np.empty(sends * self._view, np.int32),
            np.zeros(sends, np.int64),
        )
        self._handle(events, outbox)
        self._leave(events, outbox)
        settle(end, events, outbox.arrive, outbox.receiver, self._messages, self._pool, self._view)
        woke = clocks.due <= end
        clocks.due[woke] += self._periods[woke]
        return True

    def _handle(self, events: Events, outbox: Outbox) -> None:
        """Every node's events of a window."""
        versions = Versions(self._slots, self._payloads, self._copied, self._shown)
        network = Network(self._views, self._told, self._scenario.sessions, *self._owned())
        args = (
            events, versions, self._people(), network, self._clocks, outbox, self._routine, self._rules, self._hyper
        )  # fmt: skip
        if not self._timed:
            self._scenario.workers.run(self._run, len(events.active), *args)
            return
        for q, u in enumerate(events.active.tolist()):
            began = time.thread_time()
            self._run(q, q + 1, *args)
            self.seconds[u] += time.thread_time() - began

    def _leave(self, events: Events, outbox: Outbox) -> None:
        """Take what was sent past the shields, count it, and note which view it tells: nothing has arrived yet."""
        nodes = len(self._views)
        messages, sizes = np.zeros(nodes, np.int64), np.full(nodes, self._bytes)
        for e in np.flatnonzero(events.kind == SEND):
            u = int(events.sender[e])
            messages[u] = outbox.left[events.message[e]]
            if self._copied:
                sizes[u] = self._past_shields(
                    self._payloads, int(events.after[e]), u, int(self._clocks.wakes[u]) - 1
                )
            # Whatever told an older view has arrived: a node wakes when its last message is out.
            self._told[u] = np.sort(self._views[u])
        self._count(messages, sizes)

    def save(self) -> Arrays:
        """Everything needed to go on later and end with the same bits: slots that are in use, numbered anew."""
        m, nodes = self._messages, len(self._views)
        count = int(m.in_flight[0])
        carried = np.unique(m.payload[:count])
        slots = np.arange(nodes) if self._copied else np.unique(np.concatenate((self._slot, carried)))
        place = np.zeros(len(self._pool.users), np.int32)
        held = carried if self._copied else slots
        place[held] = np.arange(len(held))
        slot = self._slot if self._copied else place[self._slot]
        own = {name: Picked(getattr(self._slots, name), slots) for name in Slots._fields}
        copies = {
            f"payload_{name}": Picked(getattr(self._payloads, name), carried if self._copied else carried[:0])
            for name in Slots._fields
        }
        shown = {**self._shown._asdict(), "slot": np.arange(nodes, dtype=np.int32)}
        named = {f"own_{name}": array for name, array in own.items()}
        return {
            **({**shown, **named} if len(self._shown.rows) else {**own, "slot": slot}),
            **copies,
            "own_slot": slot,
            "private": self._private,
            **self.saved_arrays(),
            **{name: getattr(m, name)[:count] for name in _MESSAGES if name != "payload"},
            "payload": place[m.payload[:count]],
            "due": self._clocks.due,
            "wakes": self._clocks.wakes,
            "told": self._told,
            "traffic": self.traffic.stack(),
            "now": np.array([self.now]),
        }

    def restore(self, arrays: Reader) -> None:
        """Go on from what `save` gave and `checkpoint.write` wrote."""
        prefix = "own_" if len(self._shown.rows) else ""
        for name in Slots._fields:
            taken = arrays.into(prefix + name, getattr(self._slots, name))
            if prefix:
                arrays.into(name, getattr(self._shown, name))
            if self._copied:
                taken = arrays.into(f"payload_{name}", getattr(self._payloads, name))
        arrays.into("own_slot", self._slot)
        arrays.into("private", self._private)
        for name, array in self.saved_arrays().items():
            arrays.into(name, array)
        for name in _MESSAGES:
            self._messages.in_flight[0] = arrays.into(name, getattr(self._messages, name))
        arrays.into("due", self._clocks.due)
        arrays.into("wakes", self._clocks.wakes)
        arrays.into("told", self._told)
        self.traffic.restore(arrays["traffic"])
        self.now = int(arrays["now"][0])
        self._pool = new_pool(len(self._pool.users), taken)
        self._pool.current[:] = False
        if not self._copied:
            self._pool.current[self._slot] = True
        np.add.at(self._pool.users, self._messages.payload[: self._messages.in_flight[0]], 1)


def _spread(seed: int, stream: int, nodes: int, ratio: float) -> npt.NDArray[np.float64]:
    """Factors from 1 to `ratio`, even on a logarithmic scale."""
    factors: npt.NDArray[np.float64] = ratio ** uniforms(seed, stream, 0, nodes, 1)[:, 0]
    return factors
