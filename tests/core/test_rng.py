"""The published answers of Philox4x32-10, and that draws are spread as promised."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tacit.core.rng import (
    Stream,
    below,
    normal,
    normals,
    permutation,
    philox,
    sample,
    sample_bits,
    uniform,
    uniforms,
)

# Counter words 0 to 3, key words 0 and 1, and the answer: the known-answer file of Random123.
KNOWN = [
    ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
    (
        [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
        [0xA4093822, 0x299F31D0],
        [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
    ),
]


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_known_answers_of_random123(counter: list[int], key: list[int], answer: list[int]) -> None:
    draw, event, node, stream = counter
    low, high = philox(np.uint64(key[0] | key[1] << 32), stream, node, event, draw)
    assert [int(w) & 0xFFFFFFFF for w in (low, low >> 32, high, high >> 32)] == answer


def test_all_at_once_gives_the_same_numbers_as_one_by_one() -> None:
    table, gauss = uniforms(5, Stream.INIT_ROWS, 3, 4, 6), normals(5, Stream.INIT_ROWS, 3, 4, 6)
    for node in range(4):
        for draw in range(6):
            assert table[node, draw] == uniform(5, Stream.INIT_ROWS, node, 3, draw)
            assert gauss[node, draw] == normal(5, Stream.INIT_ROWS, node, 3, draw)


@pytest.mark.parametrize("place", range(5))
def test_every_part_of_the_key_matters(place: int) -> None:
    key = [1, 2, 3, 4, 5]
    first = uniform(*key)
    key[place] += 1
    assert uniform(*key) != first


def test_seeds_that_differ_in_their_upper_half_differ() -> None:
    assert uniform(1, 1, 1, 1, 1) != uniform(1 + 2**32, 1, 1, 1, 1)


def test_streams_have_numbers_of_their_own() -> None:
    numbers = [value for name, value in vars(Stream).items() if name.isupper()]
    assert len(numbers) == len(set(numbers)) >= 13


def test_uniform_numbers_are_uniform() -> None:
    numbers = uniforms(0, Stream.LEARN, 0, 100, 1000).ravel()
    assert ((numbers >= 0) & (numbers < 1)).all()
    assert stats.kstest(numbers, "uniform").pvalue > 0.001


def test_normal_numbers_are_normal() -> None:
    assert stats.kstest(normals(0, Stream.LEARN, 0, 100, 1000).ravel(), "norm").pvalue > 0.001


@given(st.integers(0, 2**63 - 1), st.integers(1, 2**40))
def test_below_stays_below(seed: int, bound: int) -> None:
    assert 0 <= below(seed, 1, 0, 0, 0, bound) < bound


def test_below_is_even() -> None:
    counts = np.bincount([below(1, 2, 0, event, 0, 7) for event in range(7000)], minlength=7)
    assert stats.chisquare(counts).pvalue > 0.001


def chosen(event: int, n: int, count: int) -> tuple[int, ...]:
    taken = np.zeros(n, np.bool_)
    sample(9, Stream.SUBSAMPLE, 4, event, n, count, taken)
    return tuple(np.flatnonzero(taken).tolist())


def test_sample_gives_every_subset_equally_often() -> None:
    counts = Counter(chosen(event, 5, 2) for event in range(5000))
    assert sorted(counts) == list(combinations(range(5), 2))
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


@given(st.integers(0, 60), st.data())
def test_sample_marks_exactly_so_many(n: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, n))
    assert len(chosen(1, n, count)) == count


@given(st.integers(0, 200), st.integers(0, 2**32))
def test_permutation_has_every_number_once(n: int, event: int) -> None:
    assert sorted(permutation(3, Stream.ORDER, 0, event, n)) == list(range(n))


def test_permutation_gives_every_order_equally_often() -> None:
    counts = Counter(tuple(permutation(3, Stream.ORDER, 0, event, 4).tolist()) for event in range(4800))
    assert sorted(counts) == list(permutations(range(4)))
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


@given(n=st.integers(1, 300), share=st.floats(0, 1), event=st.integers(0, 9))
@settings(deadline=None, max_examples=50)
def test_marks_as_bits_are_the_same_marks(n: int, share: float, event: int) -> None:
    count = int(n * share)
    taken = np.zeros(n, np.bool_)
    sample(1, Stream.SUBSAMPLE, 2, event, n, count, taken)
    words = sample_bits(1, Stream.SUBSAMPLE, 2, event, n, count)
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")[:n]
    assert taken.sum() == count
    assert (bits == taken).all()
