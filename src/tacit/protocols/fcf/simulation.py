"""Federated collaborative filtering in virtual time. A period is one round, and a round is an epoch.

The server sends Y to every client. Each client solves its own x_u for it and returns the gradient of its part of the
loss for every row. The server moves Y by the sum of them. Step sizes are Adam's, because gradients of popular items are
far larger.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints
from tacit.core.message import codec
from tacit.core.node_state import Floats
from tacit.core.traffic import Traffic
from tacit.models.fcf import FederatedFiltering, Hyper, solve
from tacit.simulator.fleet import Fleet, Local, empty_slots, local
from tacit.simulator.initialize import initialize
from tacit.simulator.simulation import Scenario, ServerSimulation, ticks
from tacit.simulator.user_groups import together

_MEAN, _SQUARE, _TINY = 0.9, 0.999, 1e-8


@kernel
def solve_all(
    low: int, high: int, rows: Floats, gram: Floats, private: Floats, data: Local, hyper: Hyper
) -> None:
    """Every client's own vector."""
    for u in range(low, high):
        solve(rows, gram, private[u], data.item[data.start[u] : data.start[u + 1]], hyper)


class FcfSimulation(ServerSimulation):
    """A server and all its clients."""

    saved_counters = ("_turn", "downloads")

    def __init__(self, scenario: Scenario) -> None:
        model, train = scenario.model, scenario.train
        assert isinstance(model, FederatedFiltering)
        self._scenario, self._model, self._data = scenario, model, local(train)
        slots = empty_slots(1, train.items, model, scenario.dtype)
        none = np.zeros((train.users, model.private_size), scenario.dtype)
        self.fleet = Fleet(slots, np.zeros(train.users, np.int32), none)
        self._moments = np.zeros((2, train.items, model.k))
        size = np.dtype(scenario.dtype).itemsize
        self.download_bytes = codec.encoded_size(train.items, model.k, 0, sparse=False, itemsize=size)
        self.period = 2 * ticks(scenario.full_seconds)
        self.traffic = Traffic.empty(train.users)
        self._turn = 0
        initialize(scenario, slots, self.fleet.private, together(train.users))

    def costs(self) -> dict[str, float]:
        """In the papers' units: every client gets and returns M vectors each epoch."""
        train = self._scenario.train
        return {
            "cce": 2.0 * train.users * train.items,
            "freshness": 1.0,
            "normalized_freshness": 1 / max(1, self._scenario.interactions or len(train)),
        }

    def updates_per_item(self) -> Ints:
        """Everybody sends an update of every item, each round."""
        return np.full(self._scenario.train.items, self.node_rounds, np.int64)

    def advance(self, until: int) -> None:
        """Let everything happen up to and including `until`: a round ends each period."""
        while (self._turn + 1) * self.period <= until:
            self._round()
        self.now = until

    def _round(self) -> None:
        train, model, t = self._scenario.train, self._model, self.traffic
        self._turn += 1
        self.node_rounds += train.users
        self.downloads += train.users
        slots = self.fleet.slots
        self._solve()
        x, y = self.fleet.private.astype(np.float64), slots.rows[0].astype(np.float64)
        # Everybody pulls every score to 0; what they have is pulled to 1 with more weight.
        told = np.einsum("ef,ef->e", x[train.user], y[train.item])
        pull = sparse.csr_matrix(
            (1 + model.alpha - model.alpha * told, train.item, train.start), (train.users, train.items)
        )
        gradient = 2 * (y @ (x.T @ x) - pull.T @ x + model.lam * y)
        self._moments[0] += (1 - _MEAN) * (gradient - self._moments[0])
        self._moments[1] += (1 - _SQUARE) * (gradient**2 - self._moments[1])
        mean = self._moments[0] / (1 - _MEAN**self._turn)
        size = np.sqrt(self._moments[1] / (1 - _SQUARE**self._turn))
        slots.rows[0] = y - model.lr * mean / (size + _TINY)
        slots.ages[0] += 1
        slots.clock[0] += 1
        t.updates += 1
        t.rows += train.items
        t.rows_rated += train.counts
        t.bytes += self.download_bytes
        self._solve()

    def _solve(self) -> None:
        rows = self.fleet.slots.rows[0]
        gram = rows.T.astype(np.float64) @ rows.astype(np.float64)
        run = self._scenario.workers.run
        run(
            solve_all,
            len(self.fleet.private),
            rows,
            gram,
            self.fleet.private,
            self._data,
            self._model.hyper(),
        )

    def saved_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What beside models is part of the state."""
        return {"moments": self._moments}
