"""Federated pair-wise learning (FPL, FedeRank) in virtual time. A period is one epoch.

In a round the server sends its model to some clients. Each draws T triples from its own data and learns its own vector
as it goes. It sends back the sum of the updates of the items it met, as far as it discloses them. The server adds lr
times the sum of all. Rounds of one client follow each other, so there is nothing to share out among cores.

Where clients come and go, a round begins with those that are online, and takes a download and an upload. An epoch of
such rounds can last for years, so the days of a trace are repeated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints
from tacit.core.message import codec
from tacit.core.rng import Stream, permutation
from tacit.core.traffic import Traffic
from tacit.models.base import memory_sizes
from tacit.models.bpr import Hyper
from tacit.protocols.federated_pairs.communication_cost import cce
from tacit.protocols.federated_pairs.simulation_kernels import (
    DOWNLOADS,
    LEARNED,
    LOST,
    Asking,
    Clients,
    Observed,
    PairNumbers,
    Round,
    Scratch,
    Sent,
    run_rounds,
)
from tacit.simulator.churn.sessions import SECOND, Sessions
from tacit.simulator.fleet import Fleet, empty_slots
from tacit.simulator.initialize import initialize
from tacit.simulator.simulation import Scenario, ServerSimulation, ticks
from tacit.simulator.user_groups import together

_DAY = 24 * 3600 * SECOND
WATCHED = 50
"""Clients whose traffic an observing server stores."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How much happens when."""

    clients: int
    """Clients per round, |U-|."""
    triples: int
    """T; the largest where each client has its own."""
    rounds: int
    """Rounds per epoch, rpe."""
    by_data: bool = False
    """Pick a client by how much data it has (uniform over interactions), not all alike."""
    popular: float = 0.0
    """What share of negatives is drawn by popularity, not all items alike."""
    falling: bool = False
    """Whether the learning rate falls in a straight line, to 0 after the last epoch."""
    each: Ints | None = None
    """T of each client; None: `triples` for all."""


