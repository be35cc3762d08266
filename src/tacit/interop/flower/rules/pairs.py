"""Protocol `federated-pairs` (FPL, FedeRank): a client returns sums of pair-wise updates, past its disclosure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.errors import BadInput
from tacit.core.interactions import Positions
from tacit.core.message.update import Draws, Update, release
from tacit.core.node_state import Ages, Floats, NodeState, Ratings
from tacit.core.rng import Stream, below
from tacit.interop.flower.federation import Federation
from tacit.interop.flower.rules.base import Facts, Member, Person, Rule, Turn, fact, some
from tacit.models.adam import begin, climb, moments
from tacit.models.base import memory_sizes
from tacit.models.bpr import Hyper, memory_size
from tacit.privacy.sparse import Sparse
from tacit.protocols.federated_pairs.protocol import FederatedPairs, needs_bpr
from tacit.protocols.federated_pairs.simulation import empty_scratch
from tacit.protocols.federated_pairs.simulation_kernels import (
    Clients,
    Observed,
    PairNumbers,
    Round,
    Sent,
    one_client,
)
from tacit.simulator.outgoing_messages import positions


@kernel
def take_steps(
    index: Positions,
    sums: Floats,
    received: Ages,
    rows: Floats,
    ages: Ages,
    memory: Floats | None,
    hyper: Hyper,
) -> None:
    """The server's step for every row that it received updates of."""
    width = rows.shape[1]
    size = memory_size(width - 1)
    for n in range(len(index)):
        i = index[n]
        ages[i] += received[n]
        block = moments(memory, i, size)
        begin(block)
        for f in range(width):
            climb(rows[i], f, sums[n, f], hyper.lr, block, f)


class PairsRule(Rule):
    """A round of Flower is a round of the paper, not an epoch."""

    asks_ratings = True

    def __init__(self, federation: Federation) -> None:
        super().__init__(federation)
        assert isinstance(federation.protocol, FederatedPairs)
        self._pairs = federation.protocol
        needs_bpr(self.model, self._pairs.name)
        self._most_triples = self._pairs.triples if isinstance(self._pairs.triples, int) else self.items
        """Nobody has more ratings than there are items, and so neither has the mean person."""

    def start(self) -> NodeState:
        """With Adam the server also remembers its steps."""
        state = super().start()
        state.memory = np.zeros(self.items * memory_sizes(self.model).row, self.dtype)
        return state

    def facts(self, members: Sequence[Member]) -> Facts:
        """T: as set, or ratings per person."""
        if isinstance(self._pairs.triples, int):
            return {"triples": self._pairs.triples}
        ratings, people = (sum(one) for one in zip(*((m.ratings, m.people) for m in members), strict=True))
        return {"triples": max(1, ratings // people)}

    def asked(self, turn: int, members: Sequence[Member]) -> Sequence[Member]:
        """One client alike or by its data, several, or everybody."""
        seed, count = self.federation.seed, self._pairs.clients
        if count != 1:
            return members if count == "all" else some(members, int(count), seed, turn)
        if self._pairs.pick == "uniform":
            return [members[below(seed, Stream.CLIENTS, 0, turn, 0, len(members))]]
        ends = np.cumsum([one.ratings for one in members])
        entry = below(seed, Stream.CLIENTS, 0, turn, 0, int(ends[-1]))
        return [members[int(np.searchsorted(ends, entry, side="right"))]]

    def person(self, number: int, own: Ratings, seed: int) -> Person:
        """Rows' steps are the server's: a client remembers those of its own vector only."""
        if len(own.items) >= self.items:
            raise BadInput("csv", got="somebody who has every item", allowed="people who lack at least one")
        made = super().person(number, own, seed)
        return made._replace(memory=made.memory[: memory_sizes(self.model).person])

    def answer(self, people: Sequence[Person], server: NodeState, turn: Turn) -> Update:
        """T triples of each person; what pi hides is not in the sums."""
        triples = int(fact(turn.facts, "triples", 1, self._most_triples))
        last = max(person.number for person in people) + 1
        # The kernel finds people by their numbers, which key their draws.
        private = np.zeros((last, self.model.private_size), self.dtype)
        size = memory_sizes(self.model).person
        memory = np.zeros((last, size), self.dtype)
        counts = np.zeros(last, np.int64)
        for person in people:
            private[person.number], memory[person.number] = person.private, person.memory
            counts[person.number] = len(person.own.items)
        start = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        item = np.concatenate([one.own.items for one in people])
        clients = Clients(
            private, memory.ravel() if size else None, start, item, start, item, np.full(last, turn.pi),
            np.zeros(0, np.bool_), np.full(last, triples, np.int64),
        )  # fmt: skip
        scratch = empty_scratch(
            self.items, min(self.items, 2 * triples * len(people)), server.rows.shape[1], self.dtype
        )
        nobody = Observed(
            np.full(last, -1, np.int32), np.zeros((0, self.items), np.int32), np.zeros((0, self.items))
        )
        under_way = Round(scratch, Sent(*(np.zeros(last, np.int64) for _ in range(4))), nobody)
        pairs = self._pairs
        numbers = PairNumbers(
            turn.seed, 1, pairs.disclosure == "whole-items", pairs.local == "batch", 0.0, 0, 0, 0, 0, 1, False
        )
        count = 0
        for exchange, person in enumerate(people, 1):
            count = one_client(
                person.number,
                turn.number,
                exchange,
                count,
                server.rows,
                clients,
                under_way,
                numbers,
                self.hyper,
            )
            person.private[:], person.memory[:] = private[person.number], memory[person.number]
        state = NodeState(
            np.zeros_like(server.rows), np.zeros_like(server.ages), server.dense, turn.number, private[0]
        )
        state.rows[scratch.item[:count]] = scratch.sums[:count]
        state.ages[scratch.item[:count]] = scratch.received[:count]
        return release(self.model.fields, state, np.zeros(0, np.int32), (Sparse(),), Draws(0, 0, 0))

    def most(self, member: Member) -> int:
        """A triple has an item at most once."""
        return member.people * self._most_triples

    def add(self, state: NodeState, answers: Sequence[tuple[Member, Update]]) -> None:
        """Rows go up the sum of the updates that came."""
        sums, received = np.zeros_like(state.rows), np.zeros_like(state.ages)
        for _, update in answers:
            index = positions(update)
            sums[index] += update.rows
            received[index] += update.ages
        touched = np.flatnonzero(received).astype(np.int32)
        memory = state.memory if len(state.memory) else None
        take_steps(touched, sums[touched], received[touched], state.rows, state.ages, memory, self.hyper)
        state.clock += 1
