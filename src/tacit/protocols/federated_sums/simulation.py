"""ALS with a server that only adds up: one round is one sweep.

The server sends the rows to everybody. Each client solves its own vector and returns its statistics (`models/ials.py`)
in half precision, only for items it has. The server adds them and solves the next rows. It sees what each client has:
the rows that a client returns are its items.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints, Positions, Values
from tacit.core.math.als_solver import Doubles, gram, solve_side
from tacit.core.message import codec
from tacit.core.message.half_precision import narrow, widen
from tacit.core.node_state import Floats
from tacit.core.traffic import Traffic
from tacit.models.ials import Hyper, ImplicitLeastSquares, tell, weights
from tacit.models.ials_rows import read_out
from tacit.simulator.churn.sessions import through_mask
from tacit.simulator.fleet import Fleet, empty_slots
from tacit.simulator.initialize import initialize
from tacit.simulator.simulation import Scenario, ServerSimulation, ticks
from tacit.simulator.user_groups import together


@kernel
def add_up(
    answered: npt.NDArray[np.bool_],
    start: Ints,
    item: Positions,
    values: Values,
    private: Floats,
    rows: Floats,
    sums: Doubles,
    outer: Doubles,
    hyper: Hyper,
) -> None:
    """What the clients that answered tell, in half precision, summed up."""
    told = np.zeros(sums.shape, np.float32)
    square, halves = np.zeros(len(outer), np.float32), np.zeros(len(outer), np.uint16)
    words = np.zeros(sums.shape[1], np.uint16)
    for u in range(len(answered)):
        if not answered[u]:
            continue
        had = item[start[u] : start[u + 1]]
        tell(private[u], had, values[start[u] : start[u + 1]], rows, told, square, hyper)
        for i in had:
            narrow(told[i], words)
            widen(words, told[i])
            sums[i] += told[i]
        narrow(square, halves)
        widen(halves, square)
        outer += square


class FederatedSumsSimulation(ServerSimulation):
    """A server and all its clients."""

    saved_counters = ("_turn", "downloads")

    def __init__(self, scenario: Scenario) -> None:
        model, train = scenario.model, scenario.train
        assert isinstance(model, ImplicitLeastSquares)
        self._scenario, self._hyper = scenario, model.hyper()
        slots = empty_slots(1, train.items, model, scenario.dtype)
        nothing = np.zeros((train.users, model.private_size), scenario.dtype)
        self.fleet = Fleet(slots, np.zeros(train.users, np.int32), nothing)
        self._columns, self._outer = model.sum_width, model.k * (model.k + 1) // 2
        self.download_bytes = codec.encoded_size(
            train.items, model.k, 0, sparse=False, itemsize=2, ages=False
        )
        self._up = np.array(
            [
                codec.encoded_size(int(n), self._columns, self._outer, sparse=True, itemsize=2, ages=False)
                for n in train.counts
            ]
        )
        # Numbers of two bytes take half the time, down and up.
        self.period = max(2, ticks(scenario.full_seconds))
        self.traffic = Traffic.empty(train.users)
        self._turn = 0
        initialize(scenario, slots, self.fleet.private, together(train.users))
        self._solve()

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`: a round ends each period."""
        while (self._turn + 1) * self.period <= until:
            self._round()
        self.now = until

    def _round(self) -> None:
        train, t, slots = self._scenario.train, self.traffic, self.fleet.slots
        begin = self._turn * self.period
        there = through_mask(self._scenario.sessions, train.users, begin, begin + self.period - 1)
        self._turn += 1
        answered = there & (train.counts > 0)
        if not answered.any():
            return
        sums, outer = np.zeros((train.items, self._columns)), np.zeros(self._outer)
        add_up(
            answered, train.start, train.item, train.value, self.fleet.private, slots.rows[0], sums, outer,
            self._hyper,
        )  # fmt: skip
        counts = sums[:, slots.rows.shape[2]]
        count = float(answered.sum())
        w0, reg = weights(float(counts.sum()) / count, self._scenario.train.items, self._hyper)
        read_out(
            sums.astype(np.float32), outer.astype(np.float32), count, count, w0, reg, 0.0,
            bool(slots.clock[0] > 0), slots.rows[0],
        )  # fmt: skip
        slots.rows[0] = slots.rows[0].astype(np.float16)
        slots.ages[0] += counts > 0
        slots.clock[0] += 1
        self.node_rounds += int(answered.sum())
        self.downloads = self.node_rounds
        t.updates += answered
        t.rows += np.where(answered, train.counts, 0)
        t.rows_rated += np.where(answered, train.counts, 0)
        t.bytes += np.where(answered, self._up, 0)
        self._solve()

    def _solve(self) -> None:
        """Everybody's own vector, exactly for the rows there are."""
        train, rows = self._scenario.train, self.fleet.slots.rows[0]
        w0, reg = weights(len(train) / max(1, train.users), train.items, self._hyper)
        self._scenario.workers.run(
            solve_side, train.users, train.start, train.item, rows, gram(rows), w0, reg, self.fleet.private
        )
