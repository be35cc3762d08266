"""Headcount, masks and their check, on books of a few nodes."""

import numpy as np
import pytest

from tacit.core.rng import uniforms
from tacit.models.ials import ImplicitLeastSquares
from tacit.peers.partners import pair_up
from tacit.protocols.push_sum import first_rows
from tacit.protocols.push_sum_kernels import Book, Rules, begin, headcount, left_of_masks, new_book, turns

MODEL = ImplicitLeastSquares(k=2, w0=0.1, reg=0.3)
HAD, ONES = np.array([1, 4], np.int32), np.ones(2, np.float32)


def begun(nodes: int, masks: float = 0.0, partners: int = 3, items: int = 40) -> Book:
    partner, secret = pair_up(nodes, partners if masks > 0 else 0, 0)
    book = new_book(np.arange(nodes), items, 2, 2, partner, secret)
    book.rows[:] = first_rows(MODEL, 0, items)
    for u in range(nodes):
        begin(book, u, HAD, ONES, Rules(0, 0, masks, 0.1, 3), MODEL.hyper())
    return book


@pytest.mark.parametrize("people", [1, 30, 1000])
def test_the_largest_of_everybodys_numbers_count_people(people: int) -> None:
    gumbel = -np.log(-np.log(uniforms(5, 1, 0, people, 64)))
    heads = gumbel.max(axis=0).astype(np.float32)
    assert 0.6 * people < headcount(heads) < 1.6 * people


def test_masks_hide_each_node_and_cancel_in_the_sum() -> None:
    bare, masked = begun(40), begun(40, masks=30.0)
    noise = (masked.sums - bare.sums)[:, :-1]
    assert noise.std(axis=1) == pytest.approx(np.full(40, 30.0), rel=0.15)
    assert noise.astype(np.float64).sum(axis=0) == pytest.approx(0, abs=1e-3)
    assert (masked.sums[:, -1] == 1).all()  # the weight tells nothing


def test_without_one_partner_most_of_a_mask_is_left() -> None:
    one, two = begun(40, masks=30.0), begun(40, masks=30.0)
    book = two._replace(partner=two.partner.copy())
    book.partner[7, 0] = -1
    begin(book, 7, HAD, ONES, Rules(0, 0, 30.0, 0.1, 3), MODEL.hyper())
    known = (one.sums[7] - book.sums[7])[:-1]
    assert known.std() == pytest.approx(30 / np.sqrt(3), rel=0.15)


def test_what_is_left_of_masks_is_seen_in_the_check_coordinates() -> None:
    masked = begun(40, masks=30.0)
    whole = masked.sums.astype(np.float64).sum(axis=0).astype(np.float32)
    assert left_of_masks(whole) < 1e-3
    missing = masked.sums[1:].astype(np.float64).sum(axis=0).astype(np.float32)
    assert left_of_masks(missing) == pytest.approx(30 / 39, rel=0.5)


def test_an_epoch_is_longer_for_more_people_and_for_masks() -> None:
    book = begun(2)
    plain = turns(book, 0, Rules(0, 0, 0.0, 0.1, 3))
    assert turns(book, 0, Rules(0, 0, 30.0, 0.1, 3)) > plain
    book.known[0, 1] = 1e6
    assert turns(book, 0, Rules(0, 0, 0.0, 0.1, 3)) > plain
    assert turns(book, 0, Rules(0, 11, 0.0, 0.1, 3)) == 11
