"""Room for nodes' state."""

import numpy as np

from tacit.protocols.push_sum.mask_partners import pair_up
from tacit.protocols.push_sum.state import GOOD, HEARD, PEER, flat_size, new_book


def test_sums_have_room_for_rows_counts_squares_checks_and_the_weight() -> None:
    assert flat_size(items=10, width=3, columns=4) == 10 * (3 + 1) + 6 + 16 + 1


def test_a_new_book_has_read_nothing_out_waits_for_nobody_and_expects_all_partners() -> None:
    book = new_book(np.arange(5), 10, 3, 4, 3, *pair_up(5, 2, 0))
    assert (book.clock[:, [GOOD, PEER]] == -1).all()
    assert (book.ahead == -1).all()
    assert book.pair[:, :, HEARD].all()
    assert book.sums.shape == (5, flat_size(10, 3, 4))
    assert {len(getattr(book, name)) for name in book._fields if name != "sizes"} == {5}
