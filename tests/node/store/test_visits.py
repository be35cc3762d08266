"""New since last time."""

from __future__ import annotations

from pathlib import Path

from tacit.node.store.visits import VISIT, Visits
from tests.node.live_network import make_store

FAR = 2**64 - 1


def test_new_is_what_no_earlier_visit_showed(tmp_path: Path) -> None:
    visits = Visits(make_store(tmp_path / "n"))
    assert visits.new("", [1, 2], 0.0) == {1, 2}
    assert not visits.note("", [1, 2], 0.0), "the first visit"
    assert visits.new("", [1, 2, FAR], 60.0) == {1, 2, FAR}, "still the same visit"
    assert not visits.note("", [FAR], 60.0)
    later = 60.0 + VISIT
    assert visits.new("", [1, FAR, 4], later) == {4}
    assert visits.note("", [1, 4], later)
    assert visits.new("", [4], later + 5) == {4}, "new for as long as the visit lasts"
    assert visits.new("ana", [1], later) == {1}, "to somebody else"


def test_without_a_gap_every_look_is_a_visit_and_a_clock_may_go_back(tmp_path: Path) -> None:
    visits = Visits(make_store(tmp_path / "n"))
    visits.note("", [1], 100.0, gap=0)
    assert visits.new("", [1, 2], 100.0, gap=0) == {2}
    assert visits.new("", [1, 2], 5.0) == {2}
