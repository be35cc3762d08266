"""Compiled loops of the synthetic data: which items each user has, and how they rate them."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.rng import Stream, normal, philox, uniform

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Positions = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]
_STREAM = Stream.SYNTHETIC
_PICK, _RACE, _NOISE, _GAP, _KINDNESS = 20, 21, 22, 23, 24
_11 = np.uint64(11)
_UNIT = 1.0 / 9007199254740992.0
TRIES = 16
"""Tries per wanted item before a user's remaining items are chosen in one pass over the catalogue."""


@kernel
def _two(seed: int, u: int, event: int, draw: int) -> tuple[float, float]:
    """Two numbers in [0, 1) from one counter."""
    a, b = philox(seed, _STREAM, u, event, draw)
    return (a >> _11) * _UNIT, (b >> _11) * _UNIT


@kernel
def _liking(taste: Floats, other: Floats) -> float:
    """How much a user likes an item, whatever others think of it."""
    liking = 0.0
    for d in range(len(taste)):
        liking += taste[d] * other[d]
    return liking


@kernel
def _chance(liking: float, near: bool) -> float:
    """The chance that a user takes up an item that comes along."""
    return (1.0 if near else 0.4) / (1.0 + math.exp(2.5 - 4.0 * liking))


@kernel
def _add(seen: Ints, item: int) -> bool:
    """Put an item into a hash set of items (-1 marks a free place); False if it was there."""
    mask = len(seen) - 1
    place = (item * 2654435761) & mask
    while seen[place] >= 0:
        if seen[place] == item:
            return False
        place = (place + 1) & mask
    seen[place] = item
    return True


@kernel
def _meet(cumulative: Floats, drawn: float) -> int:
    """The item that this draw picks: chance by popularity."""
    low, high = 0, len(cumulative) - 1
    while low < high:
        middle = (low + high) // 2
        if cumulative[middle] > drawn:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def _choose(
    seed: int,
    u: int,
    own: tuple[int, int],
    cumulative: Floats,
    taste: Floats,
    item_taste: Floats,
    near: Bools,
    item: Positions,
) -> int:
    """Fill `item` with a user's items in the order they are taken up, and return how many there are.

    The first are those of the range `own`.
    """
    count = len(item)
    size = 4
    while size < 2 * count:
        size *= 2
    seen = np.full(size, -1, np.int64)
    have = 0
    for i in range(own[0], own[1]):
        _add(seen, i)
        item[have] = i
        have += 1
    for attempt in range(TRIES * count):
        if have == count:
            break
        one, two = _two(seed, u, _PICK, attempt)
        met = _meet(cumulative, one)
        if two < _chance(_liking(taste, item_taste[met]), near[met]) and _add(seen, met):
            item[have] = met
            have += 1
    return have


@kernel
def choose(
    low: int,
    high: int,
    seed: int,
    start: Ints,
    cumulative: Floats,
    user_taste: Floats,
    item_taste: Floats,
    near: Bools,
    home: Ints,
    item: Positions,
    have: Ints,
) -> None:
    """The items of users low .. high, and how many each has got. User u's are start[u] .. start[u + 1].

    A user sees items by popularity and takes one up with a chance that grows with liking it. This is a draw without
    replacement with weights popularity * chance. `cumulative` popularity ends with 1; `near[h, i]`: is item i in town
    h? So that every item occurs, item i goes to the user who owns place floor(i * total / items) of all places.
    """
    items, total = len(cumulative), start[-1]
    for u in range(low, high):
        a, b = start[u], start[u + 1]
        own = ((a * items + total - 1) // total, (b * items + total - 1) // total)
        have[u] = _choose(seed, u, own, cumulative, user_taste[u], item_taste, near[home[u]], item[a:b])


@kernel
def race(seed: int, u: int, cumulative: Floats, taste: Floats, item_taste: Floats, near: Bools) -> Floats:
    """The exponential race: E / weight of every item. Smallest first is the same draw without replacement.

    It finishes the draw of users who want nearly all items and would wait long to meet the last ones.
    """
    arrival = np.empty(len(cumulative))
    before = 0.0
    for i in range(len(cumulative)):
        weight = (cumulative[i] - before) * _chance(_liking(taste, item_taste[i]), near[i])
        arrival[i] = -math.log(1.0 - uniform(seed, _STREAM, u, _RACE, i)) / weight
        before = cumulative[i]
    return arrival


@kernel
def rate(
    low: int,
    high: int,
    seed: int,
    start: Ints,
    joined: Ints,
    user_taste: Floats,
    item_taste: Floats,
    quality: Floats,
    item: Positions,
    rating: npt.NDArray[np.float32],
    time: Ints,
) -> None:
    """Ratings 1 to 5 by liking, the item's quality and the user's kindness, and their times (users low .. high)."""
    for u in range(low, high):
        kindness = 0.4 * normal(seed, _STREAM, u, _KINDNESS, 0)
        now = joined[u]
        for n in range(start[u], start[u + 1]):
            draw = n - start[u]
            score = 2.8 + kindness + quality[item[n]] + _liking(user_taste[u], item_taste[item[n]])
            score += 0.7 * normal(seed, _STREAM, u, _NOISE, draw)
            rating[n] = min(5.0, max(1.0, math.floor(score + 0.5)))
            # Sittings: most gaps are minutes, some are weeks.
            one, two = _two(seed, u, _GAP, draw)
            now += 1 + int(-math.log(1.0 - one) * (604800.0 if two < 0.1 else 120.0))
            time[n] = now
