import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.rng import Stream, normal
from tacit.metrics.convergence import converged_at, network_rounds, reading, rounds_to_convergence

ROUNDS = [10, 20, 30, 40, 50]
STREAM = Stream.SYNTHETIC


def test_by_hand_without_smoothing() -> None:
    curves = np.array([[0.1, 0.3, 0.48, 0.52, 0.5], [0.5] * 5, [0.2, 0.9, 0.2, 0.9, 0.2], [np.nan] * 5]).T
    found = rounds_to_convergence(ROUNDS, curves, window=1)
    assert found[:3].tolist() == [30, 10, 10], "the plateau of five measurements is the last"
    assert np.isnan(found[3])


def test_the_window_counts_rounds_before_and_after() -> None:
    # Smoothed over 20 rounds: 0.0, 0.2, 0.2, 0.4, 0.6; the plateau is 0.6.
    curve = np.array([[0.0, 0.0, 0.6, 0.0, 0.6]]).T
    assert converged_at(ROUNDS, curve, window=1).tolist() == [2], "one lucky measurement is enough"
    assert converged_at(ROUNDS, curve, window=20, tolerance=0.25).tolist() == [3]


def test_what_a_user_had_spent_by_then() -> None:
    seconds = [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]
    assert reading(seconds, np.array([1, 2])).tolist() == [2.0, 6.0]
    assert np.isnan(reading(seconds, np.array([-1, 2]))[0])


def noisy(
    length: int, step: int, users: int, rise: float = 20.0
) -> tuple[list[int], npt.NDArray[np.float64]]:
    """Curves that rise to 0.9 and then only jump, with the standard deviation that a user's HR@20 has in a plateau."""
    at = list(range(step, length + 1, step))
    noise = np.array([[normal(0, STREAM, user, event, 0) for user in range(users)] for event in at])
    return at, 0.2 + 0.7 * (1 - np.exp(-np.array(at) / rise))[:, None] + 0.08 * noise


@pytest.mark.parametrize("step", [3, 6])
def test_it_does_not_grow_with_the_length_of_the_run(step: int) -> None:
    short, long = noisy(300, step, 60), noisy(1500, step, 60)
    users = [float(rounds_to_convergence(*curves).mean()) for curves in (short, long)]
    assert users[1] == pytest.approx(users[0], rel=0.05)
    # Without noise a curve is within 0.05 of its end at 20 log(0.7 / 0.05) = 53 rounds.
    assert users[0] == pytest.approx(53, rel=0.2)
    network = [network_rounds(at, values.mean(axis=1)) for at, values in (short, long)]
    assert network[1] == pytest.approx(network[0], abs=10)
    # And of 0.9 it lacks one percent at 20 log(0.7 / 0.009) = 87 rounds.
    assert network[0] == pytest.approx(87, rel=0.15)


def test_a_hundred_measurements_of_a_long_run_say_about_the_same_as_of_a_short_one() -> None:
    """What a run does by default: measured every 3 rounds of 300, every 15 of 1,500."""
    users = [float(rounds_to_convergence(*noisy(length, length // 100, 60)).mean()) for length in (300, 1500)]
    assert users[1] == pytest.approx(users[0], abs=15)


def test_slower_learning_takes_more_rounds() -> None:
    fast, slow = (rounds_to_convergence(*noisy(300, 3, 40, rise)).mean() for rise in (10.0, 40.0))
    assert slow > 2 * fast


@given(st.lists(st.floats(0, 1), min_size=5, max_size=5))
def test_it_is_one_of_the_measured_rounds_and_whoever_is_flat_is_there_at_once(curve: list[float]) -> None:
    found = rounds_to_convergence(ROUNDS, np.array([curve, [curve[0]] * 5]).T)
    assert found[1] == ROUNDS[0]
    assert found[0] in ROUNDS
