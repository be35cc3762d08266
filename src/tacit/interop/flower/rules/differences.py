"""Protocol `federated`: a client returns how its rows changed, and the server averages by row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacit.core.message.update import Draws, Update, release
from tacit.core.node_state import NodeArrays, NodeState
from tacit.interop.flower.federation import Federation
from tacit.interop.flower.rules.base import Member, Person, Rule, Turn
from tacit.models.training import Difference, training
from tacit.privacy.none import Nothing
from tacit.privacy.subsample import Subsample
from tacit.protocols.base import needs_no_negatives
from tacit.protocols.federated.protocol import Federated
from tacit.simulator.outgoing_messages import positions


class DifferencesRule(Rule):
    """The age of a returned row says how many people the difference is the sum of."""

    def __init__(self, federation: Federation) -> None:
        super().__init__(federation)
        protocol = federation.protocol
        assert isinstance(protocol, Federated)
        needs_no_negatives(self.model, protocol.name)
        sampled = (Subsample(protocol.subsample),) if protocol.subsample < 1 else ()
        self._shields = (*sampled, *(() if isinstance(protocol.shield, Nothing) else (protocol.shield,)))

    def answer(self, people: Sequence[Person], server: NodeState, turn: Turn) -> Update:
        """One person's difference past their shields, or the sum of several people's."""
        answers = [self._one(person, server, turn) for person in people]
        if len(answers) == 1:
            return answers[0]
        total = self._nothing(server, turn.number)
        for update in answers:
            index = positions(update)
            total.rows[index] += update.rows
            total.ages[index] += update.ages
            total.dense += update.dense
        return release(
            self.model.fields, total, np.flatnonzero(total.ages).astype(np.int32), (), Draws(0, 0, 0)
        )

    def _one(self, person: Person, server: NodeState, turn: Turn) -> Update:
        own, model = person.own, self.model
        state = self._nothing(server, turn.number)
        touched = np.zeros(len(own.items), np.bool_)
        rows = np.zeros((len(own.items), model.row_width), self.dtype)
        training(model).difference(
            NodeArrays(server.rows, server.ages, server.dense, person.private, person.memory), own,
            self.federation.settings.learning.epochs, (turn.seed, person.number, turn.number), self.hyper,
            model.kernels.looks_up, Difference(rows, state.dense, touched),
        )  # fmt: skip
        state.rows[own.items], state.ages[own.items] = rows, touched
        draws = Draws(turn.seed, person.number, turn.number)
        return release(model.fields, state, own.items, self._shields, draws)

    def _nothing(self, server: NodeState, clock: int) -> NodeState:
        rows, ages = np.zeros_like(server.rows), np.zeros_like(server.ages)
        return NodeState(rows, ages, np.zeros_like(server.dense), clock, np.zeros(0, self.dtype))

    def add(self, state: NodeState, answers: Sequence[tuple[Member, Update]]) -> None:
        """Rows move by the mean of the differences that people returned."""
        total, count = np.zeros_like(state.rows), np.zeros_like(state.ages)
        dense, people = np.zeros_like(state.dense), 0
        for member, update in answers:
            index = positions(update)
            total[index] += update.rows
            count[index] += update.ages
            dense += update.dense
            people += member.people
        np.divide(total, count[:, None].astype(np.float32), out=total, where=count[:, None] > 0)
        state.rows += total
        state.ages += count > 0
        state.dense += np.asarray(dense / people, dense.dtype)
        state.clock += 1
