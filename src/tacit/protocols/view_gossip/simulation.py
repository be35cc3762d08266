"""Gossip to views (PEPPER and its decentralized competitors): every round a node sends its model to its whole view.

Whoever receives a model weighs it, mixes it into its own and learns at once. A round lasts as long as it takes to send
a model to everybody in the view, one after the other; what was sent when it began has arrived when it ends, and is
taken in by ascending sender. A message is lost if either end was offline meanwhile.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions, Ints
from tacit.core.message import codec
from tacit.core.traffic import Traffic
from tacit.merges.base import SAMPLES
from tacit.models.base import memory_sizes
from tacit.models.training import training
from tacit.protocols.view_gossip.kernels import make_receive
from tacit.protocols.view_gossip.node import Habits, rules_of
from tacit.protocols.view_gossip.simulation_kernels import (
    Aside,
    Inbox,
    Models,
    Notes,
    Owned,
    People,
    choose_views,
    divide_all,
    make_run_round,
)
from tacit.simulator.churn.sessions import online_mask, through_mask
from tacit.simulator.fleet import Fleet, Local, Slots, empty_slots, memory_starts
from tacit.simulator.initialize import initialize
from tacit.simulator.outgoing_messages import Leaving
from tacit.simulator.simulation import Scenario, Simulation, ticks
from tacit.simulator.user_groups import alone


@dataclass(frozen=True, slots=True)
class Held:
    """What nodes hold back and what they may know."""

    weighting: Ints
    """How many items each node sets aside to weigh models by."""
    avoid: Interactions | None = None
    """What negatives are drawn outside of (`negatives=paper`); None: each node's own training part."""


