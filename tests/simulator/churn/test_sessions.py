"""Who is online when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.simulator.churn.sessions import (
    SECOND,
    always,
    online_at,
    online_mask,
    online_through,
    through_mask,
)
from tests.simulator.small import online

HERE = online([(2, 5), (7, 9)], [], None)


@pytest.mark.parametrize(
    ("start", "until", "is_online"),
    [
        (2, 2, True),
        (2, 4.9, True),
        (4.999999, 4.999999, True),
        (5, 5, False),
        (1.999999, 3, False),
        (2, 5, False),
        (3, 8, False),
        (7, 8.999999, True),
        (9, 9, False),
        (5.5, 6, False),
        (0, 100, False),
    ],
)
def test_one_session_has_to_hold_the_whole_span(start: float, until: float, is_online: bool) -> None:
    assert online_through(HERE, 0, round(start * SECOND), round(until * SECOND)) is is_online


def test_without_sessions_in_the_list_a_node_is_never_there_without_a_list_everybody_always() -> None:
    assert not online_at(HERE, 1, 3 * SECOND)
    assert online_at(HERE, 2, 10**15)
    assert online_at(always(), 12345, 0)


def test_masks_say_the_same_for_all_nodes() -> None:
    assert online_mask(HERE, 3, 3 * SECOND).tolist() == [True, False, True]
    assert through_mask(HERE, 3, 3 * SECOND, 8 * SECOND).tolist() == [False, False, True]
    assert online_mask(always(), 2, 0).tolist() == [True, True]


@given(st.lists(st.integers(0, 60), unique=True, max_size=12), st.integers(0, 60), st.integers(0, 20))
def test_as_a_search_through_the_list_would_say(marks: list[int], start: int, length: int) -> None:
    marks = sorted(marks)[: len(marks) // 2 * 2]
    spans = [(float(a), float(b)) for a, b in zip(marks[::2], marks[1::2], strict=True)]
    sessions = online([(500.0, 501.0)], spans, [(0.0, 1.0)])
    expected = any(a <= start and start + length < b for a, b in spans)
    assert online_through(sessions, 1, start * SECOND, (start + length) * SECOND) == expected
