"""Push-sum on an open catalogue, turn by turn: half of the sums to a peer, whose answer says what became of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tacit.core.message.half_precision import Singles, Words, widen
from tacit.core.message.update import Draws, Update, release
from tacit.core.node_state import NodeState
from tacit.core.rng import Stream, uniform
from tacit.models.base import sum_width
from tacit.node.catalogue.row_index import Hashes
from tacit.node.push_sum.sum_rules import SumRules
from tacit.node.push_sum.sum_wire import NO_EPOCH, Epoch
from tacit.node.push_sum.sums import Sums
from tacit.node.receive_limits import MAX_CATALOGUE
from tacit.peer_sampling.uniform import pick
from tacit.privacy.sparse import Sparse
from tacit.protocols.push_sum import kernels as push_sum_kernels
from tacit.protocols.push_sum.epoch_ends import over
from tacit.protocols.push_sum.node import FIELDS
from tacit.protocols.push_sum.state import PEER, SENT_TURN, TRIES, TURN, WAKES

_GROWTH = 1.05


class SumLearner(Sums):
    """A node's model: the sums that it adds to, and the rows it read out."""

    def __init__(self, number: int, rules: SumRules, cap: int = MAX_CATALOGUE) -> None:
        super().__init__(number, rules, cap)
        self.to, self.transfer, self.doubt = "", 0, False
        """Whom the last share is for, its number, and whether it may have arrived."""
        self._gave_all = False
        self._waited = self._known = 0
        offset = uniform(rules.seed, Stream.START, number, 0, 0) if rules.staggered else 0.0
        self.next_wake = int(offset * rules.period)

    def begin(self, epoch: Epoch, names: Hashes, good: int = -1) -> None:
        """Empty sums for an epoch; a share of an earlier one need not arrive any more."""
        self.to, self._gave_all = "", False
        super().begin(epoch, names, good)

    def skip(self) -> None:
        """Let one wake pass."""
        self.book.clock[0, WAKES] += 1
        self.next_wake += self.rules.period

    def wake(self, peers: Sequence[str], online: Callable[[str], bool]) -> bool:
        """The node's turn; whether there is a share to send to `to`, the last one again or a new one."""
        event = self.wakes
        self.skip()
        reachable = [peer for peer in peers if online(peer)]
        if not reachable or (self.epoch is NO_EPOCH and not self._begin_first(len(peers))):
            return False
        length = self.length
        if over(self.book, 0, self._rules):
            self._finish()
            names = self.next_names()
            self.begin(Epoch.of(self.epoch.number + 1, names), names)
        self.changed |= {"sums"}
        if push_sum_kernels.give(self.book, 0, length, self._rules):
            self._address(reachable, event)
        return online(self.to)

    def _address(self, reachable: Sequence[str], event: int) -> None:
        """Address a new share to one of these peers."""
        self.to = reachable[pick(self.rules.seed, self.number, event, len(reachable))]
        self.transfer, self.doubt = self.transfer + 1, False
        self.book.clock[0, PEER] = 0
        self.changed |= {"words", "sent_heads"}

    def leave(self, reachable: Sequence[str]) -> bool:
        """Put all sums into a share for one of these peers, before the node stops. False: there is no such share."""
        if self.epoch is NO_EPOCH or self.waiting or self._gave_all or not reachable:
            return False
        event = self.wakes
        self.book.clock[0, WAKES] += 1
        push_sum_kernels.part_with(self.book, 0, 1.0, 16)
        if self.book.sums[0, -1] < 0:  # what is left of a weight must not be negative: one step less goes
            given = self.book.words[0, -1:].view(np.float16)
            less = np.nextafter(given, np.float16(0))
            self.book.sums[0, -1] += (given - less)[0]
            given[:] = less
        self.book.clock[0, TRIES] = 1
        self._address(reachable, event)
        self._gave_all = True
        self.changed |= {"sums"}
        return True

    def _begin_first(self, peers: int) -> bool:
        names = self.next_names()
        if peers + 1 < self.rules.members or not len(names):
            return False
        known, self._known = self._known, len(names)
        self._waited = 0 if len(names) > _GROWTH * known else self._waited + 1
        if self._waited < self.rules.wait:
            return False
        self.begin(Epoch.of(0, names), names)
        return True

    @property
    def waiting(self) -> bool:
        """Whether a share still has to arrive."""
        return self.to != "" and int(self.book.clock[0, PEER]) >= 0

    def share(self) -> Update:
        """The last share, as it leaves: through the one door."""
        book, items, width = self.book, len(self.names), sum_width(self.rules.model)
        halves = book.words[0].view(np.float16)
        state = NodeState(
            rows=halves[: items * width].reshape(items, width),
            ages=np.zeros(0, np.int32),
            dense=np.concatenate((halves[items * width :], book.sent_heads[0].astype(np.float16))),
            clock=int(book.clock[0, SENT_TURN]),
            private=book.private[0],
        )
        had = [had for had, _ in self._placed]
        rated = np.unique(np.concatenate(had)).astype(np.int32) if had else np.zeros(0, np.int32)
        return release(FIELDS, state, rated, (Sparse(),), Draws(self.rules.seed, self.number, self.wakes))

    def acknowledged(self) -> None:
        """The receiver has the last share."""
        self.book.clock[0, PEER] = -1
        self.changed |= {"clock"}

    def take_back(self) -> None:
        """The receiver does not have the last share, for certain, and this turn did not happen."""
        if not self.waiting or self.doubt:
            return
        share = np.zeros_like(self.book.sums[0])
        widen(self.book.words[0], share)
        self.book.sums[0] += share
        clock = self.book.clock[0]
        if not self._gave_all:
            clock[TURN] = max(0, clock[TURN] - 1)
        clock[PEER], clock[TRIES], self._gave_all = -1, 0, False
        self.changed |= {"sums"}

    def take(self, turn: int, words: Words, heads: Singles, good: int) -> None:
        """Add a share of this epoch."""
        self.ahead = max(self.ahead, good)
        push_sum_kernels.add(self.book, 0, turn, words, heads)
        self._gave_all = False
        self.changed |= {"sums"}
