"""A node's sums, epoch by epoch, each over a catalogue of its own.

The rule and its arithmetic are those of the simulator (`protocols/push_sum/kernels.py`), one step at a time. The
catalogue may grow between two epochs. A node's own statistics go in only after its masks are agreed on (`sum_agent`).
Until then a node only passes on what it receives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Positions, Values
from tacit.core.message.half_precision import Singles, narrow, widen
from tacit.core.node_state import NodeState
from tacit.core.rng import Stream, normal
from tacit.models.base import exchanged, sum_width
from tacit.node.catalogue.row_index import Hashes, RowIndex
from tacit.node.exchange.gossip_learner import SharedRatings
from tacit.node.push_sum.mask_secrets import Pair, noise
from tacit.node.push_sum.read_out import ReadOut
from tacit.node.push_sum.sum_rules import SumRules
from tacit.node.push_sum.sum_wire import NO_EPOCH, Epoch
from tacit.node.receive_limits import MAX_CATALOGUE
from tacit.protocols.push_sum import epoch_ends
from tacit.protocols.push_sum import kernels as push_sum_kernels
from tacit.protocols.push_sum.headcount import HEADS, draw_heads, headcount
from tacit.protocols.push_sum.kernels import MISSED
from tacit.protocols.push_sum.masks import probe
from tacit.protocols.push_sum.state import EPOCH, GOOD, TURN, WAKES, Book, Rules, new_book

_ROWS = Stream.LIVE_ROWS
_32, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
_NONE: Hashes = np.zeros(0, np.uint64)
_STUCK = 2
"""Epochs in a row in which nobody put anything in: then everybody starts over from the first rows."""
_OFTEN = 4
"""Times that own data goes in, in as many wakes as an epoch has turns. Masks are fresh each time, so whoever could make
others begin epoch after epoch would see them average out."""
_FEWEST = 0.625
"""Part of the members required whom a read-out must count; the count is right within 12 %."""


class Sums:
    """One person's sums, or those of a cluster's people together, and the rows last read out."""

    def __init__(self, number: int, rules: SumRules, cap: int = MAX_CATALOGUE) -> None:
        model = rules.model
        self.number, self.rules, self.cap = number, rules, min(cap, MAX_CATALOGUE)
        self._kernels, self._hyper = push_sum_kernels.sum_kernels(exchanged(model)), model.hyper()
        self._rules = Rules(
            rules.seed, rules.turns, rules.masks, rules.tolerance, rules.patience, rules.longest
        )
        self.read = ReadOut(self.cap, model.row_width)
        self.epoch, self.names = NO_EPOCH, _NONE
        self.book = self._new_book(0)
        self.put, self.ahead, self.pairs = False, -1, dict[str, Pair]()
        self.asked: set[str] = set()
        """Peers that were asked for masks in this epoch. They may have agreed without an answer that arrived."""
        self._empty = 0
        self._puts: list[int] = []
        self._told: Sequence[SharedRatings] = ()
        self._placed: list[tuple[Positions, Values]] = []
        self._also = _NONE
        self.catalogue: Callable[[], Hashes] = lambda: _NONE
        """Rows whose keys may be told to others, by name."""
        self.changed: set[str] = set()

    def _new_book(self, items: int) -> Book:
        model, nobody = self.rules.model, np.zeros((1, 0), np.int32)
        return new_book(
            np.array([self.number]), items, model.row_width, sum_width(model), model.private_size, nobody,
            np.zeros((1, 0), np.uint64),
        )  # fmt: skip

    @property
    def row_index(self) -> RowIndex:
        """Where rows stand in `state`."""
        return self.read.row_index

    @property
    def state(self) -> NodeState:
        """The rows last read out."""
        return self.read.state

    @property
    def rounds(self) -> int:
        """How often rows were read out."""
        return self.read.rounds

    @property
    def good(self) -> int:
        """The last epoch with a good read-out; -1: none."""
        return int(self.book.clock[0, GOOD])

    @property
    def wakes(self) -> int:
        """How often it woke, in all its life."""
        return int(self.book.clock[0, WAKES])

    @property
    def turn(self) -> int:
        """Shares given away in this epoch."""
        return int(self.book.clock[0, TURN])

    @property
    def length(self) -> int:
        """Shares that this epoch has, as far as is known."""
        return int(epoch_ends.turns(self.book, 0, self._rules))

    @property
    def passive(self) -> bool:
        """Whether others have read out rows that this node missed: it passes sums on until it has read out again."""
        return self.ahead - self.good >= MISSED

    @property
    def late(self) -> bool:
        """Whether it is too late in this epoch to put something in: it would not be mixed at the end."""
        return 3 * self.turn > self.length

    @property
    def able(self) -> bool:
        """Whether there is something to put in, for the rows that the others have, and not too often."""
        often = len([wake for wake in self._puts if wake > self.wakes - self.length]) >= _OFTEN
        return not (self.passive or often) and any(len(told.names) for told in self._told)

    # What is known

    def know(self, names: Hashes) -> None:
        """Take rows into the next epoch's catalogue."""
        self._also = np.union1d(self._also, names)[: self.cap]

    def set_people(self, told: Sequence[SharedRatings]) -> None:
        """Whose data goes into epochs from the next on."""
        self._told = told
        self._place()

    def _place(self) -> None:
        self._placed = []
        for one in self._told:
            order = np.argsort(one.names)
            names, values = one.names[order], one.values[order].astype(np.float32)
            at = np.searchsorted(self.names, names)
            here = at < len(self.names)
            here[here] = self.names[at[here]] == names[here]
            self._placed.append((at[here].astype(np.int32), values[here]))

    def next_names(self) -> Hashes:
        """The catalogue of an epoch that this node begins."""
        names = np.union1d(np.union1d(self.names, self._also), self.catalogue()).astype(np.uint64)
        return self.read.foremost(names, self.cap)

    # Epochs

    def begin(self, epoch: Epoch, names: Hashes, good: int = -1) -> None:
        """Empty sums for an epoch; `good`: the last read-out of somebody who is in it."""
        before = self.book
        if len(names) != len(self.names) or not np.array_equal(names, self.names):
            self.book = self._new_book(len(names))
            self.book.clock[:], self.book.known[:] = before.clock, before.known
        self.epoch, self.names = epoch, names
        self.book.clock[0, EPOCH] = epoch.number
        self._fill_rows()
        push_sum_kernels.clear(self.book, 0)
        self.put, self.ahead, self.pairs, self.asked = False, max(self.good, good), {}, set()
        self._place()
        self.changed |= {"names", "words", "sent_heads", "sums"}
        if self.rules.masks <= 0:
            self.put_in(True)

    def _fill_rows(self) -> None:
        """The rows this epoch's statistics are for: as last read out, or as everybody starts."""
        rows = self.read.rows_of(self.names)
        if self.good < 0:
            name_rows(self.names, self._hyper.spread, rows)
        narrow(rows.reshape(-1), self.book.rows[0])

    def reopen(self, epoch: Epoch, names: Hashes, parts: dict[str, bytes]) -> None:
        """Be in an epoch as one was in it before, with these arrays of the book."""
        self.epoch, self.names, self.book = epoch, names, self._new_book(len(names))
        for name, data in parts.items():
            array: np.ndarray = getattr(self.book, name)
            array[:] = np.frombuffer(data, array.dtype).reshape(array.shape)
        self._fill_rows()
        self._place()

    def join(self, epoch: Epoch, names: Hashes, good: int) -> None:
        """Somebody is in a later epoch: go there."""
        known = self.book.known[0]
        if self.passive and known[1] <= 0:
            # A newcomer's guess of how many there are would make its epochs longer than everybody else's, for ever.
            known[1] = headcount(self.book.heads[0])
        if self.epoch is not NO_EPOCH and epoch_ends.nearly_over(self.book, 0, self._rules):
            self._finish()
        self.begin(epoch, names, good)

    def put_in(self, data: bool) -> None:
        """One's own statistics, if `data`, under the masks agreed on; masks alone cancel with the partners'."""
        book = self.book
        if data:
            self._puts = [*self._puts[-_OFTEN:], self.wakes]
        own = np.zeros_like(book.sums[0])
        for n, (had, values) in enumerate(self._placed):
            private = np.zeros_like(book.private[0])
            self._kernels.solve_part(book, 0, had, values, private, self._hyper)
            if n == 0:
                book.private[0] = private
            if data and not self.passive:
                one, heads = np.zeros_like(own), np.zeros(HEADS, np.float32)
                self._kernels.tell_part(book, 0, private, had, values, one, self._hyper)
                own += one
                draw_heads(self.rules.seed, self.number + n, self.epoch.number, heads)
                np.maximum(book.heads[0], heads, out=book.heads[0])
        if self.rules.masks <= 0:
            probe(self.rules.seed, self.number, self.epoch.number, own)
        for one_pair in self.pairs.values():
            _add(own, self._noise(one_pair))
        book.sums[0] += own
        self.put = True
        self.changed |= {"sums"}

    def agree(self, peer: str, one: Pair, good: int) -> None:
        """Masks with a peer: they go in with one's own statistics, or at once where these are in already."""
        self.asked.discard(peer)
        self.ahead = max(self.ahead, good)
        self.changed |= {"meta"}
        if peer in self.pairs:
            return
        self.pairs[peer] = one
        if self.put:
            _add(self.book.sums[0], self._noise(one))
            self.changed |= {"sums"}

    def _noise(self, one: Pair) -> np.ndarray:
        return noise(one, self.book.sums.shape[1] - 1, self.rules.masks)

    def _finish(self) -> None:
        """Read rows out, if the sums are of enough people and masks have cancelled."""
        book, model = self.book, self.rules.model
        weight = float(book.sums[0, -1])
        self._empty = self._empty + 1 if weight <= 1e-6 else 0
        self.changed |= {"sums"}
        if self._empty >= _STUCK:
            book.clock[0, GOOD] = -1
        few = self.rules.members > 1 and headcount(book.heads[0]) < _FEWEST * self.rules.members
        if few or not self._kernels.finish(book, 0, self._rules, self._hyper):
            return
        items, width, columns = len(self.names), model.row_width, sum_width(model)
        counts = book.sums[0, : items * columns].reshape(items, columns)[:, width] / weight
        rows = np.zeros(items * width, np.float32)
        widen(book.rows[0], rows)
        people, mean_had = float(book.known[0, 1]), float(book.known[0, 0])
        self.read.keep(self.names, rows.reshape(items, width), counts * people, mean_had)
        self.changed |= {"read"}


def _add(sums: Singles, more: np.ndarray) -> None:
    """Noise onto everything but the weight, rounded once."""
    sums[:-1] = sums[:-1].astype(np.float64) + more


@kernel
def name_rows(names: Hashes, spread: float, rows: Singles) -> None:
    """The rows everybody starts with: normal around 0, drawn by a row's name, so that nobody has to agree on them."""
    for i in range(rows.shape[0]):
        name = names[i]
        for f in range(rows.shape[1]):
            rows[i, f] = normal(0, _ROWS, name >> _32, name & _LOW, f) * spread
