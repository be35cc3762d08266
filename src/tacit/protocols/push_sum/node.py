"""A node that exchanges sums, as a state machine: *wake* and *message* in, *send* and *answer* out. No I/O, no clock.

    node = PushSumNode(...)
    sends = node.wake(now, online)            at node.next_wake; the host sends what comes back
    answer = node.receive(sender, update)     the host returns the answer to the sender,
    node.acknowledged(answer)                 which from then on is rid of that share
    question = node.ask(now, online)          after a wake: to a partner, whether its mask is in
    answer = node.asked(sender, said)         the host returns this answer, too,
    node.answered(answer)                     to the one who asked

In an epoch everybody puts in their statistics once, and shares travel until all nodes hold the same averages. Then each
reads its rows out and begins the next epoch. A node that hears of a later epoch joins it. Nothing waits for anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tacit.core.errors import BadMessage
from tacit.core.interactions import Positions, Values
from tacit.core.message.half_precision import Words, narrow
from tacit.core.message.update import Draws, Send, Update, release
from tacit.core.node_state import Field, NodeState, Visibility
from tacit.core.rng import Stream, uniform
from tacit.core.traffic import Entry
from tacit.models.base import Model, exchanged, sum_width
from tacit.peer_sampling.uniform import pick
from tacit.privacy.sparse import Sparse
from tacit.protocols.push_sum import kernels as push_sum_kernels
from tacit.protocols.push_sum.headcount import HEADS
from tacit.protocols.push_sum.kernels import AGO
from tacit.protocols.push_sum.mask_pairs import QUESTION_BYTES, hear, next_asked, place, side
from tacit.protocols.push_sum.mask_partners import Partners, Secrets
from tacit.protocols.push_sum.ring import stride
from tacit.protocols.push_sum.state import PEER, SENT_EPOCH, SENT_TURN, WAKES, Rules, flat_size, new_book

FIELDS = (
    Field("rows", Visibility.SHARED, "a share of the sums (B_j, n_j) of every item, masks included"),
    Field(
        "dense", Visibility.SHARED, "a share of the sums of p p', check coordinates and weight; the headcount"
    ),
    Field(
        "clock", Visibility.SHARED, "epoch, turn and number of the share, and how long ago somebody read out"
    ),
)
_TURN_BITS, _AGO_BITS, _NUMBER_BITS = 12, 4, 26


@dataclass(frozen=True, slots=True)
class Question:
    """What a node says of a pair, and to whom."""

    peer: int
    said: int


@dataclass(frozen=True, slots=True)
class PushSumRules:
    """What all nodes of a network agree on."""

    model: Model
    rules: Rules
    period: int
    """Microseconds between two shares of the fastest node."""
    speeds: float = 0.0
    staggered: bool = True


def first_rows(model: Model, seed: int, items: int) -> Words:
    """The rows everybody starts with, as 16-bit words."""
    rows = np.zeros((items, model.row_width), np.float32)
    model.kernels.init_rows(seed, 0, rows, np.zeros(0, np.float32), model.hyper())
    words = np.zeros(items * model.row_width, np.uint16)
    narrow(rows.reshape(-1), words)
    return words


def spread(rules: Rules, period: int) -> int:
    """Over how much of a period first sends are spread: half, along a ring, so that they arrive before the next."""
    return period // 2 if rules.ring > 0 else period


class PushSumNode:
    """One person's node: a book of one."""

    def __init__(
        self,
        number: int,
        agreed: PushSumRules,
        items: int,
        rated: Positions,
        values: Values,
        known: Sequence[int],
        partner: Partners,
        secret: Secrets,
    ) -> None:
        model, rules = agreed.model, agreed.rules
        self.number, self.agreed, self.known = number, agreed, sorted(known)
        self._ring = sorted((number, *known))
        self.rated, self.values = rated, values
        self._width, self._columns = model.row_width, sum_width(model)
        self.book = new_book(
            np.array([number]), items, self._width, self._columns, model.private_size, partner[None, :],
            secret[None, :],
        )  # fmt: skip
        self._kernels = push_sum_kernels.sum_kernels(exchanged(model))
        self.book.rows[:] = first_rows(model, rules.seed, items)
        self._items, self._hyper = items, model.hyper()
        self._number = 0
        self._broken = False
        self._answer = -1
        self._seen: dict[int, int] = {}
        self.ledger: list[Entry] = []
        self.received = 0
        slow = uniform(rules.seed, Stream.SPEED, number, 0, 0) * agreed.speeds
        offset = uniform(rules.seed, Stream.START, number, 0, 0) if agreed.staggered else 0.0
        self._period = int(agreed.period * (1 + slow))
        self.next_wake = int(offset * spread(rules, agreed.period))
        self._kernels.begin(self.book, 0, rated, values, rules, self._hyper)

    def wake(self, now: int, online: Callable[[int], bool]) -> list[Send]:
        """The next share, or the last one again; nothing where that one's receiver is away."""
        clock, rules = self.book.clock[0], self.agreed.rules
        event = int(clock[WAKES])
        self.next_wake += self._period
        if self._answer >= 0:
            hear(self.book, 0, self._answer, rules)
            self._answer = -1
        if self._broken:
            push_sum_kernels.take_back(self.book, 0)
            self._broken = False
        reachable = [peer for peer in self.known if online(peer)]
        if not reachable:
            clock[WAKES] += 1
            return []
        if self._kernels.wake(self.book, 0, self.rated, self.values, rules, self._hyper):
            drawn = reachable[pick(rules.seed, self.number, event, len(reachable))]
            clock[PEER] = self._onward(now, online) if rules.ring > 0 else drawn
            self._number += 1
        peer = int(clock[PEER])
        return [Send(peer, self._share(event))] if online(peer) else []

    def _onward(self, now: int, online: Callable[[int], bool]) -> int:
        """The next on the ring who is online; somebody is."""
        ring, rules = self._ring, self.agreed.rules
        place = ring.index(self.number) + int(stride(rules.seed, now // rules.ring, len(ring)))
        peers = (ring[(place + n) % len(ring)] for n in range(len(ring)))
        return next(peer for peer in peers if peer != self.number and online(peer))

    def skip(self) -> None:
        """Let one wake pass: the node is away."""
        self.book.clock[0, WAKES] += 1
        self.next_wake += self._period

    def _share(self, event: int) -> Update:
        clock = self.book.clock[0]
        wide = self._items * self._columns
        halves = self.book.words[0].view(np.float16)
        state = NodeState(
            rows=halves[:wide].reshape(self._items, self._columns),
            ages=np.zeros(0, np.int32),
            dense=np.concatenate((halves[wide:], self.book.sent_heads[0].astype(np.float16))),
            clock=_pack(
                int(clock[SENT_EPOCH]), int(clock[SENT_TURN]), int(self.book.ahead[0, 1]), self._number
            ),
            private=self.book.private[0],
        )
        draws = Draws(self.agreed.rules.seed, self.number, event)
        return release(FIELDS, state, self.rated, (Sparse(),), draws)

    def record(self, now: int, send: Send, size: int) -> None:
        """Enter a send in the ledger; hosts do this before the bytes leave."""
        index, rows = send.update.index, len(send.update.rows)
        rated = len(self.rated) if index is None else int(np.isin(index, self.rated).sum())
        self.ledger.append(Entry(now / 1e6, str(send.peer), rows, rated, size))

    def receive(self, sender: int, update: Update) -> int:
        """Add a share, unless it was added before; the number to acknowledge."""
        width = self._columns
        rest = flat_size(self._items, self._width, width) - self._items * width
        got = (update.items, update.rows.shape[1], len(update.dense), update.rows.dtype.name)
        own = (self._items, width, rest + HEADS, "float16")
        if got != own:
            raise BadMessage(
                f"share (items, width, dense, numbers): got {got}; allowed: this node's own {own}"
            )
        epoch, turn, ahead, number = _unpack(update.clock)
        if self._seen.get(sender) == number:
            return number
        self._seen[sender] = number
        whole = np.zeros((self._items, width), np.float16)
        whole[slice(None) if update.index is None else update.index] = update.rows
        flat = np.concatenate((whole.reshape(-1), update.dense[:rest].astype(np.float16)))
        heads = update.dense[rest:].astype(np.float32)
        self._kernels.take(
            self.book, 0, self.rated, self.values, epoch, turn, ahead, flat.view(np.uint16), heads,
            self.agreed.rules, self._hyper,
        )  # fmt: skip
        self.received += 1
        return number

    def ask(self, now: int, online: Callable[[int], bool]) -> Question | None:
        """What to ask which partner now, if there is one to ask; it is in the ledger then."""
        partner = self.book.partner[0].tolist()
        there = np.array([peer >= 0 and online(peer) for peer in partner], np.bool_)
        c = int(next_asked(self.book, 0, there))
        if c < 0:
            return None
        self.ledger.append(Entry(now / 1e6, str(partner[c]), 0, 0, QUESTION_BYTES))
        return Question(partner[c], int(side(self.book, 0, c)))

    def asked(self, sender: int, said: int) -> int:
        """A partner says its side of a pair: the answer is one's own."""
        c = int(place(said)) if 0 <= said < 2**62 else -1
        if not 0 <= c < self.book.partner.shape[1] or self.book.partner[0, c] != sender:
            raise BadMessage(f"question about masks: got {said} from {sender}; allowed: a pair of the two")
        hear(self.book, 0, said, self.agreed.rules)
        return int(side(self.book, 0, c))

    def answered(self, said: int) -> None:
        """The partner's answer; it counts from the next wake."""
        self._answer = said

    def broke_off(self) -> None:
        """The last send did not get through, and the transport knows it: one of the two went away meanwhile."""
        self._broken = True

    def acknowledged(self, number: int) -> None:
        """The receiver has this share: it is no longer this node's to deliver."""
        if number == self._number:
            self.book.clock[0, PEER] = -1


def _pack(epoch: int, turn: int, ahead: int, number: int) -> int:
    turn, number = min(turn, 2**_TURN_BITS - 1), number % 2**_NUMBER_BITS
    ago = epoch - ahead if ahead >= 0 else AGO
    return ((epoch << _TURN_BITS | turn) << _AGO_BITS | ago) << _NUMBER_BITS | number


def _unpack(clock: int) -> tuple[int, int, int, int]:
    front, number = clock >> _NUMBER_BITS, clock % 2**_NUMBER_BITS
    front, ago = front >> _AGO_BITS, front % 2**_AGO_BITS
    epoch = front >> _TURN_BITS
    return epoch, front % 2**_TURN_BITS, epoch - ago if ago < AGO else -1, number
