from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.errors import BadInput
from tacit.simulator.churn.availability import Availability
from tacit.simulator.churn.generator import generate
from tacit.simulator.churn.sessions import SECOND, online_at, online_through

HOUR = 3600 * SECOND
MINUTE = 60 * SECOND


def shares(churn: Availability, hours: float) -> npt.NDArray[np.float64]:
    """The share of nodes online, every quarter of an hour."""
    return np.array([churn.online(t).mean() for t in range(0, int(hours * HOUR), 15 * MINUTE)])


def mean_minutes(churn: Availability) -> float:
    """Over the sessions that begin within the horizon, each to its own end."""
    begun = churn.begin > 0
    return float(np.mean(churn.end[begun] - churn.begin[begun])) / MINUTE


@pytest.fixture(scope="module")
def phones() -> Availability:
    return generate(nodes=20_000, seed=1)


def test_a_fifth_of_the_nodes_is_online(phones: Availability) -> None:
    online = shares(phones, 48)
    assert online.mean() == pytest.approx(0.20, abs=0.01)
    assert online.min() > 0.12
    assert online.max() < 0.30


def test_mean_session_is_that_of_the_trace(phones: Availability) -> None:
    assert mean_minutes(phones) == pytest.approx(81.368, rel=0.03)
    # Counting what is left of the sessions under way at time 0 as well does not change the picture.
    assert np.mean(phones.end - phones.begin) / MINUTE == pytest.approx(81.368, rel=0.05)


def test_more_are_online_at_night(phones: Availability) -> None:
    by_hour = shares(phones, 48).reshape(2, 24, 4).mean(axis=(0, 2))
    assert by_hour.max() / by_hour.min() > 1.3
    assert np.argmax(by_hour) in (0, 1, 2, 3, 4)
    assert np.argmin(by_hour) in range(10, 20)


def test_many_sessions_are_short_and_some_last_a_night(phones: Availability) -> None:
    minutes = (phones.end - phones.begin) / MINUTE
    assert np.median(minutes) < 0.6 * np.mean(minutes)
    assert 0.03 < np.mean(minutes > 4 * 60) < 0.15


def test_time_zero_is_like_a_day_later(phones: Availability) -> None:
    first, second = shares(phones, 48).reshape(2, -1)
    assert np.abs(first - second).max() < 0.02


def test_someone_is_online_at_the_very_end(phones: Availability) -> None:
    assert phones.online(48 * HOUR).mean() == pytest.approx(phones.online(0).mean(), abs=0.02)


@pytest.mark.parametrize(
    ("hours", "share", "minutes"),
    [
        (24, 0.05, 81.368),
        (24, 0.6, 81.368),
        (24, 0.95, 30),
        (96, 0.2, 81.368),
        (240, 0.3, 1000),
        (24, 0.2, 2),
    ],
)
def test_other_figures_are_met_as_well(hours: float, share: float, minutes: float) -> None:
    churn = generate(nodes=4000, seed=3, hours=hours, share=share, mean_session_minutes=minutes)
    assert shares(churn, hours).mean() == pytest.approx(share, rel=0.05)
    assert mean_minutes(churn) == pytest.approx(minutes, rel=0.05)


def test_same_seed_same_sessions_and_another_seed_others() -> None:
    one, again, other = generate(50, seed=1), generate(50, seed=1), generate(50, seed=2)
    assert np.array_equal(one.begin, again.begin)
    assert np.array_equal(one.end, again.end)
    assert not np.array_equal(one.begin, other.begin)


def test_more_hours_and_more_nodes_add_to_what_is_there() -> None:
    small, large = generate(20, seed=5, hours=10), generate(30, seed=5, hours=30)
    kept = (large.node < 20) & (large.begin <= 10 * HOUR)
    assert np.array_equal(large.begin[kept], small.begin)
    assert np.array_equal(large.end[kept], small.end)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**62),
    hours=st.floats(0.01, 60),
    share=st.floats(0.01, 0.99),
    minutes=st.floats(1, 2000),
)
def test_sessions_are_sorted_and_apart_and_inside(
    seed: int, hours: float, share: float, minutes: float
) -> None:
    churn = generate(5, seed, hours, share, minutes)
    assert churn.start_ptr[0] == 0
    assert churn.start_ptr[-1] == len(churn.begin)
    assert np.all(churn.begin < churn.end)
    assert np.all((churn.begin >= 0) & (churn.begin <= hours * HOUR))
    for node in range(5):
        own = slice(churn.start_ptr[node], churn.start_ptr[node + 1])
        assert np.all(churn.begin[own][1:] > churn.end[own][:-1])


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 1000), a=st.integers(0, 48 * HOUR), b=st.integers(0, 3 * HOUR), k=st.integers(1, 20)
)
def test_staying_online_means_online_at_every_probe(seed: int, a: int, b: int, k: int) -> None:
    churn = generate(10, seed)
    for node in range(10):
        if online_through(churn.sessions, node, a, a + b):
            for t in np.linspace(a, a + b, k).astype(np.int64):
                assert online_at(churn.sessions, node, t)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"nodes": 0}, "nodes"),
        ({"hours": 0}, "hours of churn"),
        ({"hours": float("nan")}, "hours of churn"),
        ({"share": 1.0}, "share of nodes online"),
        ({"share": 0.0}, "share of nodes online"),
        ({"mean_session_minutes": 0.5}, "mean session minutes"),
    ],
)
def test_impossible_figures_are_refused(wrong: dict[str, float], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        generate(**{"nodes": 5, "seed": 0, **wrong})  # type: ignore[arg-type]
