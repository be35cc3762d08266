"""Pairs of partners whose masks must both be in an epoch's sums, or neither: how they agree on that.

A node's side of a pair is IN an epoch when its noise is in the sums, else OUT. At each wake a node asks one partner
that can be reached and that it has not heard of in this epoch. The question tells the asker's side, the answer tells
the other's.

- A node that has not heard of a partner in half of an epoch's turns goes out alone. It adds the negative of that pair's
  noise, and keeps asking.
- A node that is out and hears that the partner is in goes in again. So both sides end alike, whatever messages are
  lost. If one leaves for good before the other hears of it, what is left in the check coordinates spoils that epoch.
- It spoils no other epoch. A pair is in from the beginning of an epoch only where the two heard of each other in the
  one before.
- A node's data is never in under fewer than half of its masks. With fewer pairs in at the beginning it adds no data. A
  withdrawal that would leave fewer is not made, and the check discards that epoch too.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.protocols.push_sum.masks import mask
from tacit.protocols.push_sum.state import (
    ASKED,
    AWAKE,
    EPOCH,
    HEARD,
    IN,
    OUT,
    PAIRED,
    SIDE,
    STALLED,
    TOLD,
    Book,
    Rules,
)

QUESTION_BYTES = 8
"""A question, or an answer: epoch, place among partners, side."""
_PLACES = 2**16


@kernel
def open_pairs(book: Book, u: int) -> None:
    """A new epoch: those pairs are in whose partner was heard of in the one just before."""
    epoch, course = book.clock[u, EPOCH], book.course[u]
    straight = epoch == course[PAIRED] + 1
    for c in range(book.partner.shape[1]):
        pair = book.pair[u, c]
        pair[SIDE] = IN if straight and pair[HEARD] and book.partner[u, c] >= 0 else OUT
        pair[HEARD] = False
    course[PAIRED] = epoch
    course[AWAKE] = course[STALLED] = 0


@kernel
def stay_out(book: Book, u: int) -> None:
    """Have nothing of one's own in this epoch."""
    book.pair[u, :, SIDE] = OUT
    book.course[u, TOLD] = False


@kernel
def inside(book: Book, u: int) -> npt.NDArray[np.int32]:
    """The partners of the pairs that are in, -1 for the others."""
    partner = book.partner[u].copy()
    for c in range(len(partner)):
        if book.pair[u, c, SIDE] == OUT:
            partner[c] = -1
    return partner  # type: ignore[no-any-return]


@kernel
def few(book: Book, u: int, less: int = 0) -> bool:
    """Whether fewer than half of a node's masks are in, or would be with some `less`."""
    count = -less
    for c in range(book.partner.shape[1]):
        count += book.pair[u, c, SIDE]
    return bool(2 * count < book.partner.shape[1])


@kernel
def change(book: Book, u: int, c: int, to: int, rules: Rules) -> None:
    """Put the noise of one pair into the sums, or take it back out."""
    only = np.full(book.partner.shape[1], -1, np.int32)
    only[c] = book.partner[u, c]
    strength = rules.masks if to == IN else -rules.masks
    mask(book.number[u], only, book.key[u], book.clock[u, EPOCH], strength, book.sums[u])
    book.pair[u, c, SIDE] = to


@kernel
def let_go(book: Book, u: int, length: int, rules: Rules) -> None:
    """At a wake in an epoch of `length` turns: wait no longer than half of them for partners not heard of."""
    book.course[u, AWAKE] += 1
    if 2 * book.course[u, AWAKE] <= length:
        return
    for c in range(book.partner.shape[1]):
        hidden = not (book.course[u, TOLD] and few(book, u, 1))
        if hidden and book.pair[u, c, SIDE] == IN and not book.pair[u, c, HEARD]:
            change(book, u, c, OUT, rules)


@kernel
def next_asked(book: Book, u: int, reachable: npt.NDArray[np.bool_]) -> int:
    """The partner to ask now: in turn, one not heard of that can be reached; -1: nobody."""
    count = book.partner.shape[1]
    for n in range(count):
        c = (book.course[u, ASKED] + 1 + n) % count
        if reachable[c] and not book.pair[u, c, HEARD]:
            book.course[u, ASKED] = c
            return c  # type: ignore[no-any-return]
    return -1


@kernel
def side(book: Book, u: int, c: int) -> int:
    """What a node says of a pair, in a question or an answer, as one number."""
    return (book.clock[u, EPOCH] * _PLACES + c) * 2 + book.pair[u, c, SIDE]  # type: ignore[no-any-return]


@kernel
def place(said: int) -> int:
    """Which pair a question or an answer is about: both sides count their partners alike."""
    return said // 2 % _PLACES


@kernel
def hear(book: Book, u: int, said: int, rules: Rules) -> None:
    """What the partner says of a pair; nothing, where it is in another epoch."""
    c = place(said)
    if said // 2 // _PLACES != book.clock[u, EPOCH]:
        return
    book.pair[u, c, HEARD] = True
    if said % 2 == IN and book.pair[u, c, SIDE] == OUT:
        change(book, u, c, IN, rules)
