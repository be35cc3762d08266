"""When an epoch ends, on books of a few nodes."""

import numpy as np

from tacit.protocols.push_sum.epoch_ends import readable, settled, turns, unmixed, watch
from tacit.protocols.push_sum.state import DISCARDED, EPOCH, GOOD, STALLED, TURN, Book, Rules
from tests.protocols.push_sum.test_kernels import KERNELS, MODEL, PLAIN, begun, give


def test_an_epoch_is_longer_for_more_people_and_for_masks() -> None:
    book = begun(2)
    plain = turns(book, 0, Rules(0, 0, 0.0, 0.1, 3))
    assert turns(book, 0, Rules(0, 0, 30.0, 0.1, 3)) > plain
    book.known[0, 1] = 1e6
    assert turns(book, 0, Rules(0, 0, 0.0, 0.1, 3)) > plain
    assert turns(book, 0, Rules(0, 0, 0.0, 0.1, 3, ring=60)) < turns(book, 0, Rules(0, 0, 0.0, 0.1, 3))
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


def test_without_masks_an_epoch_ends_when_shares_tell_the_same_as_ones_own_sums() -> None:
    book = begun(2)
    length = turns(book, 0, PLAIN)
    book.clock[:, TURN] = length
    assert not settled(book, 0, length, PLAIN)  # nothing arrived: nothing is known about the others
    assert not KERNELS.finish(book, 0, PLAIN, MODEL.hyper())
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
    assert KERNELS.finish(book, 0, PLAIN, MODEL.hyper())
    assert settled(begun(2), 0, length, Rules(0, length, 0.0, 0.1, 3))  # turns that are set are enough


def mixed(left: float) -> Book:
    """Sums that are the same everywhere, with this much left of masks, as a part of what is allowed."""
    book = begun(40, masks=30.0)
    book.sums[:] = book.sums.astype(np.float64).mean(axis=0).astype(np.float32)
    book.sums[:, -17:-1] *= left / unmixed(book, 0, PATIENT)
    book.known[:, 4] = 0.0
    return book


PATIENT = Rules(0, 20, 30.0, 0.02, 3, stalled=1)


def wakes_until_settled(book: Book, most: int) -> int:
    for count in range(most):
        if settled(book, 0, 20, PATIENT):
            return count
        watch(book, 0, 20, PATIENT)
    return most


def test_with_nothing_left_to_mix_an_epoch_ends_soon_if_good_and_later_if_spoiled() -> None:
    good, spoiled = mixed(0.5), mixed(4.0)
    for book in (good, spoiled):
        assert wakes_until_settled(book, 50) == 50  # not before it had its turns
        book.clock[:, TURN] = 20
    assert wakes_until_settled(good, 50) == 5
    assert wakes_until_settled(spoiled, 50) == 20
    assert wakes_until_settled(mixed(0.1), 50) == 0


def test_masks_that_will_not_cancel_any_more_have_to_be_less_than_those_that_still_mix() -> None:
    for left, still, had, good in (
        (0.9, 0, True, True),  # shares still differ: this node happens to hold more than others
        (0.9, 5, True, False),  # all hold the same: everybody's rows would be worse than the last
        (0.2, 5, True, True),
        (0.9, 5, False, True),  # there are no rows yet: better these than none
        (1.5, 0, False, False),
    ):
        book = mixed(left)
        book.course[0, STALLED], book.clock[0, GOOD] = still, 3 if had else -1
        assert readable(book, 0, PATIENT) == good
        book.clock[0, EPOCH] = 4
        assert KERNELS.finish(book, 0, PATIENT, MODEL.hyper()) == good


def test_an_epoch_goes_on_for_as_long_as_there_is_something_to_mix() -> None:
    book = mixed(4.0)
    book.clock[:, TURN] = 200
    for _ in range(19):
        watch(book, 0, 20, PATIENT)
    book.known[0, 4] = 1.0  # a share came that was different: somebody is back
    watch(book, 0, 20, PATIENT)
    assert book.course[0, STALLED] == 0
    assert wakes_until_settled(book, 100) == 100
