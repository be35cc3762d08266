"""What a node does with sums that travel: begin an epoch, give away half, add what arrives, read out.

Devices and the simulator run these functions, for node `u` of a `Book` (`state.py`, where the flat row of numbers
that sums are is described).

Half of it is given away as 16-bit words, fewer bits of each the longer an epoch still takes (`precision`). What
rounding takes from a message stays with the sender, so that the sum over all nodes never changes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Positions, Values
from tacit.core.message.half_precision import FEWEST, Singles, Words, narrow, shorten, widen
from tacit.models.base import Exchanged
from tacit.protocols.push_sum.epoch_ends import nearly_over, over, readable, turns, watch
from tacit.protocols.push_sum.headcount import HEADS, NOBODY, draw_heads, headcount
from tacit.protocols.push_sum.mask_pairs import few, inside, let_go, open_pairs, stay_out
from tacit.protocols.push_sum.masks import CHECKS, FAR, apart, left_of_masks, mask, probe
from tacit.protocols.push_sum.state import (
    DISCARDED,
    EPOCH,
    GOOD,
    PEER,
    SENT_EPOCH,
    SENT_TURN,
    TOLD,
    TRIES,
    TURN,
    WAKES,
    Book,
    Rules,
)

MISSED = 2
_FINE = 14
"""Bits of a number in the last turn of an epoch: it is exact to one part in 512."""
AGO = 15
"""How many epochs ago a share can say that the last read-out was."""


@kernel
def left_behind(book: Book, u: int) -> bool:
    """Whether a node missed more than one epoch's read-out, and somebody did not: others have other rows by now.

    Where nobody read out since, all have the same rows still, and go on with them.
    """
    good = book.clock[u, GOOD]
    return bool(book.clock[u, EPOCH] - good > MISSED and book.ahead[u, 0] > good)


@kernel
def clear(book: Book, u: int) -> None:
    """Empty sums, at the first turn of an epoch."""
    book.sums[u, :] = 0
    book.heads[u, :] = NOBODY
    book.known[u, 4] = FAR
    book.clock[u, TURN] = 0
    book.clock[u, PEER] = -1


@kernel
def rows_of(book: Book, u: int) -> Singles:
    """The rows of a node's last read-out."""
    items, width = book.sizes[0], book.sizes[1]
    rows = np.empty(items * width, np.float32)
    widen(book.rows[u], rows)
    return rows.reshape(items, width)


@kernel
def give(book: Book, u: int, length: int, rules: Rules) -> bool:
    """Halve a node's sums into a new share, in an epoch of `length` turns; False: the last one has to go again."""
    clock = book.clock[u]
    again = clock[PEER] >= 0 and clock[TRIES] <= rules.patience
    if not again:
        part_with(book, u, 0.5, precision(length - clock[TURN], rules.ring > 0))
        clock[TRIES] = 0
    clock[TRIES] += 1
    clock[TURN] += 1
    return not again


@kernel
def part_with(book: Book, u: int, part: float, bits: int) -> None:
    """Move a part of a node's sums into a new share, at this many bits per number; what rounding takes stays."""
    clock, sums = book.clock[u], book.sums[u]
    share = np.float32(part) * sums
    narrow(share, book.words[u])
    # Check coordinates go through the same as rows: what is left of them is what rounding left of masks, too.
    last = len(sums) - 1
    shorten(book.words[u, : book.sizes[0] * book.sizes[2]], bits)
    shorten(book.words[u, last - CHECKS : last], bits)
    widen(book.words[u], share)
    sums -= share
    book.sent_heads[u] = book.heads[u]
    clock[SENT_EPOCH] = clock[EPOCH]
    clock[SENT_TURN] = clock[TURN]
    # What is longer ago than a message can say is not said.
    book.ahead[u, 1] = book.ahead[u, 0] if clock[EPOCH] - book.ahead[u, 0] < AGO else -1


