"""Push-sum of ALS statistics in exact virtual time: all nodes of a network without a server.

Every node wakes once per period of its own, gives half of its sums to a peer and keeps the other half. A share of
half-precision numbers takes half as long as a whole model. Shares are acknowledged and sent again until they
are, so that a lost message delays sums and does not lose them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.core.message import codec
from tacit.core.message.half_precision import widen
from tacit.core.node_state import NodeState
from tacit.core.rng import Stream, uniforms
from tacit.core.scorer import Scorer
from tacit.core.traffic import Traffic
from tacit.models.base import exchanged, sum_width
from tacit.peer_sampling.graphs import Neighbours
from tacit.protocols.push_sum.headcount import HEADS
from tacit.protocols.push_sum.kernels import sum_kernels
from tacit.protocols.push_sum.mask_partners import pair_up
from tacit.protocols.push_sum.node import first_rows, spread
from tacit.protocols.push_sum.scoring_kernels import WordScorer
from tacit.protocols.push_sum.simulation_kernels import make_begin_all, make_run
from tacit.protocols.push_sum.state import DISCARDED, FOREVER, GOOD, Book, Rules, flat_size, new_book
from tacit.protocols.push_sum.window_kernels import Clocks, Flights, Questions, Sent, collect
from tacit.simulator.checkpoint import Arrays, Reader
from tacit.simulator.fleet import Fleet, Slots, local
from tacit.simulator.simulation import Scenario, Simulation, ticks

_STALLED = 1
"""With masks, times its turns with nothing left to mix after which an epoch is given up."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """How nodes go about it."""

    turns: int = 0
    """Shares a node gives away in an epoch; 0: by rule from how many people there are."""
    masks: float = 0.0
    """Standard deviation of a node's masks, in units of one item's count; 0: none."""
    partners: int = 4
    tolerance: float = 0.04
    patience: int = 20
    """How often a share without masks is sent again before it is given up."""
    staggered: bool = True
    speeds: float = 0.0
    """By how much the slowest node's period is longer, as a part of the fastest's."""
    loss: float = 0.0
    """Share of transmissions that the network loses."""
    ring: bool = False
    """Whether peers are chosen along a ring; everybody knows everybody then."""

    def rules(self, seed: int, period: int) -> Rules:
        """What the kernels need; a period is in microseconds."""
        # A share that is given up takes its part of masks along, and the epoch is lost: rather wait for its receiver.
        patience = FOREVER if self.masks > 0 else self.patience
        stalled = _STALLED if self.masks > 0 else 0
        ring = period if self.ring else 0
        return Rules(seed, self.turns, self.masks, self.tolerance, patience, stalled=stalled, ring=ring)


class PushSumSimulation(Simulation):
    """All nodes."""

    def __init__(self, scenario: Scenario, graph: Neighbours, conduct: Conduct) -> None:
        model, train, seed = scenario.model, scenario.train, scenario.seed
        nodes, items, width = train.users, train.items, model.row_width
        self._scenario, self._graph, self._data = scenario, graph, local(train)
        self._items, self._width, self._hyper = items, width, model.hyper()
        self.period = max(2, ticks(scenario.full_seconds))
        self._rules = conduct.rules(seed, self.period)
        partner, secret = pair_up(nodes, conduct.partners if conduct.masks > 0 else 0, seed)
        self.book: Book = new_book(
            np.arange(nodes), items, width, sum_width(model), model.private_size, partner, secret
        )
        self.book.rows[:] = first_rows(model, seed, items)
        slow = uniforms(seed, Stream.SPEED, 0, nodes, 1)[:, 0] * conduct.speeds
        offsets = uniforms(seed, Stream.START, 0, nodes, 1)[:, 0] if conduct.staggered else np.zeros(nodes)
        periods = (self.period * (1 + slow)).astype(np.int64)
        self._clocks = Clocks(
            (offsets * spread(self._rules, self.period)).astype(np.int64),
            periods,
            self.period // 2,
            conduct.loss,
        )
        flags = (np.zeros(nodes, np.bool_) for _ in range(4))
        self.flights = Flights(np.full(nodes, -1), np.zeros(nodes, np.int32), *flags)
        self.questions = Questions(
            np.full(nodes, -1), np.zeros(nodes, np.int32), np.zeros(nodes, np.int64), np.zeros(nodes, np.bool_),
            np.full(nodes, -1),
        )  # fmt: skip
        self.traffic = Traffic.empty(nodes)
        self._received = np.zeros(nodes, np.int64)
        self._window = self.period // 2
        kernels = sum_kernels(exchanged(model))
        self._run = make_run(kernels)
        scenario.workers.run(
            make_begin_all(kernels.begin), nodes, self.book, self._data, self._rules, self._hyper
        )

    @property
    def masks(self) -> float:
        """How strong masks are; 0: there are none."""
        return self._rules.masks

    @property
    def scorer(self) -> Scorer | None:
        """Everybody ranks with the rows of their last read-out, and their own vector solved for these."""
        return WordScorer(self.book, self._scenario.workers) if self._scenario.model.name == "ials" else None

    @property
    def fleet(self) -> Fleet:  # type: ignore[override]
        """The rows as a fleet of models. A copy."""
        nodes, items, width = len(self.book.rows), self._items, self._width
        rows = np.empty(nodes * items * width, np.float32)
        widen(self.book.rows.reshape(-1), rows)
        table = rows.reshape(nodes, items, width)
        ages = (table != 0).any(axis=2).astype(np.int32)
        slots = Slots(table, ages, np.zeros((nodes, 0), np.float32), self.book.clock[:, GOOD] + 1)
        return Fleet(slots, np.arange(nodes, dtype=np.int32), self.book.private)

    def node(self, user: int) -> NodeState:
        """One node's rows, without a copy of everybody else's."""
        rows = np.empty(self._items * self._width, np.float32)
        widen(self.book.rows[user], rows)
        table = rows.reshape(self._items, self._width)
        ages = (table != 0).any(axis=1).astype(np.int32)
        clock = int(self.book.clock[user, GOOD]) + 1
        return NodeState(table, ages, np.zeros(0, np.float32), clock, self.book.private[user])

    @property
    def one_model(self) -> bool:
        """Every node reads rows out of its own sums."""
        return False

    @property
    def node_rounds(self) -> int:  # type: ignore[override]
        """Shares received and added."""
        return int(self._received.sum())

    def costs(self) -> dict[str, float]:
        """How far epochs got."""
        clock, known = self.book.clock, self.book.known[:, 1]
        return {
            "read_outs": float(clock[:, GOOD].mean() + 1),
            "epochs_discarded": float(clock[:, DISCARDED].mean()),
            "people_counted": float(np.median(known)),
        }

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`."""
        t = self.traffic
        sent = Sent(t.updates, t.rows, t.rows_rated, t.bytes, self._received, self._rest())
        while self.now < until:
            end = min(self.now + self._window, until)
            inbox = collect(end, self.flights.arrive, self.flights.receiver)
            asked = collect(end, self.questions.arrive, self.questions.receiver)
            self._scenario.workers.run(
                self._run, len(self.book.clock), end, inbox, asked, self.flights, self.questions, self.book,
                self._clocks, self._data, self._graph, self._scenario.sessions, sent, self._rules, self._hyper,
            )  # fmt: skip
            self.now = end

    def _rest(self) -> int:
        width = sum_width(self._scenario.model)
        dense = flat_size(self._items, self._width, width) - self._items * width + HEADS
        return codec.encoded_size(0, width, dense, sparse=False, itemsize=2)

    def save(self) -> Arrays:
        """Everything needed to go on later and end with the same bits."""
        book, nodes = self.book, len(self.book.rows)
        halves = book.rows.view(np.float16).reshape(nodes, self._items, self._width)
        return {
            **{f"book_{name}": getattr(book, name) for name in _KEPT},
            **{f"flight_{name}": array for name, array in self.flights._asdict().items()},
            **{f"question_{name}": array for name, array in self.questions._asdict().items()},
            "rows": halves,
            "ages": (halves != 0).any(axis=2).astype(np.int32),
            "dense": np.zeros((nodes, 0), np.float32),
            "clock": book.clock[:, GOOD] + 1,
            "slot": np.arange(nodes, dtype=np.int32),
            "private": book.private,
            "due": self._clocks.due,
            "received": self._received,
            "traffic": self.traffic.stack(),
            "now": np.array([self.now]),
        }

    def restore(self, arrays: Reader) -> None:
        """Go on from what `save` gave and `checkpoint.write` wrote."""
        book = self.book
        for name in _KEPT:
            arrays.into(f"book_{name}", getattr(book, name))
        for name, array in self.flights._asdict().items():
            arrays.into(f"flight_{name}", array)
        for name, array in self.questions._asdict().items():
            arrays.into(f"question_{name}", array)
        arrays.into("rows", book.rows.view(np.float16).reshape(len(book.rows), self._items, self._width))
        arrays.into("private", book.private)
        arrays.into("due", self._clocks.due)
        arrays.into("received", self._received)
        self.traffic.restore(arrays["traffic"])
        self.now = int(arrays["now"][0])


_KEPT = ("clock", "sums", "words", "heads", "sent_heads", "known", "pair", "course", "ahead")
"""The parts of a book that are neither given at the start nor saved as a model."""