class PairsSimulation(ServerSimulation):
    """A server and all its clients."""

    saved_counters = ("epoch", "downloads", "lost")
    lost: int = 0
    """Updates of clients that left before they arrived."""

    def __init__(
        self,
        scenario: Scenario,
        pace: Pace,
        *,
        whole_items: bool = True,
        batch: bool = False,
        observe: bool = False,
    ) -> None:
        model, train = scenario.model, scenario.train
        nodes, items, width = train.users, train.items, model.row_width
        self._scenario, self._pace = scenario, pace
        self._hyper: Hyper = model.hyper()
        self.pi = np.ones(nodes) if scenario.pi is None else scenario.pi
        """What share of updates about own items each client discloses."""
        # Negatives come from everything outside the training part, as on a real device, unless told otherwise.
        self._avoid = train if scenario.avoid is None else scenario.avoid
        self._entry_user = train.user if pace.by_data else np.zeros(0, np.int32)
        each = np.full(nodes, pace.triples, np.int64) if pace.each is None else pace.each
        self._triples = np.where(train.counts > 0, each, 0)
        churn = len(scenario.sessions.first) > 0
        self._may_leave = np.zeros(0, np.bool_) if scenario.may_leave is None else scenario.may_leave
        slots = empty_slots(1, items, model, scenario.dtype)
        self.fleet = Fleet(
            slots, np.zeros(nodes, np.int32), np.zeros((nodes, model.private_size), scenario.dtype)
        )
        sizes = memory_sizes(model)
        self._memories = {
            "own_memory": np.zeros(nodes * sizes.person, scenario.dtype),
            "row_memory": np.zeros(items * sizes.row, scenario.dtype),
        }
        """What clients remember of the steps of their vectors, and the server of those of its rows; empty for plain."""
        most = min(items, 2 * pace.clients * pace.triples)
        self._scratch = empty_scratch(items, most, width, scenario.dtype)
        self._lost = empty_scratch(items, most if churn else 0, width, scenario.dtype)
        """Where updates go that do not arrive: nobody reads them."""
        watched = permutation(scenario.seed, Stream.OBSERVED, 0, 0, nodes)[: WATCHED if observe else 0]
        slot = np.full(nodes, -1, np.int32)
        slot[watched] = np.arange(len(watched))
        self.watched: Ints = watched
        self.observed = Observed(
            slot, np.zeros((len(watched), items), np.int32), np.zeros((len(watched), items))
        )
        self._unseen = Observed(np.full(nodes, -1, np.int32), self.observed.seen[:0], self.observed.bias[:0])
        size = np.dtype(scenario.dtype).itemsize
        header = codec.encoded_size(0, width, 0, sparse=True, itemsize=size)
        row = codec.encoded_size(1, width, 0, sparse=True, itemsize=size) - header
        download = ticks(scenario.full_seconds)
        length = download + ticks(scenario.full_seconds * min(items, 2 * pace.triples) / items)
        self._numbers = PairNumbers(
            scenario.seed, pace.clients, whole_items, batch, pace.popular, header, row, download, length,
            days(scenario.sessions), churn,
        )  # fmt: skip
        self.download_bytes = codec.encoded_size(items, width, 0, sparse=False, itemsize=size)
        self.period = pace.rounds * length
        self.traffic = self._uploads = Traffic.empty(nodes)
        self.epoch = 0
        initialize(scenario, slots, self.fleet.private, together(nodes))

    def costs(self) -> dict[str, float]:
        """The papers' cost of an epoch, and how fresh models are."""
        pace, train = self._pace, self._scenario.train
        costs = {
            "cce": self._cce(),
            "freshness": float(pace.rounds),
            "normalized_freshness": pace.rounds / (self._scenario.interactions or len(train)),
            "bytes_up": int(self.traffic.bytes.sum()),
        }
        if len(self._scenario.sessions.first) and self.epoch:
            costs["clients_per_round"] = self.node_rounds / (self.epoch * pace.rounds)
            costs["updates_lost"] = self.lost
        return costs

    def _cce(self) -> float:
        """The papers' cost: of those who take part, by how often each is picked and by what each discloses."""
        pace, counts = self._pace, self._scenario.train.counts
        part = np.flatnonzero(self._triples)
        if not len(part):
            return 0.0
        disclosed = self.pi[part] * self._may_share()[part]
        triples, often = self._triples[part], counts[part] if pace.by_data else None
        mean = float(np.average(triples, weights=often))
        positive = float(np.average(triples * disclosed, weights=often))
        return cce(
            min(pace.clients, len(part)), pace.rounds, self._scenario.train.items, mean, positive / mean
        )

    def _may_share(self) -> npt.NDArray[np.float64]:
        """What share of each client's items may leave at all."""
        train = self._scenario.train
        if not len(self._may_leave):
            return np.ones(train.users)
        may = np.bincount(train.user, weights=self._may_leave, minlength=train.users)
        share: npt.NDArray[np.float64] = may / np.maximum(train.counts, 1)
        return share

    def updates_per_item(self) -> Ints:
        """How many updates of each item the server received."""
        counts: Ints = self.fleet.slots.ages[0].astype(np.int64)
        return counts

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`: an epoch ends each period."""
        rounds, t = self._pace.rounds, self._uploads
        sent = Sent(t.updates, t.rows, t.rows_rated, t.bytes)
        own_memory, row_memory = (m if len(m) else None for m in self._memories.values())
        train, avoid = self._scenario.train, self._avoid
        clients = Clients(
            self.fleet.private, own_memory, train.start, train.item, avoid.start, avoid.item, self.pi,
            self._may_leave, self._triples,
        )  # fmt: skip
        counts = np.zeros(3, np.int64)
        asking = Asking(self._entry_user, self._scenario.sessions, counts)
        under_way = Round(self._scratch, sent, self.observed), Round(self._lost, sent, self._unseen)
        while (self.epoch + 1) * self.period <= until:
            if self._triples.any():
                run_rounds(
                    self.epoch * rounds, (self.epoch + 1) * rounds, self.fleet.slots, row_memory, clients,
                    asking, under_way, self._numbers, self._hyper_now(),
                )  # fmt: skip
            self.epoch += 1
        self.downloads += int(counts[DOWNLOADS])
        self.node_rounds += int(counts[LEARNED])
        self.lost += int(counts[LOST])
        self.now = until

    def _hyper_now(self) -> Hyper:
        """The model's numbers in this epoch."""
        if not self._pace.falling:
            return self._hyper
        left = max(0.0, 1 - self.epoch / self._scenario.epochs)
        return self._hyper._replace(lr=np.float32(self._hyper.lr * left))

    def saved_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What beside models is part of the state."""
        return {
            "seen": self.observed.seen,
            "bias": self.observed.bias,
            **{name: memory for name, memory in self._memories.items() if len(memory)},
        }


def empty_scratch(items: int, most: int, width: int, dtype: str) -> Scratch:
    """Room for a round that touches at most so many items."""
    return Scratch(
        np.zeros(items, np.int32),
        np.zeros(most, np.int32),
        np.zeros((most, width), dtype),
        np.zeros(most, np.int32),
        np.zeros(most, np.int64),
    )


def days(sessions: Sessions) -> int:
    """How long it takes until who is online is repeated: the whole days in which sessions begin; 1 where all are."""
    if len(sessions.first) == 0:
        return 1
    return max(1, -(-(int(sessions.begin.max(initial=0)) + 1) // _DAY)) * _DAY
