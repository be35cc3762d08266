"""Numbers of half precision in few bits: by hand, there and back, and close to what they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tacit.core.message.half_precision import FEWEST, narrow, shorten
from tacit.core.message.packing import TABLE, code_lengths, exponents, pack, packed_size, unpack, used_bits


def packed(words: np.ndarray) -> np.ndarray:
    bits = used_bits(words)
    out = np.full(packed_size(exponents(words), bits), 255, np.uint8)
    pack(words, bits, out)
    return out


def words_of(*values: float) -> np.ndarray:
    return np.array(values, np.float16).view(np.uint16)


def test_packing_by_hand() -> None:
    # Exponents 15 (three times), 16 and 14: codes 0, 11 and 10, in the order of lengths and exponents. Then a sign.
    words = words_of(1.0, -2.0, 1.0, 0.5, -1.0)
    assert used_bits(words) == FEWEST
    out = packed(words)
    table = [0] * TABLE
    table[7], table[8] = 0x21, 0x20  # lengths of 14 and 15, of 16 and 17
    assert out[:TABLE].tolist() == table
    # 0+0 11+1 0+0 10+0 0+1, and four zeros
    assert [f"{byte:08b}" for byte in out[TABLE:]] == ["00111001", "00010000"]


def test_the_bits_in_use_are_those_of_the_number_that_needs_most() -> None:
    assert used_bits(words_of(1, 1.5)) == 7
    assert used_bits(words_of(1, 1 + 2**-10)) == 16
    assert used_bits(np.zeros(3, np.uint16)) == FEWEST


@given(hnp.arrays(np.uint16, st.integers(1, 60), elements=st.integers(0, 2**16 - 1)), st.integers(FEWEST, 16))
def test_there_and_back(words: np.ndarray, bits: int) -> None:
    words &= np.uint16(0xFFFF << (16 - bits) & 0xFFFF)
    out, back = packed(words), np.empty_like(words)
    assert unpack(out, used_bits(words), back)
    assert back.tobytes() == words.tobytes()


@given(hnp.arrays(np.int64, 32, elements=st.integers(0, 2**40)))
def test_codes_are_a_prefix_code_of_at_most_15_bits(counts: np.ndarray) -> None:
    lengths = code_lengths(counts)
    some = lengths[counts > 0]
    assert (lengths[counts == 0] == 0).all()
    assert ((some >= 1) & (some <= 15)).all()
    if len(some) > 1:
        assert (0.5**some).sum() == 1  # every sequence of bits is read as something
    frequent = np.argsort(-counts[counts > 0], kind="stable")
    assert (np.diff(some[frequent]) >= 0)[
        np.diff(counts[counts > 0][frequent]) < 0
    ].all() or counts.max() > 2**14


def test_counts_as_uneven_as_can_be_get_no_longer_codes() -> None:
    counts = np.zeros(32, np.int64)
    counts[:30] = np.cumprod(np.full(30, 2)) // 2
    assert code_lengths(counts).max() == 15


def test_noise_takes_little_more_than_what_it_says() -> None:
    values = np.random.default_rng(0).normal(0, 5, 40_000).astype(np.float32)
    words = np.empty(len(values), np.uint16)
    narrow(values, words)
    shorten(words, FEWEST)
    counts = exponents(words)
    shares = counts[counts > 0] / len(words)
    says = 1 - (shares * np.log2(shares)).sum()
    takes = 8 * (packed_size(counts, FEWEST) - TABLE) / len(words)
    assert says <= takes < says + 0.1
    assert takes < 3.6  # of six


@pytest.mark.parametrize("length", [0, 5, 15])
def test_less_than_a_table_is_nothing(length: int) -> None:
    assert not unpack(np.zeros(length, np.uint8), FEWEST, np.empty(3, np.uint16))


@given(st.binary(min_size=TABLE, max_size=60), st.integers(1, 40), st.integers(FEWEST, 15))
def test_any_other_bytes_are_refused(data: bytes, numbers: int, bits: int) -> None:
    out = np.empty(numbers, np.uint16)
    given_bytes = np.frombuffer(data, np.uint8)
    if unpack(given_bytes, bits, out):
        assert packed(out).tobytes() == data
