import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacit.metrics.convergence import rounds_to_convergence

ROUNDS = [10, 20, 30, 40, 50]


def test_by_hand_without_smoothing() -> None:
    curves = np.array([[0.1, 0.3, 0.48, 0.52, 0.5], [0.5] * 5, [0.2, 0.9, 0.2, 0.9, 0.2], [np.nan] * 5]).T
    found = rounds_to_convergence(ROUNDS, curves, window=1)
    assert found[:3].tolist() == [30, 10, 50]
    assert np.isnan(found[3])


def test_a_single_outlier_is_smoothed_away() -> None:
    curve = np.array([[0.5, 0.5, 0.6, 0.5, 0.5]]).T
    assert rounds_to_convergence(ROUNDS, curve, window=1).tolist() == [40]
    assert rounds_to_convergence(ROUNDS, curve, window=5).tolist() == [10]


@given(st.lists(st.floats(0, 1), min_size=5, max_size=5))
def test_it_is_one_of_the_measured_rounds_and_the_end_is_always_near_itself(curve: list[float]) -> None:
    assert rounds_to_convergence(ROUNDS, np.array([curve]).T)[0] in ROUNDS
