"""Protocol `federated-sums`: a client solves its own vector and returns statistics; the server reads the rows out.

One person's statistics travel in half precision, an organization's sum in double precision. Sums of half-precision
numbers are exact in double precision, so the rows do not depend on how people are shared out among clients.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacit.core.errors import BadInput
from tacit.core.math.als_solver import gram, solve
from tacit.core.message.half_precision import Singles, narrow, widen
from tacit.core.message.update import Draws, Update, release
from tacit.core.node_state import Field, NodeState, Visibility
from tacit.interop.flower.federation import Federation
from tacit.interop.flower.rules.base import Array, Facts, Member, Person, Rule, Turn, fact
from tacit.models.ials import ImplicitLeastSquares, tell, weights
from tacit.models.ials_rows import read_out
from tacit.privacy.sparse import Sparse
from tacit.simulator.outgoing_messages import positions

FIELDS = (
    Field("rows", Visibility.SHARED, "sums (B_j, n_j) of the items that a client's people have"),
    Field("dense", Visibility.SHARED, "the sum of p p' over a client's people"),
    Field("clock", Visibility.SHARED, "the round"),
)


class SumsRule(Rule):
    """Implicit ALS: one round is one sweep."""

    asks_ratings = True

    def __init__(self, federation: Federation) -> None:
        super().__init__(federation)
        if not isinstance(self.model, ImplicitLeastSquares):
            raise BadInput("model", got=self.model.name, allowed="ials with protocol federated-sums")
        if self.dtype != "float32":
            raise BadInput("storage", got=self.dtype, allowed="float32 with protocol federated-sums")
        self._width, self._outer = self.model.sum_width, self.model.k * (self.model.k + 1) // 2
        self._mean = -1.0

    @property
    def shape(self) -> tuple[int, int, int]:
        """Sums are wider than rows."""
        return self.items, self._width, self._outer

    def counts(self, update: Update) -> Array:
        """How many people have an item, which stands behind its row."""
        counts: Array = update.rows[:, self.model.row_width]
        return counts

    def download(self, state: NodeState) -> Update:
        """Rows that were read out are half precision already, and travel as such."""
        rows = state.rows.astype(np.float16) if state.clock else state.rows
        return super().download(NodeState(rows, state.ages, state.dense, state.clock, state.private))

    def facts(self, members: Sequence[Member]) -> Facts:
        """How many items people have on average: as told at first, then as the last sums say."""
        if self._mean < 0:
            self._mean = sum(one.ratings for one in members) / max(1, sum(one.people for one in members))
        return {"mean_items": self._mean}

    def settle(self, people: Sequence[Person], server: NodeState, facts: Facts) -> None:
        """Everybody's own vector, exactly for the server's rows."""
        mean = fact(facts, "mean_items", 0, self.items)
        whole, (w0, reg) = gram(server.rows), weights(mean, self.items, self.hyper)
        for person in people:
            solve(server.rows, whole, person.own.items, w0, reg, person.private)

    def answer(self, people: Sequence[Person], server: NodeState, turn: Turn) -> Update:
        """Statistics of vectors that are solved for the server's rows, rounded as on the wire, and added."""
        self.settle(people, server, turn.facts)
        sums = np.zeros((self.items, self._width), np.float16 if len(people) == 1 else np.float64)
        outer = np.zeros(self._outer, sums.dtype)
        told, square = np.zeros((self.items, self._width), np.float32), np.zeros(self._outer, np.float32)
        for person in people:
            had = person.own.items
            tell(person.private, had, person.own.values, server.rows, told, square, self.hyper)
            sums[had] += _rounded(told[had])
            outer += _rounded(square)
        state = NodeState(sums, np.zeros(0, np.int32), outer, turn.number, np.zeros(0, np.float32))
        return release(FIELDS, state, np.zeros(0, np.int32), (Sparse(),), Draws(0, 0, 0))

    def add(self, state: NodeState, answers: Sequence[tuple[Member, Update]]) -> None:
        """New rows out of the sums over everybody who answered."""
        sums, outer = np.zeros((self.items, self._width)), np.zeros(self._outer)
        for _, update in answers:
            sums[positions(update)] += update.rows
            outer += update.dense
        count = float(sum(member.people for member, _ in answers))
        counts = sums[:, state.rows.shape[1]]
        self._mean = float(counts.sum()) / count
        w0, reg = weights(self._mean, self.items, self.hyper)
        read_out(
            sums.astype(np.float32), outer.astype(np.float32), count, count, w0, reg, 0.0, state.clock > 0,
            state.rows,
        )  # fmt: skip
        state.rows[:] = state.rows.astype(np.float16)
        state.ages += counts > 0
        state.clock += 1


def _rounded(values: Singles) -> Singles:
    """Numbers as they are after half precision, by the kernels of the simulator."""
    words, out = np.empty(values.size, np.uint16), np.empty(values.size, np.float32)
    narrow(np.ascontiguousarray(values).ravel(), words)
    widen(words, out)
    return out.reshape(values.shape)
