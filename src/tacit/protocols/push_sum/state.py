"""The state of nodes that exchange sums, and what they agree on.

All nodes' state is one `Book`; a device is a book of one node, the simulator's has a leading axis of thousands. The
sums of a node are one flat row of numbers, c being what an item's sums have:

    (B_j, n_j) of every item, M x c | p p', its lower half | check coordinates | weight w
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints
from tacit.core.message.half_precision import Singles, Words
from tacit.protocols.push_sum.headcount import HEADS
from tacit.protocols.push_sum.masks import CHECKS

EPOCH, TURN, GOOD, SENT_EPOCH, SENT_TURN, PEER, TRIES, WAKES, DISCARDED = range(9)
COLUMNS = 9
"""Columns of `Book.clock`: the epoch a node is in, its turn there, and the epoch of its last read-out (-1: none). Then
come the epoch and turn of its last share, the peer that has to acknowledge it (-1: nobody), and how often it was sent.
The last two are how often the node woke and how many epochs it discarded."""
FOREVER = 2**31
"""Patience without an end."""
KNOWN = 5
"""Columns of `Book.known`."""
SIDE, HEARD = range(2)
OUT, IN = range(2)
"""Where a side of a pair may be."""
PAIRED, ASKED, AWAKE, TOLD, STALLED = range(5)
"""Columns of `Book.course`: the epoch that `pair` is about, the partner last asked, and how often the node woke in this
epoch. Then come whether it put its own statistics in, and how often it woke since there was nothing left to mix."""


class Book(NamedTuple):
    """The state of nodes; node `u` has row u of each but the sizes."""

    sizes: Ints
    """M, how many numbers a row has, and c: how many an item's sums have."""
    number: Ints
    """Which node of the network it is."""
    clock: Ints
    sums: Singles
    words: Words
    """The share that was last given away."""
    heads: Singles
    sent_heads: Singles
    rows: Words
    """Item rows, M x r in a row, of the last read-out."""
    private: Singles
    known: npt.NDArray[np.float64]
    """Mean items per person, how many people there are, the mean value, and what is left of masks (-1: not known yet).
    The last is how far the last shares were from this node's own sums."""
    partner: npt.NDArray[np.int32]
    """The partners that share masks with this node. -1: nobody."""
    key: npt.NDArray[np.uint64]
    """The secret agreed with each partner."""
    pair: npt.NDArray[np.int8]
    """Of each pair in this epoch: SIDE, whether this node's noise is in its sums, and HEARD, whether the partner said
    whether its own is."""
    course: Ints
    """What else a node keeps of an epoch: PAIRED, ASKED, AWAKE, TOLD, STALLED."""
    ahead: Ints
    """The last epoch anybody is known to have read out (-1: none): as this node knows, and as its last share says."""


class Rules(NamedTuple):
    """What all nodes agree on."""

    seed: int
    turns: int
    """Shares given away in an epoch; 0: by rule from how many people there are."""
    masks: float
    """Standard deviation of all masks of a node together; 0: none."""
    tolerance: float
    """What may be left of masks, as a part of an item's mean count."""
    patience: int
    """How often a share is sent again before it is given up."""
    longest: int = 4
    """After how many times its turns an epoch ends in any case."""
    stalled: int = 0
    """With masks, in place of that: after how many times its turns in which there was nothing left to mix; 0: never."""
    ring: int = 0
    """Microseconds that a stride along a ring is for (`push_sum/ring.py`); 0: peers are chosen at random."""


def new_book(
    numbers: Ints,
    items: int,
    width: int,
    columns: int,
    private: int,
    partner: npt.NDArray[np.int32],
    key: npt.NDArray[np.uint64],
) -> Book:
    """Room for the state of nodes: rows of `width` numbers, sums of `columns` an item, `private` ones of a person."""
    nodes, size = len(numbers), flat_size(items, width, columns)
    clock = np.zeros((nodes, COLUMNS), np.int64)
    clock[:, GOOD] = clock[:, PEER] = -1
    return Book(
        np.array([items, width, columns]),
        numbers,
        clock,
        np.zeros((nodes, size), np.float32),
        np.zeros((nodes, size), np.uint16),
        np.zeros((nodes, HEADS), np.float32),
        np.zeros((nodes, HEADS), np.float32),
        np.zeros((nodes, items * width), np.uint16),
        np.zeros((nodes, private), np.float32),
        np.full((nodes, KNOWN), -1.0),
        partner,
        key,
        # Before the first epoch all are expected.
        np.ones((*partner.shape, 2), np.int8),
        np.broadcast_to(np.array([-1, 0, 0, 0, 0]), (nodes, 5)).copy(),
        np.full((nodes, 2), -1),
    )


def flat_size(items: int, width: int, columns: int) -> int:
    """How many numbers a node's sums are."""
    return items * columns + width * (width + 1) // 2 + CHECKS + 1
