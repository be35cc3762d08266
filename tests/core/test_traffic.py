"""What left, entry by entry and summed up."""

from __future__ import annotations

import dataclasses

import pytest

from tacit.core.traffic import Entry, Traffic


def test_empty_traffic_has_one_number_per_node_for_everything() -> None:
    traffic = Traffic.empty(3)
    for name in ("updates", "rows", "rows_rated", "bytes"):
        assert getattr(traffic, name).tolist() == [0, 0, 0]
    traffic.rows[1] += 5
    assert traffic.updates.tolist() == traffic.bytes.tolist() == [0, 0, 0]


def test_an_entry_cannot_be_changed_afterwards() -> None:
    entry = Entry(1.5, "anna", rows=10, rows_rated=3, bytes=400)
    assert entry.disclosure == 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        entry.rows = 0  # type: ignore[misc]
