"""Protocol `federated-averaging`: a client returns its whole model, and the server moves by the mean difference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacit.core.message.update import Draws, Update, release
from tacit.core.node_state import NodeArrays, NodeState
from tacit.interop.flower.federation import Federation
from tacit.interop.flower.rules.base import Member, Person, Rule, Turn
from tacit.models.training import training
from tacit.privacy.none import Nothing
from tacit.protocols.federated_averaging.protocol import FederatedAveraging
from tacit.simulator.outgoing_messages import positions


class AveragesRule(Rule):
    """An organization returns the mean of its people's models, and counts as all of them."""

    def __init__(self, federation: Federation) -> None:
        super().__init__(federation)
        protocol = federation.protocol
        assert isinstance(protocol, FederatedAveraging)
        self.asks_ratings = protocol.weights == "samples"  # type: ignore[misc]
        self._shields = () if isinstance(protocol.shield, Nothing) else (protocol.shield,)

    def answer(self, people: Sequence[Person], server: NodeState, turn: Turn) -> Update:
        """The model that one person learned, past their shields, or the mean over several people."""
        answers = [self._one(person, server, turn) for person in people]
        if len(answers) == 1:
            return answers[0]
        counts = [len(person.own.items) if self.asks_ratings else 1 for person in people]
        rows, dense = server.rows.astype(np.float64), server.dense.astype(np.float64)
        ages = server.ages.copy()
        for update, count in zip(answers, counts, strict=True):
            index, share = positions(update), count / sum(counts)
            rows[index] += share * (update.rows - server.rows[index]).astype(np.float64)
            dense += share * (update.dense - server.dense).astype(np.float64)
            ages[index] = np.maximum(ages[index], update.ages)
        state = NodeState(
            rows.astype(self.dtype), ages, dense.astype(self.dtype), server.clock, server.private
        )
        return release(self.model.fields, state, np.zeros(0, np.int32), (), Draws(0, 0, 0))

    def _one(self, person: Person, server: NodeState, turn: Turn) -> Update:
        rows, ages, dense = server.rows.copy(), server.ages.copy(), server.dense.copy()
        draws = (turn.seed, person.number, turn.number)
        training(self.model).train(
            NodeArrays(rows, ages, dense, person.private, person.memory), person.own,
            self.federation.settings.learning.epochs, draws, self.hyper,
        )  # fmt: skip
        state = NodeState(rows, ages, dense, server.clock, person.private, person.memory)
        return release(self.model.fields, state, person.own.items, self._shields, Draws(*draws))

    def most(self, member: Member) -> int:
        """Ages are those of a whole model, and say only which rows changed."""
        return 2**31 - 1

    def add(self, state: NodeState, answers: Sequence[tuple[Member, Update]]) -> None:
        """The mean of the differences, by people or by ratings. A row that did not come counts as unchanged."""
        weights = [member.ratings if self.asks_ratings else member.people for member, _ in answers]
        sums, dense = np.zeros(state.rows.shape), np.zeros(len(state.dense))
        touched = np.zeros(self.items, np.bool_)
        for (_, update), weight in zip(answers, weights, strict=True):
            index, share = positions(update), weight / sum(weights)
            moved = update.ages != state.ages[index]
            changed = index[moved]
            sums[changed] += share * (update.rows[moved] - state.rows[changed]).astype(np.float64)
            dense += share * (update.dense - state.dense).astype(np.float64)
            touched[changed] = True
        state.rows += sums.astype(self.dtype)
        state.dense += dense.astype(self.dtype)
        state.ages += touched
        state.clock += 1
