"""Sixteen-bit words against NumPy's own float16."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tacit.core.message.half_precision import FEWEST, LARGEST, narrow, shorten, widen
from tacit.core.message.packing import used_bits


def narrowed(values: np.ndarray) -> np.ndarray:
    out = np.empty(len(values), np.uint16)
    narrow(values, out)
    return out


def test_every_finite_half_survives_the_way_there_and_back() -> None:
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    finite = halves[np.isfinite(halves)]
    wide = np.empty(len(finite), np.float32)
    widen(finite.view(np.uint16), wide)
    assert wide.tobytes() == finite.astype(np.float32).tobytes()
    assert narrowed(wide).tobytes() == finite.tobytes()


@given(st.lists(st.floats(-LARGEST, LARGEST, width=32), min_size=1, max_size=50))
def test_rounding_is_that_of_numpy(values: list[float]) -> None:
    array = np.array(values, np.float32)
    assert narrowed(array).tobytes() == array.astype(np.float16).tobytes()


def test_halfway_between_two_goes_to_the_even_one_and_too_large_stops_at_the_largest() -> None:
    array = np.array([2049, 2051, 3 * 2**-25, 65519, 65520, 1e30, -1e30], np.float32)
    got = narrowed(array).view(np.float16).astype(float)
    assert got.tolist() == [2048, 2052, 2**-23, 65504, 65504, 65504, -65504]


def shortened(values: list[float], bits: int) -> list[float]:
    words = np.array(values, np.float16).view(np.uint16).copy()
    shorten(words, bits)
    assert used_bits(words) <= bits
    return list(words.view(np.float16).tolist())


def test_shortening_rounds_to_upper_bits() -> None:
    values = [1.0, 1.1, 1.13, 1.125, 1.375, -3.3, 0, 65504]
    assert shortened(values, 8) == [1, 1, 1.25, 1, 1.5, -3.5, 0, 57344]
    # Sign and exponent alone: powers of two.
    assert shortened([1.4, 1.6, -2.9, -3.1, 65504, 2**-24], FEWEST) == [1, 2, -2, -4, 32768, 0]
    assert shortened(values, 16) == np.array(values, np.float16).tolist()


@given(
    hnp.arrays(np.float16, st.integers(0, 40), elements=st.floats(-60000, 60000, width=16)),
    st.integers(FEWEST, 16),
)
def test_shortening_is_right_to_half_of_the_last_bit(values: np.ndarray, bits: int) -> None:
    words = values.view(np.uint16).copy()
    shorten(words, bits)
    exact, short = values.astype(float), words.view(np.float16).astype(float)
    # Up to 32768 nothing stops at the largest number; below 2^-14 steps are all the same.
    step = np.maximum(np.abs(exact), 2.0**-14) * 2.0 ** -(bits - FEWEST)
    fits = np.abs(exact) <= 32768
    assert (np.abs(short - exact) <= step / 2)[fits].all()
