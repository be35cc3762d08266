"""Gossip to views in rounds (PEPPER and its decentralized competitors): every round a node sends to its whole view.

A node that receives a model weighs it, mixes it into its own and learns at once. A round lasts as long as it takes to
send a model to everybody in the view, one after the other. What was sent when it began has arrived when it ends, and is
handled in order of sender. A message is lost if either end was offline meanwhile.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints
from tacit.protocols.view_gossip.network_simulation import Held, ViewNetwork
from tacit.protocols.view_gossip.node import Habits
from tacit.protocols.view_gossip.simulation_kernels import Inbox, Models, choose_views, make_run_round
from tacit.simulator.churn.sessions import online_mask, through_mask
from tacit.simulator.fleet import Slots, empty_slots
from tacit.simulator.simulation import Scenario


class ViewGossipSimulation(ViewNetwork):
    """All nodes of a network that lives in rounds."""

    saved_counters = ("_round",)
    divided = ("memory", *Slots._fields, *(f"sent_{name}" for name in Slots._fields))

    def __init__(self, scenario: Scenario, habits: Habits, held: Held, *, timed: bool = False) -> None:
        super().__init__(scenario, habits, held, timed=timed)
        here, items, dtype = len(self._here), scenario.train.items, scenario.dtype
        self._sent, self._after, self._come = (
            empty_slots(count, items, scenario.model, dtype) for count in (here, here, 0)
        )
        self._round = 0
        self._receive_all = make_run_round(self._receive)
        self._start(self._sent)

    def _own(self) -> tuple[Slots, npt.NDArray[np.int32]]:
        return self._sent, self.partition.places(len(self._views))

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`; what travels then is not counted yet."""
        while (self._round + 1) * self.period <= until:
            self._run_round(self._round * self.period)
        self.now = until

    def _run_round(self, begin: int) -> None:
        s, habits, own = self._scenario, self._habits, self._here
        if habits.refresh and self._round and self._round % habits.refresh == 0 and self._rules.scored:
            self._divide(self._round // habits.refresh)
        if self._round % habits.period == 0:
            event = self._round // habits.period
            args = (s.seed, event, habits.alpha, self._notes, self._views)
            s.workers.run(choose_views, len(own), *args, first=own.start)
            self.partition.complete(self._views)
        left, sizes = self._leave(begin)
        self._take_in(self._deliver(begin, sizes), left)
        self.partition.complete(self._received)
        self._sent, self._after = self._after, self._sent
        self.node_rounds = int(self._received.sum())
        self._round += 1

    def _take_in(self, inbox: Inbox, left: Slots) -> None:
        """Everybody takes in what arrived for them."""
        self._receive_part(inbox, left, self._here)

    def _receive_part(self, inbox: Inbox, left: Slots, part: range) -> None:
        """Some nodes take in what arrived for them."""
        models = Models(self._sent, left, self._come, self._after, self._shown)
        args = (self._here.start, inbox, models, self._people(), self._rules, self._hyper)
        if not self._timed:
            self._scenario.workers.run(self._receive_all, len(part), *args, first=part.start)
            return
        for u in part:
            began = time.thread_time()
            self._receive_all(u, u + 1, *args)
            self.seconds[u] += time.thread_time() - began

    def _leave(self, begin: int) -> tuple[Slots, Ints]:
        """All models as they leave, and how many bytes each has; copies where there are shields."""
        sent, nodes = self._sent, len(self._views)
        sizes = np.full(nodes, self._bytes)
        if not self._habits.shields:
            return sent, sizes
        copies = Slots(sent.rows.copy(), sent.ages.copy(), sent.dense.copy(), sent.clock.copy())
        for u in np.flatnonzero(online_mask(self._scenario.sessions, nodes, begin)).tolist():
            sizes[u] = self._past_shields(copies, u, u, self._round)
        return copies, sizes

    def _deliver(self, begin: int, sizes: Ints) -> Inbox:
        """Count what is sent, and sort what will arrive by receiver."""
        nodes, sessions = len(self._views), self._scenario.sessions
        online = online_mask(sessions, nodes, begin)
        through = through_mask(sessions, nodes, begin, begin + self.period)
        self._count(np.where(online, self._view, 0), sizes)
        sender, receiver = np.repeat(np.arange(nodes, dtype=np.int32), self._view), self._views.ravel()
        arrives = through[sender] & through[receiver]
        sender, receiver = sender[arrives], receiver[arrives]
        start = np.concatenate(([0], np.cumsum(np.bincount(receiver, minlength=nodes)))).astype(np.int64)
        told = np.sort(self._views, axis=1)
        sender = sender[np.argsort(receiver, kind="stable")]
        return Inbox(start, sender, told, sender)

    def saved_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What beside models is part of the state."""
        own = {f"sent_{n}": a for n, a in self._sent._asdict().items()} if len(self._shown.rows) else {}
        return {**own, **super().saved_arrays()}
