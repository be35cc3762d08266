"""Negative sampling: random items that a user does not have, many at once or one at a time."""

from __future__ import annotations

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints, Positions
from tacit.core.rng import below_word, fill_words, sample, two

_DRAWS = 64
"""How many draws are made at a time."""


@kernel
def draw_outside(
    seed: int, stream: int, node: int, event: int, own: Positions, items: int, out: Positions
) -> None:
    """Fill `out`, ascending, with different items outside `own` (ascending); -1 where there are no more."""
    free = items - len(own)
    taken = np.zeros(free, np.bool_)
    sample(seed, stream, node, event, free, min(len(out), free), taken)
    out[:] = -1
    at = 0
    r = 0
    for i in range(items):
        if r < len(own) and own[r] == i:
            r += 1
        elif taken[i - r]:
            out[at] = i
            at += 1


@kernel
def among(items: Positions | Ints, item: int) -> bool:
    """Whether an item is one of `items` (ascending)."""
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < item:
            low = middle + 1
        else:
            high = middle
    return low < len(items) and items[low] == item


@kernel
def draw_one(
    seed: int, stream: int, node: int, event: int, draw: int, avoid: Positions, items: int
) -> tuple[int, int]:
    """An item outside `avoid`, each equally likely, and the number of the next unused draw. Some item must be left."""
    while True:
        a, b = two(seed, stream, node, event, draw)
        draw += 1
        item = int(a * items)
        if not among(avoid, item):
            return item, draw
        item = int(b * items)
        if not among(avoid, item):
            return item, draw


@kernel
def draw_many(
    seed: int, stream: int, node: int, event: int, avoid: Positions, items: int, out: Positions
) -> None:
    """Fill `out` with what `draw_one` gives from draw 0 on, in less time. Some item must be left."""
    avoided = np.zeros(items, np.bool_)
    for item in avoid:
        avoided[item] = True
    words = np.empty(2 * _DRAWS, np.uint64)
    draw = 0
    count = 0
    while count < len(out):
        if draw % _DRAWS == 0:
            fill_words(seed, stream, node, event, draw, words)
        at = 2 * (draw % _DRAWS)
        draw += 1
        item = below_word(words[at], items)
        if avoided[item]:
            item = below_word(words[at + 1], items)
        if not avoided[item]:
            out[count] = item
            count += 1
