from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.simulator.churn.availability import Availability
from tacit.simulator.churn.sessions import online_at, online_through

# Node 0: 10 to 20 and 30 to 40. Node 1: never. Node 2: 0 to 5.
CHURN = Availability.from_sessions([0, 2, 0], [30, 0, 10], [40, 5, 20], nodes=3)


def at(churn: Availability, node: int, t: int) -> bool:
    return online_at(churn.sessions, node, t)


def through(churn: Availability, node: int, t0: int, t1: int) -> bool:
    return online_through(churn.sessions, node, t0, t1)


def test_sessions_are_kept_per_node_and_sorted() -> None:
    assert CHURN.nodes == 3
    assert CHURN.start_ptr.tolist() == [0, 2, 2, 3]
    assert CHURN.begin.tolist() == [10, 30, 0]
    assert CHURN.end.tolist() == [20, 40, 5]
    assert CHURN.node.tolist() == [0, 0, 2]


@pytest.mark.parametrize(
    ("node", "t", "online"),
    [
        (0, 9, False), (0, 10, True), (0, 19, True), (0, 20, False), (0, 29, False), (0, 30, True),
        (0, 40, False), (1, 0, False), (1, 35, False), (2, 0, True), (2, 4, True), (2, 5, False),
    ],
)  # fmt: skip
def test_a_session_holds_its_begin_and_not_its_end(node: int, t: int, online: bool) -> None:
    assert at(CHURN, node, t) is online
    assert CHURN.online(t)[node] == online


@pytest.mark.parametrize(
    ("node", "t0", "t1", "stays"),
    [
        (0, 10, 19, True), (0, 10, 20, False), (0, 9, 12, False), (0, 15, 35, False), (0, 12, 12, True),
        (0, 30, 39, True), (0, 39, 41, False), (1, 0, 1, False), (2, 0, 4, True),
    ],
)  # fmt: skip
def test_a_transfer_needs_one_whole_session(node: int, t0: int, t1: int, stays: bool) -> None:
    assert through(CHURN, node, t0, t1) is stays


def test_without_churn_everyone_stays_for_years() -> None:
    churn = Availability.always(3)
    assert churn.online(0).tolist() == [True] * 3
    assert through(churn, 2, 0, 10 * 365 * 24 * 3600 * 10**6)


def test_sessions_that_touch_are_one() -> None:
    churn = Availability.from_sessions([1, 1, 0], [10, 20, 30], [20, 30, 40], nodes=2)
    assert through(churn, 1, 15, 25)
    assert len(churn.begin) == 2  # the neighbour in the table, of another node, stays apart


def test_no_sessions_at_all_is_nobody_online() -> None:
    churn = Availability.from_sessions([], [], [], nodes=2)
    assert churn.online(0).tolist() == [False, False]


@pytest.mark.parametrize(
    ("node", "begin", "end", "says"),
    [([0, 0], [0, 5], [6, 9], "overlap"), ([0], [5], [5], "ends after"), ([2], [0], [1], "belongs")],
)
def test_impossible_sessions_are_refused(
    node: list[int], begin: list[int], end: list[int], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        Availability.from_sessions(node, begin, end, nodes=2)


@st.composite
def availabilities(draw: st.DrawFn) -> Availability:
    """Any disjoint sessions of three nodes between 0 and 60, some of them touching."""
    node, begin, end = [], [], []
    for n in range(3):
        borders = draw(st.lists(st.integers(0, 60), unique=True, max_size=12).map(sorted))
        keep = draw(st.lists(st.booleans(), min_size=12, max_size=12))
        for b, e, kept in zip(borders, borders[1:], keep, strict=False):
            if kept:
                node.append(n)
                begin.append(b)
                end.append(e)
    return Availability.from_sessions(node, begin, end, nodes=3)


@settings(deadline=None)
@given(availabilities(), st.integers(0, 2), st.integers(0, 60), st.integers(0, 60))
def test_staying_online_is_being_online_at_every_moment(
    churn: Availability, node: int, a: int, b: int
) -> None:
    t0, t1 = min(a, b), max(a, b)
    assert through(churn, node, t0, t1) is all(at(churn, node, t) for t in range(t0, t1 + 1))


@settings(deadline=None)
@given(availabilities(), st.integers(0, 60))
def test_all_nodes_at_once_agree_with_one_by_one(churn: Availability, t: int) -> None:
    assert churn.online(t).tolist() == [at(churn, node, t) for node in range(3)]
