"""Gossip learning on an open catalogue, for one person or for the people of a cluster.

It is `protocols.gossip.node.GossipNode`, whose results the simulator reproduces bit for bit. Here the arrays can grow,
and rows have names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacit.core.errors import BadMessage
from tacit.core.interactions import Positions, Values
from tacit.core.message.update import Draws, Update, received, release, reshape
from tacit.core.node_state import Floats, NodeArrays, NodeState, Ratings
from tacit.core.rng import Stream, permutation
from tacit.models.base import memory_sizes
from tacit.node.catalogue.row_index import NOWHERE, Hashes, RowIndex
from tacit.node.receive_limits import MAX_AGE_STEP, MAX_NORM, MAX_NUMBER, MAX_ROWS
from tacit.protocols.gossip.node import GossipNode, GossipRules

_NONE: Positions = np.zeros(0, np.int32)
_NO_VALUES: Values = np.zeros(0, np.float32)


@dataclass(slots=True)
class Person:
    """One person's ratings and private part of the model. None of it ever leaves."""

    number: int
    rated: Positions
    values: Values
    private: Floats
    memory: Floats


@dataclass(frozen=True, slots=True)
class SharedRatings:
    """One person's ratings that take part in what is shared: names of rows, and values."""

    names: Hashes
    values: Values


