"""When an epoch ends, on books of a few nodes."""

import numpy as np

from tacit.models.ials import ImplicitLeastSquares
from tacit.peers.partners import pair_up
from tacit.protocols.masks import left_of_masks
from tacit.protocols.push_sum import first_rows
from tacit.protocols.push_sum_book import (
    DISCARDED,
    EPOCH,
    HEARD,
    PAIRED,
    PEER,
    SENT_EPOCH,
    SENT_TURN,
    TRIES,
    TURN,
    Book,
    Rules,
    new_book,
)
from tacit.protocols.push_sum_ends import settled, turns, unmixed
from tacit.protocols.push_sum_kernels import begin, finish, take, take_back, wake

MODEL = ImplicitLeastSquares(k=2, w0=0.1, reg=0.3)
HAD, ONES = np.array([1, 4], np.int32), np.ones(2, np.float32)


def begun(nodes: int, masks: float = 0.0, partners: int = 3, items: int = 40) -> Book:
    partner, secret = pair_up(nodes, partners if masks > 0 else 0, 0)
    book = new_book(np.arange(nodes), items, 2, 2, partner, secret)
    book.rows[:] = first_rows(MODEL, 0, items)
    for u in range(nodes):
        begin(book, u, HAD, ONES, Rules(0, 0, masks, 0.1, 3), MODEL.hyper())
    return book


def test_an_epoch_is_longer_for_more_people_and_for_masks() -> None:
    book = begun(2)
    plain = turns(book, 0, Rules(0, 0, 0.0, 0.1, 3))
    assert turns(book, 0, Rules(0, 0, 30.0, 0.1, 3)) > plain
    book.known[0, 1] = 1e6
    assert turns(book, 0, Rules(0, 0, 0.0, 0.1, 3)) > plain
    assert turns(book, 0, Rules(0, 11, 0.0, 0.1, 3)) == 11


def test_an_epoch_goes_on_while_masks_are_not_mixed_but_not_for_ever() -> None:
    book, rules = begun(40, masks=30.0), Rules(0, 20, 30.0, 0.02, 3)
    book.clock[:, TURN] = 20
    assert not settled(book, 0, 20, rules)
    assert settled(book, 0, 20, Rules(0, 20, 0.0, 0.02, 3))
    mean = book.sums.astype(np.float64).mean(axis=0).astype(np.float32)
    book.sums[:] = mean
    assert settled(book, 0, 20, rules)
    book.sums[0] = begun(40, masks=30.0).sums[0]
    book.clock[0, TURN] = 80
    assert settled(book, 0, 20, rules)


PLAIN = Rules(0, 0, 0.0, 0.1, 3)


def give(book: Book, sender: int, receiver: int) -> None:
    clock, hyper = book.clock[sender], MODEL.hyper()
    wake(book, sender, HAD, ONES, PLAIN, hyper)
    clock[PEER] = -1
    take(
        book, receiver, HAD, ONES, clock[SENT_EPOCH], clock[SENT_TURN], -1, book.words[sender],
        book.sent_heads[sender], PLAIN, hyper,
    )  # fmt: skip


def test_without_masks_an_epoch_ends_when_shares_tell_the_same_as_ones_own_sums() -> None:
    book = begun(2)
    length = turns(book, 0, PLAIN)
    book.clock[:, TURN] = length
    assert not settled(book, 0, length, PLAIN)  # nothing arrived: nothing is known about the others
    assert not finish(book, 0, PLAIN, MODEL.hyper())
    assert book.clock[0, DISCARDED] == 1
    book.clock[:, TURN] = 0
    give(book, 1, 0)
    first = unmixed(book, 0, PLAIN)
    assert first > 1
    for _ in range(8):
        give(book, 0, 1)
        give(book, 1, 0)
    assert unmixed(book, 0, PLAIN) < 0.125
    assert settled(book, 0, length, PLAIN)
    assert finish(book, 0, PLAIN, MODEL.hyper())
    assert settled(begun(2), 0, length, Rules(0, length, 0.0, 0.1, 3))  # turns that are set are enough


def test_a_share_whose_first_transfer_broke_off_comes_back_and_a_later_one_does_not() -> None:
    book = begun(2)
    before = book.sums[0].copy()
    wake(book, 0, HAD, ONES, PLAIN, MODEL.hyper())
    book.clock[0, PEER] = 1
    assert book.sums[0, -1] == 0.5
    take_back(book, 0)
    assert book.sums[0].tobytes() == before.tobytes()
    assert book.clock[0, PEER] == -1
    take_back(book, 0)  # there is nothing on its way
    assert book.sums[0, -1] == 1
    for _ in range(2):
        wake(book, 0, HAD, ONES, PLAIN, MODEL.hyper())
        book.clock[0, PEER] = 1
    assert book.clock[0, TRIES] == 2
    take_back(book, 0)
    assert book.sums[0, -1] == 0.5  # the first may have arrived
    assert book.clock[0, PEER] == 1


def test_rows_are_left_behind_where_somebody_read_out_since() -> None:
    for ahead, weight in ((-1, 1.0), (2, 0.0)):
        book = begun(2)
        book.clock[0, EPOCH], book.ahead[0, 0] = 3, ahead
        begin(book, 0, HAD, ONES, PLAIN, MODEL.hyper())
        assert book.sums[0, -1] == weight


def test_masks_of_who_is_left_behind_go_in_alone() -> None:
    book = begun(12, masks=20.0)
    for u in range(12):
        book.clock[u, EPOCH], book.course[u, PAIRED], book.pair[u, :, HEARD] = 3, 2, True
        book.ahead[u, 0] = 2 if u == 0 else -1
        begin(book, u, HAD, ONES, Rules(0, 0, 20.0, 0.1, 3), MODEL.hyper())
    assert book.sums[:, -1].tolist() == [0.0] + 11 * [1.0]
    assert left_of_masks(book.sums.astype(np.float64).sum(axis=0).astype(np.float32)) < 1e-3


def test_who_comes_late_passes_sums_on_and_adds_nothing_to_them() -> None:
    for turn, weight in ((1, 1.0), (15, 0.0)):
        book = begun(2)
        length = turns(book, 0, PLAIN)
        assert 2 < length < 30
        wake(book, 1, HAD, ONES, PLAIN, MODEL.hyper())
        take(book, 0, HAD, ONES, 1, turn, -1, book.words[1], book.sent_heads[1], PLAIN, MODEL.hyper())
        assert book.sums[0, -1] == weight + 0.5
