import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.metrics.evenness import evenness


def test_by_hand() -> None:
    # M = 3, shares ascending 0.1, 0.3, 0.6: G = 1 - 1/2 (-2 * 0.1 + 0 + 2 * 0.6) = 0.5
    assert evenness(np.array([6, 1, 3])) == pytest.approx(0.5)


@given(st.lists(st.integers(0, 50), min_size=2, max_size=30).filter(any))
def test_between_one_item_for_all_and_even(times: list[int]) -> None:
    value = evenness(np.array(times))
    assert value is not None
    assert -1e-12 <= value <= 1 + 1e-12


def test_nothing_recommended_has_no_evenness() -> None:
    assert evenness(np.zeros(4, np.int64)) is None
