"""A gossiping node as a state machine: *wake* and *message* in, *send* and *wake me at* out. No I/O, no clock.

    node = GossipNode(...)
    at = node.first_wake                       the host calls node.wake(now, online) then,
    sends = node.wake(now, online)             sends what comes back, and wakes it again at node.next_wake;
    node.receive(update)                       on a message: merge, then learn.

Once per period a node sends its model, through its shields, to one random online peer. A node that receives a model
merges it row by row and then learns from its own data. Nothing waits for anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from tacit.core.errors import BadMessage
from tacit.core.interactions import Positions, Values
from tacit.core.message.update import Draws, Send, Shield, Update, release
from tacit.core.node_state import NodeState, Ratings
from tacit.core.rng import Stream, uniform
from tacit.core.traffic import Entry
from tacit.merges.base import Merge
from tacit.merges.row_merging import row_merging
from tacit.models.base import Model, memory_sizes
from tacit.models.training import make_tell_starts, start_biases, training
from tacit.peer_sampling.base import Sampler
from tacit.peer_sampling.uniform import Uniform

_OLDEST = 2**30


@dataclass(frozen=True, slots=True)
class GossipRules:
    """What all nodes of a network agree on."""

    model: Model
    merge: Merge
    seed: int
    period: int
    """Microseconds between two sends of a node."""
    shields: tuple[Shield, ...] = ()
    epochs: int = 1
    staggered: bool = True
    dtype: str = "float32"
    init_data: bool = False
    """Whether models start from the data."""
    sampler: Sampler = field(default_factory=Uniform)
    """Which of its online peers a node sends to."""


class GossipNode:
    """One person's node."""

    def __init__(
        self,
        number: int,
        rules: GossipRules,
        items: int,
        rated: Positions,
        values: Values,
        known: Sequence[int],
    ) -> None:
        model = rules.model
        self.number, self.rules, self.known = number, rules, sorted(known)
        self.rated, self.values = rated, values
        self.state = NodeState(
            rows=np.zeros((items, model.row_width), rules.dtype),
            ages=np.zeros(items, np.int32),
            dense=np.zeros(model.dense_size, rules.dtype),
            clock=0,
            private=np.zeros(model.private_size, rules.dtype),
            memory=np.zeros(memory_sizes(model).total(len(rated), items), rules.dtype),
        )
        self.ledger: list[Entry] = []
        self.rounds = 0
        self._wakes = 0
        self._hyper = model.hyper()
        self._merging, self._train = row_merging(rules.merge.weight, model.row_width), training(model).train
        model.kernels.init_rows(rules.seed, number, self.state.rows, self.state.dense, self._hyper)
        model.kernels.init_private(rules.seed, number, self.state.private, self._hyper)
        if rules.init_data and model.kernels.init_data is not None:
            sums, counts = np.zeros(items), np.zeros(items, np.int64)
            tell_starts = make_tell_starts(model.kernels.init_data)
            tell_starts(self.state.private, rated, values, sums, counts, self._hyper)
            start_biases(self.state.rows, self.state.ages, sums, counts)
        offset = uniform(rules.seed, Stream.START, number, 0, 0) if rules.staggered else 0.0
        self.next_wake = int(offset * rules.period)

    def wake(self, now: int, online: Callable[[int], bool]) -> list[Send]:
        """What to send now; `next_wake` says when to call again. An offline node's host skips with `skip`."""
        event = self._wakes
        self.skip()
        reachable = [peer for peer in self.known if online(peer)]
        if not reachable:
            return []
        seed, shields, sampler = self.rules.seed, self.rules.shields, self.rules.sampler
        peer = reachable[sampler.pick(seed, self.number, event, len(reachable), sampler.shape)]
        update = release(
            self.rules.model.fields, self.state, self.rated, shields, Draws(seed, self.number, event)
        )
        return [Send(peer, update)]

    def skip(self) -> None:
        """Let one wake pass without sending."""
        self._wakes += 1
        self.next_wake += self.rules.period

    def record(self, now: int, send: Send, size: int) -> None:
        """Enter a send in the ledger; hosts do this before the bytes leave."""
        index = send.update.index
        rows = len(send.update.rows)
        rated = len(self.rated) if index is None else int(np.isin(index, self.rated).sum())
        self.ledger.append(Entry(now / 1e6, str(send.peer), rows, rated, size))

    def receive(self, update: Update) -> None:
        """Merge a received model, then learn from one's own data."""
        self.merge(update)
        self.learn()

    def merge(self, update: Update) -> None:
        """Combine a received model with one's own; BadMessage, and nothing changed, where the shapes differ."""
        s, shape = self.state, self.rules.merge.shape
        got = (update.items, update.rows.shape[1], len(update.dense), update.rows.dtype.name)
        own = (len(s.rows), s.rows.shape[1], len(s.dense), s.rows.dtype.name)
        if got != own:
            raise BadMessage(
                f"model (items, width, dense, numbers): got {got}; allowed: this node's own {own}"
            )
        # An age that somebody made up must not run over when this node adds to it.
        ages = np.minimum(update.ages, _OLDEST)
        if update.index is None:
            self._merging.merge_all(s.rows, s.ages, update.rows, ages, s.rows, s.ages, shape)
        else:
            self._merging.merge_some(s.rows, s.ages, update.index, update.rows, ages, shape)
        clock = min(update.clock, _OLDEST)
        s.clock = int(self._merging.merge_dense(s.dense, s.clock, update.dense, clock, s.dense, shape))

    def learn(self) -> None:
        """Learn from one's own data."""
        s = self.state
        draws = (self.rules.seed, self.number, self.rounds)
        self._train(s.arrays(), Ratings(self.rated, self.values), self.rules.epochs, draws, self._hyper)
        s.clock += self.rules.epochs
        self.rounds += 1
