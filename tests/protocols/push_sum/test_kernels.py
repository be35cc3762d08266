"""Epochs begun, shares given and taken, on books of a few nodes."""

import numpy as np

from tacit.models.base import exchanged
from tacit.models.ials import ImplicitLeastSquares
from tacit.protocols.push_sum.epoch_ends import turns
from tacit.protocols.push_sum.kernels import part_with, precision, sum_kernels, take_back
from tacit.protocols.push_sum.mask_partners import pair_up
from tacit.protocols.push_sum.masks import CHECKS, left_of_masks
from tacit.protocols.push_sum.node import first_rows
from tacit.protocols.push_sum.state import (
    EPOCH,
    HEARD,
    PAIRED,
    PEER,
    SENT_EPOCH,
    SENT_TURN,
    TRIES,
    Book,
    Rules,
    new_book,
)

MODEL = ImplicitLeastSquares(k=2, w0=0.1, reg=0.3)
KERNELS = sum_kernels(exchanged(MODEL))
HAD, ONES = np.array([1, 4], np.int32), np.ones(2, np.float32)


def begun(nodes: int, masks: float = 0.0, partners: int = 3, items: int = 40) -> Book:
    partner, secret = pair_up(nodes, partners if masks > 0 else 0, 0)
    book = new_book(np.arange(nodes), items, 2, 3, 2, partner, secret)
    book.rows[:] = first_rows(MODEL, 0, items)
    for u in range(nodes):
        KERNELS.begin(book, u, HAD, ONES, Rules(0, 0, masks, 0.1, 3), MODEL.hyper())
    return book


PLAIN = Rules(0, 0, 0.0, 0.1, 3)


def give(book: Book, sender: int, receiver: int) -> None:
    clock, hyper = book.clock[sender], MODEL.hyper()
    KERNELS.wake(book, sender, HAD, ONES, PLAIN, hyper)
    clock[PEER] = -1
    KERNELS.take(
        book, receiver, HAD, ONES, clock[SENT_EPOCH], clock[SENT_TURN], -1, book.words[sender],
        book.sent_heads[sender], PLAIN, hyper,
    )  # fmt: skip


def test_a_number_has_a_bit_less_for_every_two_turns_that_are_left() -> None:
    assert [precision(left, False) for left in (1, 2, 3, 4, 5)] == [14, 14, 13, 13, 12]
    assert [precision(left, True) for left in (1, 2, 3, 4, 5)] == [13, 13, 12, 12, 11]
    for ring in (False, True):
        assert [precision(left, ring) for left in (17, 18, 40)] == [6, 6, 6]
    # An epoch that takes longer than it should.
    assert [precision(left, False) for left in (0, -7)] == [14, 14]


def test_check_coordinates_are_rounded_as_rows_are_and_the_rest_is_whole() -> None:
    book = begun(3, masks=8.0)
    before = book.sums[0].astype(np.float64)
    part_with(book, 0, 0.5, 9)
    rows = book.sizes[0] * book.sizes[2]
    last = book.words.shape[1] - 1
    low = book.words[0] & 0b111_1111
    assert not low[:rows].any()
    assert not low[last - CHECKS : last].any()
    assert low[rows : last - CHECKS].any(), "p p' has all its bits"
    given = book.words[0].view(np.float16).astype(np.float64)
    assert np.allclose(book.sums[0] + given, before, rtol=1e-6, atol=1e-6), "what rounding took stayed"


def test_a_share_whose_first_transfer_broke_off_comes_back_and_a_later_one_does_not() -> None:
    book = begun(2)
    before = book.sums[0].copy()
    KERNELS.wake(book, 0, HAD, ONES, PLAIN, MODEL.hyper())
    book.clock[0, PEER] = 1
    assert book.sums[0, -1] == 0.5
    take_back(book, 0)
    assert book.sums[0].tobytes() == before.tobytes()
    assert book.clock[0, PEER] == -1
    take_back(book, 0)  # there is nothing on its way
    assert book.sums[0, -1] == 1
    for _ in range(2):
        KERNELS.wake(book, 0, HAD, ONES, PLAIN, MODEL.hyper())
        book.clock[0, PEER] = 1
    assert book.clock[0, TRIES] == 2
    take_back(book, 0)
    assert book.sums[0, -1] == 0.5  # the first may have arrived
    assert book.clock[0, PEER] == 1


def test_rows_are_left_behind_where_somebody_read_out_since() -> None:
    for ahead, weight in ((-1, 1.0), (2, 0.0)):
        book = begun(2)
        book.clock[0, EPOCH], book.ahead[0, 0] = 3, ahead
        KERNELS.begin(book, 0, HAD, ONES, PLAIN, MODEL.hyper())
        assert book.sums[0, -1] == weight


def test_masks_of_who_is_left_behind_go_in_alone() -> None:
    book = begun(12, masks=20.0)
    for u in range(12):
        book.clock[u, EPOCH], book.course[u, PAIRED], book.pair[u, :, HEARD] = 3, 2, True
        book.ahead[u, 0] = 2 if u == 0 else -1
        KERNELS.begin(book, u, HAD, ONES, Rules(0, 0, 20.0, 0.1, 3), MODEL.hyper())
    assert book.sums[:, -1].tolist() == [0.0] + 11 * [1.0]
    assert left_of_masks(book.sums.astype(np.float64).sum(axis=0).astype(np.float32)) < 1e-3


def test_who_comes_late_passes_sums_on_and_adds_nothing_to_them() -> None:
    for turn, weight in ((1, 1.0), (15, 0.0)):
        book = begun(2)
        length = turns(book, 0, PLAIN)
        assert 2 < length < 30
        KERNELS.wake(book, 1, HAD, ONES, PLAIN, MODEL.hyper())
        KERNELS.take(book, 0, HAD, ONES, 1, turn, -1, book.words[1], book.sent_heads[1], PLAIN, MODEL.hyper())
        assert book.sums[0, -1] == weight + 0.5
