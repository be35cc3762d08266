"""What a rule is: the two halves of a protocol's round. Both call the kernels that the simulator calls.

A client that holds several people (an organization) answers once for all of them. So the server does not see what each
of them adds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.errors import BadMessage
from tacit.core.message.update import Draws, Update, release
from tacit.core.node_state import Floats, NodeState, Ratings
from tacit.core.rng import Stream, permutation
from tacit.interop.flower.federation import Federation
from tacit.models.base import memory_sizes

Array = npt.NDArray[Any]
Facts = Mapping[str, float]
"""Numbers that clients must know beside the model."""


class Person(NamedTuple):
    """One person at a client: their number, which keys their randomness, their data, and what only they have."""

    number: int
    own: Ratings
    private: Floats
    memory: Floats


class Member(NamedTuple):
    """A client, as the server knows it."""

    number: int
    node: int
    """Flower's id of it."""
    people: int
    ratings: int
    """-1 where the rule does not need to know."""
    token: str = ""
    """What it is known by when it comes back with another id."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A round as a client meets it."""

    number: int
    seed: int
    """What the client draws by: the run's seed in a simulation, a secret of its own elsewhere."""
    facts: Facts
    pi: float = 1.0


class Rule(ABC):
    """A protocol's round: `answer` at a client, everything else at the server."""

    asks_ratings: ClassVar[bool] = False
    """Whether the server must know how many ratings each client has."""

    def __init__(self, federation: Federation) -> None:
        self.federation, self.model = federation, federation.model
        self.hyper = self.model.hyper()
        self.dtype = federation.settings.learning.storage
        self.items = len(federation.items)

    def start(self) -> NodeState:
        """The server's model before the first round, as the simulator starts it."""
        model = self.model
        rows = np.zeros((self.items, model.row_width), self.dtype)
        dense = np.zeros(model.dense_size, self.dtype)
        model.kernels.init_rows(self.federation.seed, 0, rows, dense, self.hyper)
        return NodeState(rows, np.zeros(self.items, np.int32), dense, 0, np.zeros(0, self.dtype))

    def person(self, number: int, own: Ratings, seed: int) -> Person:
        """Somebody who joins for the first time."""
        private = np.zeros(self.model.private_size, self.dtype)
        self.model.kernels.init_private(seed, number, private, self.hyper)
        size = memory_sizes(self.model).total(len(own.items), self.items)
        return Person(number, own, private, np.zeros(size, self.dtype))

    def download(self, state: NodeState) -> Update:
        """What the server sends: its model."""
        return release(self.model.fields, state, np.zeros(0, np.int32), (), Draws(0, 0, 0))

    def facts(self, members: Sequence[Member]) -> Facts:
        """What clients must know beside the model in the next round."""
        return {}

    def asked(self, turn: int, members: Sequence[Member]) -> Sequence[Member]:
        """The clients that take part in a round; everybody unless the recipe asks for less."""
        share = float(getattr(self.federation.protocol, "participation", 1.0))
        return some(members, max(1, round(share * len(members))), self.federation.seed, turn)

    def settle(self, people: Sequence[Person], server: NodeState, facts: Facts) -> None:  # noqa: B027
        """Bring people's own parts up to the server's model, where a rule can do that without learning."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of an answer: items, numbers per row, numbers of the dense part."""
        return self.items, self.model.row_width, self.model.dense_size

    def check(self, update: Update, member: Member) -> None:
        """Refuse an answer that cannot be one."""
        got = (update.items, update.rows.shape[1], len(update.dense))
        if got != self.shape:
            raise BadMessage(f"answer (items, width, dense): got {got}; allowed: {self.shape}")
        counts, most = self.counts(update), self.most(member)
        if len(counts) != len(update.rows) or ((counts < 0) | (counts > most)).any():
            raise BadMessage(
                f"answer: got rows without counts, or odd ones; allowed: 0 to {most:,} in each row"
            )

    def counts(self, update: Update) -> Array:
        """What each row of an answer counts for."""
        return update.ages

    def most(self, member: Member) -> int:
        """The most that a row of a client can count for."""
        return member.people

    @abstractmethod
    def answer(self, people: Sequence[Person], server: NodeState, turn: Turn) -> Update:
        """What a client returns for the server's model. Its people's own parts change; `server` does not."""

    @abstractmethod
    def add(self, state: NodeState, answers: Sequence[tuple[Member, Update]]) -> None:
        """Let the server's model take in what came back, clients ascending."""


def fact(facts: Facts, name: str, low: float, high: float) -> float:
    """A number that the server tells beside the model, or `BadMessage`."""
    value = facts.get(name, nan)
    if not low <= value <= high:
        raise BadMessage(f"{name}: got {value}; allowed: {low:g} to {high:g}")
    return value


def some(members: Sequence[Member], count: int, seed: int, turn: int) -> Sequence[Member]:
    """So many random members, in their order."""
    if count >= len(members):
        return members
    chosen = np.sort(permutation(seed, Stream.CLIENTS, 0, turn, len(members))[:count])
    return [members[n] for n in chosen.tolist()]