class ViewGossipSimulation(Simulation):
    """All nodes of the network."""

    saved_counters = ("_round",)

    def __init__(self, scenario: Scenario, habits: Habits, held: Held, *, timed: bool = False) -> None:
        model, train = scenario.model, scenario.train
        nodes, items = train.users, train.items
        if nodes < 2:
            raise BadInput(
                "network", got=f"{nodes} node", allowed="2 nodes or more, to have somebody to gossip with"
            )
        self._scenario, self._habits, self._held, self._timed = scenario, habits, held, timed
        self._hyper, self._rules = model.hyper(), rules_of(habits, scenario.seed, scenario.epochs)
        self._view = min(habits.view, nodes - 1)
        self.period = self._view * ticks(scenario.full_seconds)
        self._sent, self._after = (empty_slots(nodes, items, model, scenario.dtype) for _ in range(2))
        own = habits.read_out != "local"
        self._shown = empty_slots(nodes if own else 0, items, model, scenario.dtype)
        self._private = np.zeros((nodes, model.private_size), scenario.dtype)
        self._samples = train.counts - (held.weighting if self._rules.scored else 0)
        self._data, self._aside = self._room()
        remembered = min(habits.memory, nodes - 1) if self._rules.scored else 0
        self._notes = Notes(
            np.full((nodes, remembered), -1, np.int32), np.zeros((nodes, remembered), np.float32)
        )
        self._views = np.zeros((nodes, self._view), np.int32)
        self._received = np.zeros(nodes, np.int64)
        self._round = 0
        self.traffic = Traffic.empty(nodes)
        self.seconds = np.zeros(nodes)
        """What each node spent computing, where that is timed (`timing=true`): measured, so different every time."""
        size = np.dtype(scenario.dtype).itemsize
        self._bytes = codec.encoded_size(
            items, model.row_width, model.dense_size, sparse=False, itemsize=size
        )
        self._samples_bytes = 8 if self._rules.basis == SAMPLES else 0
        self._bytes += self._samples_bytes
        self._receive_all = make_run_round(make_receive(model.kernels.score, training(model).train))
        initialize(scenario, self._sent, self._private, alone(nodes))
        if habits.common:
            for array in (self._sent.rows, self._sent.ages, self._sent.dense):
                array[1:] = array[0]
        for name in ("rows", "ages", "dense"):
            getattr(self._shown, name)[:] = getattr(self._sent, name)[: len(self._shown.rows)]
        self._divide(0)

    def _room(self) -> tuple[Local, Aside]:
        """Arrays for everybody's data; how much each node sets aside never changes."""
        train, avoid = self._scenario.train, self._held.avoid
        aside = self._held.weighting if self._rules.scored else np.zeros(train.users, np.int64)
        counts = train.counts - aside if avoid is None else avoid.counts
        start, aside_start = (np.concatenate(([0], np.cumsum(n))).astype(np.int64) for n in (counts, aside))
        memory_start = memory_starts(memory_sizes(self._scenario.model), start, train.items)
        data = Local(
            start,
            np.zeros(start[-1], np.int32),
            np.zeros(start[-1], np.float32),
            np.zeros(memory_start[-1], self._scenario.dtype),
            memory_start,
        )
        others = np.full((train.users, self._habits.negatives), -1, np.int32)
        return data, Aside(aside_start, np.zeros(aside_start[-1], np.int32), others)

    def _divide(self, event: int) -> None:
        """Everybody sets a weighting set aside, and returns the old one to the training part."""
        train, avoid = self._scenario.train, self._held.avoid
        nothing = Owned(np.zeros(1, np.int64), train.item[:0])
        forbidden = nothing if avoid is None else Owned(avoid.start, avoid.item)
        self._scenario.workers.run(
            divide_all, train.users, self._scenario.seed, event, Owned(train.start, train.item), forbidden,
            train.items, self._data, self._aside,
        )  # fmt: skip

    @property
    def fleet(self) -> Fleet:  # type: ignore[override]
        """The models nodes recommend with: `read-out` says which."""
        slots = self._shown if len(self._shown.rows) else self._sent
        return Fleet(slots, np.arange(len(self._views), dtype=np.int32), self._private)

    def per_node(self) -> dict[str, npt.NDArray[Any]]:
        """What is known about each node beside its metrics: models received, and seconds where they were measured."""
        more = {"seconds": self.seconds} if self._timed else {}
        return {"models_received": self._received, **more}

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`; what travels then is not counted yet."""
        while (self._round + 1) * self.period <= until:
            self._run_round(self._round * self.period)
        self.now = until

    def _run_round(self, begin: int) -> None:
        run, nodes, rules = self._scenario.workers.run, len(self._views), self._rules
        refresh = self._habits.refresh
        if refresh and self._round and self._round % refresh == 0 and rules.scored:
            self._divide(self._round // refresh)
        if self._round % self._habits.period == 0:
            event = self._round // self._habits.period
            run(choose_views, nodes, self._scenario.seed, event, self._habits.alpha, self._notes, self._views)
        left, sizes = self._leave(begin)
        models = Models(self._sent, left, self._after, self._shown)
        people = People(self._private, self._data, self._aside, self._samples, self._notes, self._received)
        args = (self._deliver(begin, sizes), models, people, rules, self._hyper)
        if self._timed:
            for u in range(nodes):
                began = time.perf_counter()
                self._receive_all(u, u + 1, *args)
                self.seconds[u] += time.perf_counter() - began
        else:
            run(self._receive_all, nodes, *args)
        self._sent, self._after = self._after, self._sent
        self.node_rounds = int(self._received.sum())
        self._round += 1

    def _leave(self, begin: int) -> tuple[Slots, Ints]:
        """All models as they leave, and how many bytes a message of each node has; copies where there are shields."""
        s, sent, nodes = self._scenario, self._sent, len(self._views)
        if not self._habits.shields:
            return sent, np.full(nodes, self._bytes)
        copies = Slots(sent.rows.copy(), sent.ages.copy(), sent.dense.copy(), sent.clock.copy())
        leaving, left = Leaving(s.model.fields, self._habits.shields, s.seed), Traffic.empty(nodes)
        for u in np.flatnonzero(online_mask(s.sessions, nodes, begin)).tolist():
            rows = leaving.release_model(copies, u, s.train.of(u)[0], u, self._round, left)
            if len(rows) < s.train.items:
                raise BadInput(
                    "shield",
                    got=f"{len(rows)} of {s.train.items} rows",
                    allowed="one that lets all rows out, with protocol view-gossip: models are weighed as a whole",
                )
        return copies, left.bytes + self._samples_bytes

    def _deliver(self, begin: int, sizes: Ints) -> Inbox:
        """Count what is sent, and sort what will arrive by receiver."""
        nodes, sessions = len(self._views), self._scenario.sessions
        online = online_mask(sessions, nodes, begin)
        through = through_mask(sessions, nodes, begin, begin + self.period)
        count, t = np.where(online, self._view, 0), self.traffic
        t.updates += count
        t.rows += count * self._scenario.train.items
        t.rows_rated += count * self._scenario.train.counts
        t.bytes += count * sizes
        sender, receiver = np.repeat(np.arange(nodes, dtype=np.int32), self._view), self._views.ravel()
        arrives = through[sender] & through[receiver]
        sender, receiver = sender[arrives], receiver[arrives]
        start = np.concatenate(([0], np.cumsum(np.bincount(receiver, minlength=nodes)))).astype(np.int64)
        return Inbox(start, sender[np.argsort(receiver, kind="stable")])

    def saved_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What beside models is part of the state."""
        return {
            **({f"sent_{n}": a for n, a in self._sent._asdict().items()} if len(self._shown.rows) else {}),
            "memory": self._data.memory,
            "item": self._data.item,
            "value": self._data.value,
            "aside": self._aside.item,
            "others": self._aside.others,
            "views": self._views,
            "note_peers": self._notes.peers,
            "note_scores": self._notes.scores,
            "received": self._received,
            "seconds": self.seconds,
        }
