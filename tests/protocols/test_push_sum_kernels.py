"""When an epoch ends, on books of a few nodes."""

import numpy as np

from tacit.models.ials import ImplicitLeastSquares
from tacit.peers.partners import pair_up
from tacit.protocols.push_sum import first_rows
from tacit.protocols.push_sum_kernels import TURN, Book, Rules, begin, new_book, settled, turns

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
    book.clock[0, TURN] = 40
    assert settled(book, 0, 20, rules)