class GossipLearner(GossipNode):
    """A node's model."""

    def __init__(self, number: int, rules: GossipRules, cap: int = MAX_ROWS) -> None:
        super().__init__(number, rules, 0, _NONE, _NO_VALUES, ())
        self.row_index = RowIndex(cap)
        self.pinned = _NONE
        self._buffer = self.state.rows
        self.people = [Person(number, _NONE, _NO_VALUES, self.state.private, self.state.memory)]

    @property
    def wakes(self) -> int:
        """How often it woke, in all its life."""
        return self._wakes

    # The catalogue

    def know(self, names: Hashes) -> None:
        """Add rows that nobody has trained yet, up to the cap."""
        fresh = _distinct(names[self.row_index.find(names) == NOWHERE])
        self._append(fresh[: max(0, self.row_index.cap - len(self.row_index))])

    def _append(self, names: Hashes) -> None:
        self.row_index.append(names, self.rounds)
        s, count = self.state, len(self.row_index)
        if count > len(self._buffer):
            rules = self.rules
            room = max(64, count, 2 * len(self._buffer))
            buffer = np.zeros((room, s.rows.shape[1]), rules.dtype)
            # A row starts as it would have, had there been room from the beginning.
            rules.model.kernels.init_rows(rules.seed, self.number, buffer, s.dense.copy(), self._hyper)
            buffer[: len(s.rows)] = s.rows
            self._buffer = buffer
        s.ages = np.concatenate((s.ages, np.zeros(len(names), np.int32)))
        s.rows = self._buffer[:count]

    def _admit(self, names: Hashes, ages: np.ndarray) -> Positions:
        """Positions for received rows; NOWHERE for rows that are less useful than all that are here."""
        positions = self.row_index.find(names)
        self.row_index.heard[positions[positions != NOWHERE]] = self.rounds
        fresh = np.flatnonzero(positions == NOWHERE)
        room = max(0, self.row_index.cap - len(self.row_index))
        self._append(names[fresh[:room]])
        late = fresh[room:]
        if len(late):
            late = late[np.argsort(-ages[late], kind="stable")]
            keep = np.union1d(self.pinned, positions[positions != NOWHERE])
            out = self.row_index.least_useful(len(late), self.state.ages, keep)
            late = late[: len(out)]
            worth = ages[late] > self.state.ages[out]
            out, late = out[worth], late[worth]
            self.row_index.replace(out, names[late], self.rounds)
            self.state.rows[out], self.state.ages[out] = 0, 0
            self._forget(out)
        return self.row_index.find(names)

    # The people

    def set_people(self, shared: Sequence[SharedRatings], pinned: Hashes) -> None:
        """Learn from these people's data from now on; what each has learned stays. `pinned` rows never go."""
        for one in shared:
            fresh = _distinct(one.names[self.row_index.find(one.names) == NOWHERE])
            self._append(fresh)
        sizes = memory_sizes(self.rules.model)
        for place, one in enumerate(shared):
            if place == len(self.people):
                private = np.zeros(self.rules.model.private_size, self.rules.dtype)
                self.rules.model.kernels.init_private(
                    self.rules.seed, self.number + place, private, self._hyper
                )
                self.people.append(Person(self.number + place, _NONE, _NO_VALUES, private, _NO_VALUES))
            who = self.people[place]
            rated = self.row_index.find(one.names)
            order = np.argsort(rated, kind="stable")
            same = len(rated) == len(who.rated) and bool((rated[order] == who.rated).all())
            who.rated, who.values = rated[order], one.values[order].astype(np.float32)
            if not same or len(who.memory) < sizes.total(len(rated), 0):
                # An optimizer's memory of other ratings is of no use.
                who.memory = np.zeros(sizes.total(len(rated), len(self.state.rows)), self.rules.dtype)
        del self.people[max(1, len(shared)) :]
        first = self.people[0]
        self.state.private, self.state.memory = first.private, first.memory
        self.values = first.values
        self.rated = np.unique(np.concatenate([who.rated for who in self.people])).astype(np.int32)
        here = self.row_index.find(pinned)
        self.pinned = np.union1d(self.rated, here[here != NOWHERE]).astype(np.int32)

    # The exchange

    def release_now(self) -> Update:
        """What the next wake would send, to any peer."""
        draws = Draws(self.rules.seed, self.number, self._wakes)
        return release(self.rules.model.fields, self.state, self.rated, self.rules.shields, draws)

    def named(self, update: Update) -> tuple[Hashes, Update]:
        """An update of this node's as it travels: names ascending, and the rows in their order."""
        index = np.arange(update.items) if update.index is None else update.index
        names = self.row_index.names[index]
        order = np.argsort(names)
        return names[order], reshape(
            update, items=len(names), index=None, rows=update.rows[order], ages=update.ages[order]
        )

    def take(self, names: Hashes, update: Update) -> Positions:
        """Merge a named model and learn; where its rows are now. BadMessage, and nothing changed, if it cannot be."""
        s = self.state
        got = (update.rows.shape[1], len(update.dense), update.rows.dtype.name)
        own = (s.rows.shape[1], len(s.dense), s.rows.dtype.name)
        if got != own or update.index is not None or len(names) != update.items:
            raise BadMessage(f"model (width, dense, numbers): got {got}; allowed: this node's own {own}")
        for part in (update.rows, update.dense):
            if part.size and float(np.abs(part).max()) > MAX_NUMBER:
                raise BadMessage(f"message numbers: got one beyond {MAX_NUMBER:g}; allowed: up to that")
        if update.rows.size and float(np.square(update.rows, dtype=np.float64).sum(1).max()) > MAX_NORM**2:
            raise BadMessage(f"message rows: got one longer than {MAX_NORM:g}; allowed: up to that")
        oldest = min(int(s.ages.max(initial=0)) + MAX_AGE_STEP, 2**31 - 1)
        believed = np.minimum(update.ages, np.int32(oldest))
        positions = self._admit(names, believed)
        here = positions != NOWHERE
        index = positions[here]
        order = np.argsort(index, kind="stable")
        rows, ages = update.rows[here][order], believed[here][order]
        self.receive(received(len(s.rows), index[order], rows, ages, update.dense, update.clock))
        return positions

    def learn(self) -> None:
        """From everybody's data, one after the other in a fresh random order, as the simulator does."""
        self._remember_all()
        if len(self.people) == 1:
            super().learn()
            return
        s, rules = self.state, self.rules
        for place in permutation(rules.seed, Stream.ORDER, self.number, self.rounds, len(self.people)):
            who = self.people[place]
            node = NodeArrays(s.rows, s.ages, s.dense, who.private, who.memory)
            draws = (rules.seed, who.number, self.rounds)
            self._train(node, Ratings(who.rated, who.values), rules.epochs, draws, self._hyper)
        s.clock += rules.epochs
        self.rounds += 1

    def _remember_all(self) -> None:
        """Room for what an optimizer remembers of rows that came since; nothing for plain steps."""
        sizes = memory_sizes(self.rules.model)
        for who in self.people:
            fresh = sizes.total(len(who.rated), len(self.state.rows)) - len(who.memory)
            if fresh > 0:
                who.memory = np.concatenate((who.memory, np.zeros(fresh, self.rules.dtype)))
        self.state.memory = self.people[0].memory

    def _forget(self, positions: Positions) -> None:
        """What an optimizer remembers of rows that went."""
        sizes = memory_sizes(self.rules.model)
        if sizes.row:
            for who in self.people:
                of_rows = who.memory[sizes.total(len(who.rated), 0) :].reshape(-1, sizes.row)
                of_rows[positions[positions < len(of_rows)]] = 0

    # On disk

    def save(self) -> dict[str, bytes]:
        """Everything learned, bit for bit."""
        s = self.state
        parts = {
            "names": self.row_index.names,
            "heard": self.row_index.heard,
            "rows": s.rows,
            "ages": s.ages,
            "dense": s.dense,
            "private": np.stack([who.private for who in self.people]),
            "counts": np.array([s.clock, self.rounds, self._wakes], np.int64),
        }
        return {name: np.ascontiguousarray(part).tobytes() for name, part in parts.items()}

    def restore(self, parts: dict[str, bytes]) -> None:
        """Go on from what `save` gave; a clear error where it is of another model."""
        model, dtype = self.rules.model, self.rules.dtype
        names = np.frombuffer(parts["names"], np.uint64)
        rows = np.frombuffer(parts["rows"], dtype)
        if len(rows) != len(names) * model.row_width:
            raise ValueError("the saved model has rows of another width")
        self.row_index.restore(names, np.frombuffer(parts["heard"], np.int64))
        s = self.state
        self._buffer = rows.reshape(len(names), model.row_width).copy()
        private = np.frombuffer(parts["private"], dtype).reshape(-1, model.private_size).copy()
        clock, self.rounds, self._wakes = (int(n) for n in np.frombuffer(parts["counts"], np.int64))
        self.state = NodeState(
            rows=self._buffer,
            ages=np.frombuffer(parts["ages"], np.int32).copy(),
            dense=np.frombuffer(parts["dense"], dtype).copy(),
            clock=clock,
            private=private[0],
            memory=s.memory,
        )
        self.people = [
            Person(self.number + place, _NONE, _NO_VALUES, one, s.memory) for place, one in enumerate(private)
        ]


def _distinct(names: Hashes) -> Hashes:
    """Each name once, in the order they came."""
    _, first = np.unique(names, return_index=True)
    return names[np.sort(first)]
