"""Sixteen-bit words against NumPy's own float16."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.half import LARGEST, narrow, shorten, widen


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


def test_shortening_keeps_the_upper_byte_rounded() -> None:
    words = np.array([1.0, 1.1, 1.13, 1.125, 1.375, -3.3, 0, 65504], np.float16).view(np.uint16).copy()
    shorten(words)
    assert not (words & 0xFF).any()
    assert words.view(np.float16).tolist() == [1, 1, 1.25, 1, 1.5, -3.5, 0, 57344]