@kernel
def precision(left: int, ring: bool) -> int:
    """How many bits of a number travel with `left` turns to go, this one included.

    Rounding errors average out by the square root of 2 each turn, as differences between nodes do. So with two more
    turns to go one bit less is enough. Along a ring, which mixes better, one bit less is always enough.
    """
    return max(FEWEST, _FINE - ring - max(left - 1, 0) // 2)


@kernel
def take_back(book: Book, u: int) -> None:
    """The transfer of a share broke off. If it was the first, the share is nowhere else, and belongs to the sums again.

    After an earlier one that only nobody answered to, the share may have arrived: it goes again to the same peer.
    """
    clock = book.clock[u]
    if clock[PEER] >= 0 and clock[TRIES] == 1:
        share = np.empty(book.sums.shape[1], np.float32)
        widen(book.words[u], share)
        book.sums[u] += share
        clock[PEER] = -1


@kernel
def add(book: Book, u: int, turn: int, words: Words, heads: Singles) -> None:
    """Add a share of a node's own epoch, which its sender gave away in some turn."""
    share = np.empty(len(words), np.float32)
    widen(words, share)
    sums = book.sums[u]
    book.known[u, 4] = max(apart(sums, share), 0.5 * book.known[u, 4])
    sums += share
    for h in range(HEADS):
        book.heads[u, h] = max(book.heads[u, h], heads[h])
    # A slow node keeps up with the others' turns, one behind: turns are never counted faster than the fastest counts.
    book.clock[u, TURN] = max(book.clock[u, TURN], turn - 1)


class SumKernels(NamedTuple):
    """What a node does with the sums of one model."""

    solve_part: Callable[..., None]
    tell_part: Callable[..., None]
    begin: Callable[..., None]
    finish: Callable[..., bool]
    wake: Callable[..., bool]
    take: Callable[..., None]


@cache
def sum_kernels(exchanged: Exchanged) -> SumKernels:
    """The kernels for a model's statistics."""
    solve_own, tell, read_rows = exchanged.solve_own, exchanged.tell, exchanged.read_rows

    @kernel
    def solve_part(book: Book, u: int, had: Positions, values: Values, private: Singles, hyper: Any) -> None:
        """Somebody's own part, for the rows that node u has."""
        solve_own(rows_of(book, u), had, values, book.known[u], private, hyper)

    @kernel
    def tell_part(
        book: Book, u: int, private: Singles, had: Positions, values: Values, sums: Singles, hyper: Any
    ) -> None:
        """Somebody's statistics, with a weight of 1, into empty sums; their part is of the rows that node u has."""
        items, columns = book.sizes[0], book.sizes[2]
        wide = items * columns
        told = sums[:wide].reshape(items, columns)
        tell(private, had, values, rows_of(book, u), told, sums[wide:], hyper)
        sums[len(sums) - 1] = 1

    @kernel
    def begin(book: Book, u: int, had: Positions, values: Values, rules: Rules, hyper: Any) -> None:
        """Solve one's own part for the rows one has, and put one's own statistics into the new epoch's sums.

        Some nodes pass sums on and add nothing of their own: those with rows that the others have left behind, or with
        too few partners. Their masks go in even so: their partners' are in, and need them to cancel.
        """
        clear(book, u)
        open_pairs(book, u)
        solve_part(book, u, had, values, book.private[u], hyper)
        epoch = book.clock[u, EPOCH]
        tells = not (left_behind(book, u) or few(book, u))
        book.course[u, TOLD] = tells
        if tells:
            tell_part(book, u, book.private[u], had, values, book.sums[u], hyper)
            draw_heads(rules.seed, book.number[u], epoch, book.heads[u])
        if rules.masks > 0:
            mask(book.number[u], inside(book, u), book.key[u], epoch, rules.masks, book.sums[u])
        elif tells:
            probe(rules.seed, book.number[u], epoch, book.sums[u])

    @kernel
    def finish(book: Book, u: int, rules: Rules, hyper: Any) -> bool:
        """Read the rows out of the sums, unless they are not mixed or masks are left: then the last good rows stay."""
        items, width, columns = book.sizes
        wide = items * columns
        sums = book.sums[u]
        weight = np.float64(sums[len(sums) - 1])
        if weight <= 1e-6:
            return False
        if not readable(book, u, rules):
            book.clock[u, DISCARDED] += 1
            return False
        rows = rows_of(book, u)
        book.known[u, 1] = headcount(book.heads[u])
        book.known[u, 3] = left_of_masks(sums) if rules.masks > 0 else 0.0
        read_rows(sums[:wide].reshape(items, columns), sums[wide:], weight, book.known[u], rows, hyper)
        narrow(rows.reshape(items * width), book.rows[u])
        book.clock[u, GOOD] = book.clock[u, EPOCH]
        book.ahead[u, 0] = max(book.ahead[u, 0], book.clock[u, EPOCH])
        return True

    @kernel
    def wake(book: Book, u: int, had: Positions, values: Values, rules: Rules, hyper: Any) -> bool:
        """A node's turn: end its epoch if that is complete; then halve its sums into a new share.

        False: there is no new share, the last one goes again, as nobody acknowledged it.
        """
        book.clock[u, WAKES] += 1
        length = turns(book, u, rules)
        watch(book, u, length, rules)
        if over(book, u, rules):
            finish(book, u, rules, hyper)
            book.clock[u, EPOCH] += 1
            begin(book, u, had, values, rules, hyper)
        let_go(book, u, length, rules)
        return give(book, u, length, rules)

    @kernel
    def take(
        book: Book,
        u: int,
        had: Positions,
        values: Values,
        epoch: int,
        turn: int,
        ahead: int,
        words: Words,
        heads: Singles,
        rules: Rules,
        hyper: Any,
    ) -> None:
        """A share arrived. One of an earlier epoch says nothing any more; at one of a later epoch a node joins that."""
        clock = book.clock[u]
        if epoch < clock[EPOCH]:
            return
        book.ahead[u, 0] = max(book.ahead[u, 0], ahead)
        if epoch > clock[EPOCH]:
            if nearly_over(book, u, rules):
                finish(book, u, rules, hyper)
            clock[EPOCH] = epoch
            begin(book, u, had, values, rules, hyper)
            # A late node would only disturb sums that are nearly mixed. Masks are waited for longer: partners' are in.
            late = 2 * turn if rules.masks <= 0 else turn
            if late > turns(book, u, rules):
                book.sums[u] = 0
                book.heads[u] = NOBODY
                stay_out(book, u)
        add(book, u, turn, words, heads)

    return SumKernels(solve_part, tell_part, begin, finish, wake, take)
