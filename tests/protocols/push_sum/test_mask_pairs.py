"""Partners that come, go, and hear of each other or not: in the end both masks are in, or neither."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.protocols.push_sum.mask_pairs import few, hear, let_go, next_asked, place, side, stay_out
from tacit.protocols.push_sum.masks import CHECKS
from tacit.protocols.push_sum.state import EPOCH, HEARD, IN, OUT, SIDE, TOLD, Book, Rules
from tests.protocols.push_sum.test_kernels import HAD, KERNELS, MODEL, ONES, begun

MASKS = 20.0
RULES = Rules(0, 10, MASKS, 0.1, 3)
PARTNERS = 4


def network(nodes: int) -> Book:
    return begun(nodes, masks=MASKS, partners=PARTNERS)


def exchange(book: Book, u: int, c: int, answered: bool = True) -> None:
    """Node u asks its partner c; the answer arrives or not."""
    peer, said = int(book.partner[u, c]), side(book, u, c)
    assert place(said) == c
    hear(book, peer, said, RULES)
    if answered:
        hear(book, u, side(book, peer, c), RULES)


def wait_in_vain(book: Book, u: int) -> None:
    """All the wakes that a node waits for its partners."""
    for _ in range(RULES.turns // 2 + 1):
        let_go(book, u, RULES.turns, RULES)


def meet(book: Book) -> None:
    """Everybody asks everybody, and nothing is lost."""
    for u, c in np.argwhere(book.partner >= 0):
        exchange(book, u, c)


def noise_left(book: Book) -> np.ndarray:
    """The check coordinates of everybody together: 0 where masks cancel."""
    return book.sums[:, -1 - CHECKS : -1].astype(np.float64).sum(axis=0)


def test_who_waits_in_vain_takes_its_mask_out_but_not_more_than_half_of_them() -> None:
    book = network(12)
    bare = begun(12).sums[0, : -1 - CHECKS]
    before = book.sums[0].copy()
    for _ in range(RULES.turns // 2):
        let_go(book, 0, RULES.turns, RULES)
    assert (book.pair[0, :, SIDE] == IN).all()
    let_go(book, 0, RULES.turns, RULES)
    assert book.pair[0, :, SIDE].tolist() == [OUT, OUT, IN, IN]
    noise = (book.sums[0, : -1 - CHECKS] - bare).std()
    assert noise == pytest.approx(MASKS * np.sqrt(0.5), rel=0.25)
    assert book.sums[0, -1] == before[-1] == 1
    assert not few(book, 0)


def test_who_has_nothing_in_may_leave_every_pair() -> None:
    book = network(12)
    stay_out(book, 0)
    book.sums[0] = 0
    for c in range(PARTNERS):
        exchange(book, int(book.partner[0, c]), c)  # the partners are in: their masks need this node's
    assert (book.pair[0, :, SIDE] == IN).all()
    assert book.sums[0, -1] == 0
    assert noise_left(book) == pytest.approx(0, abs=1e-3)
    book.pair[0, :, HEARD] = False
    wait_in_vain(book, 0)
    assert (book.pair[0, :, SIDE] == OUT).all()
    assert book.sums[0] == pytest.approx(0, abs=1e-4)


def test_who_heard_of_a_partner_waits_for_ever_and_who_gave_one_up_takes_it_back() -> None:
    book = network(12)
    peer = int(book.partner[0, 1])
    exchange(book, peer, 1, answered=False)  # node 0 heard of its partner, which does not know
    wait_in_vain(book, 0)
    assert book.pair[0, 1, SIDE] == IN
    wait_in_vain(book, peer)
    assert book.pair[peer, 1, SIDE] == OUT
    assert abs(noise_left(book)).max() > 1
    meet(book)
    assert (book.pair[:, :, SIDE] == (book.partner >= 0)).all()
    assert noise_left(book) == pytest.approx(0, abs=1e-3)


def test_what_is_said_in_another_epoch_counts_for_nothing() -> None:
    book = network(12)
    said = side(book, int(book.partner[0, 2]), 2)
    book.clock[0, EPOCH] = 3
    hear(book, 0, said, RULES)
    assert not book.pair[0, 2, HEARD]


def test_partners_are_asked_in_turn_until_they_are_heard_of() -> None:
    book = network(12)
    everybody, third = np.ones(PARTNERS, np.bool_), np.array([False, False, True, False])
    assert [next_asked(book, 0, everybody) for _ in range(5)] == [1, 2, 3, 0, 1]
    assert next_asked(book, 0, third) == 2
    exchange(book, 0, 2)
    assert next_asked(book, 0, third) == -1
    assert [next_asked(book, 0, everybody) for _ in range(3)] == [3, 0, 1]


def test_a_pair_is_in_an_epoch_if_the_two_heard_of_each_other_in_the_one_before() -> None:
    book = network(12)
    exchange(book, 0, 0)
    exchange(book, 0, 3)
    book.clock[0, EPOCH] = 1
    KERNELS.begin(book, 0, HAD, ONES, RULES, MODEL.hyper())
    assert book.pair[0, :, SIDE].tolist() == [IN, OUT, OUT, IN]
    assert book.course[0, TOLD]
    exchange(book, 0, 0, answered=False)  # the partner is in another epoch
    book.clock[0, EPOCH] = 2
    KERNELS.begin(book, 0, HAD, ONES, RULES, MODEL.hyper())
    assert (book.pair[0, :, SIDE] == OUT).all()
    assert not book.course[0, TOLD]
    assert (book.sums[0] == 0).all()  # with nobody to hide among nothing goes in
    book.pair[0, :, HEARD] = True
    book.clock[0, EPOCH] = 4
    KERNELS.begin(book, 0, HAD, ONES, RULES, MODEL.hyper())
    assert (book.pair[0, :, SIDE] == OUT).all()  # it was not there in epoch 3


def test_with_one_pair_of_four_masks_go_in_and_data_does_not() -> None:
    book = network(12)
    exchange(book, 0, 2)
    book.clock[0, EPOCH] = 1
    KERNELS.begin(book, 0, HAD, ONES, RULES, MODEL.hyper())
    assert book.sums[0, -1] == 0
    assert book.sums[0, :-1].std() == pytest.approx(MASKS / 2, rel=0.25)


MOVES = st.lists(
    st.tuples(
        st.sampled_from(["ask", "ask unanswered", "give up", "give", "come late"]),
        st.integers(0, 10**6),
        st.integers(0, 10**6),
    ),
    max_size=60,
)


@given(st.integers(2, 9), MOVES)
@settings(max_examples=60, deadline=None)
def test_whatever_happens_masks_cancel_once_all_have_met_and_nothing_else_is_lost(
    nodes: int, moves: list[tuple[str, int, int]]
) -> None:
    book = network(nodes)
    untouched = np.ones(nodes, np.bool_)
    for kind, first, second in moves:
        u, c = first % nodes, second % PARTNERS
        if kind.startswith("ask") and book.partner[u, c] >= 0:
            exchange(book, u, c, kind == "ask")
        elif kind == "give up":
            wait_in_vain(book, u)
        elif kind == "give":
            half = np.float32(0.5) * book.sums[u]
            book.sums[u] -= half
            book.sums[second % nodes] += half
            untouched[[u, second % nodes]] = False
        elif kind == "come late" and untouched[u]:
            book.sums[u] = 0
            stay_out(book, u)
        for n in range(nodes):
            assert not (book.course[n, TOLD] and few(book, n))
    told = int(book.course[:, TOLD].sum())
    meet(book)
    for c in range(PARTNERS):
        for u in np.flatnonzero(book.partner[:, c] >= 0):
            assert book.pair[u, c, SIDE] == book.pair[book.partner[u, c], c, SIDE]
    whole = book.sums.astype(np.float64).sum(axis=0)
    assert noise_left(book) == pytest.approx(0, abs=2e-3)
    assert whole[-1] == pytest.approx(told, abs=1e-5)
    counts = whole[: 40 * 3].reshape(40, 3)[:, 2]
    assert counts == pytest.approx(np.isin(np.arange(40), HAD) * told, abs=2e-3)
