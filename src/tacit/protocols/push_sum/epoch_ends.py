"""When an epoch of sums is complete: it had its turns, and is mixed; or it does not get there."""

from __future__ import annotations

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.protocols.push_sum.headcount import headcount
from tacit.protocols.push_sum.masks import left_of_masks
from tacit.protocols.push_sum.state import GOOD, STALLED, TURN, Book, Rules

_EARLY = 3
_GUESS, _MIXED, _HIDDEN = 500.0, 10.0, 5.0
"""Deviations from the mean shrink by the square root of 2 each turn. After log2 N + 10 turns the part of one of N
people is known to 3 %. Masks are larger by their strength, and take more turns."""
_RING = 0.9
"""Turns along a ring per turn with random peers."""
_APART = 0.8
"""Without masks, how far apart sums may be at a read-out, in units of 1 / sqrt N. Of an item that forty people have, an
eighth of the people is then missing or too many."""
_SURE = 0.125
"""An epoch ends when an eighth of what is allowed is left, so that others can read out, too."""
_STAYS, _FIRST = 0.3, 1.2
"""What may be left of masks that will not cancel any more, as a part of what is allowed: it is in everybody's sums. A
node that has no rows yet accepts worse ones."""
_SAME, _SOON = 0.05, 5
"""Sums are the same everywhere when shares that arrive differ by a twentieth of what is left of masks. If that is
little enough, it need not be so for longer than some wakes."""


@kernel
def turns(book: Book, u: int, rules: Rules) -> int:
    """How many shares an epoch has: as set, or enough to mix the people there are, and the masks."""
    if rules.turns > 0:
        return rules.turns
    # Early in an epoch the count is still growing: the last one counts too, and before there is one a guess.
    before = book.known[u, 1] if book.known[u, 1] > 0 else _GUESS
    count = np.log2(max(headcount(book.heads[u]), before)) + _MIXED
    if rules.masks > 0:
        count += 2.0 * np.log2(1.0 + rules.masks) + _HIDDEN
    return int(np.ceil(_RING * count if rules.ring > 0 else count))


@kernel
def unmixed(book: Book, u: int, rules: Rules) -> float:
    """How far sums are from everybody's, as a part of what is allowed at a read-out: 1 is just mixed enough.

    By what is left of masks, against an item's mean count; without masks by how far apart shares were that arrived.
    Where the turns of an epoch are set, and there are no masks, these are enough.
    """
    if rules.masks <= 0:
        return 0.0 if rules.turns > 0 else book.known[u, 4] * np.sqrt(headcount(book.heads[u])) / _APART
    items, width, columns = book.sizes
    sums = book.sums[u]
    count = np.float64(0)
    for i in range(items):
        count += np.float64(sums[i * columns + width])
    left = left_of_masks(sums) * np.float64(sums[len(sums) - 1])
    return left * items / (rules.tolerance * count) if count > 0 else np.inf


@kernel
def readable(book: Book, u: int, rules: Rules) -> bool:
    """Whether sums are good enough to read rows out of them."""
    most = 1.0
    if rules.masks > 0 and book.course[u, STALLED] >= _SOON:
        most = _STAYS if book.clock[u, GOOD] >= 0 else _FIRST
    return bool(unmixed(book, u, rules) <= most)


@kernel
def settled(book: Book, u: int, length: int, rules: Rules) -> bool:
    """Whether an epoch that had its turns may end: it is mixed so well that others, too, can read out by now.

    Lost messages and nodes that are away make mixing slower; an epoch then takes longer. With masks it may, as long as
    there is something to mix (`watch`). Once there is not, what is left of them stays: it is little enough, or not.
    """
    left = unmixed(book, u, rules)
    if rules.stalled <= 0:
        return book.clock[u, TURN] >= rules.longest * length or left <= _SURE
    still = book.course[u, STALLED]
    return left <= _SURE or (readable(book, u, rules) and still >= _SOON) or still >= rules.stalled * length


@kernel
def watch(book: Book, u: int, length: int, rules: Rules) -> None:
    """At a wake: are sums the same everywhere, though masks are left in them?

    Then only somebody who is away could bring what cancels these. When they come back, sums differ again.
    """
    course = book.course[u]
    same = book.known[u, 4] <= _SAME * left_of_masks(book.sums[u])
    course[STALLED] = course[STALLED] + 1 if same and book.clock[u, TURN] >= length else 0


@kernel
def over(book: Book, u: int, rules: Rules) -> bool:
    """Whether a node's epoch is complete."""
    length = turns(book, u, rules)
    return bool(book.clock[u, TURN] >= length and settled(book, u, length, rules))


@kernel
def nearly_over(book: Book, u: int, rules: Rules) -> bool:
    """Whether the sums are good enough to be read out by now, since somebody else went on to the next epoch."""
    return bool(book.clock[u, TURN] >= turns(book, u, rules) - _EARLY)
