from __future__ import annotations

import pytest

from tacit.node.store.records import LedgerEntry
from tacit.web.ledger_days import WIDTH, days


def test_days_hold_every_byte_and_the_fullest_is_as_wide_as_the_drawing() -> None:
    entries = [LedgerEntry(i, 5e4 * i, "a", "list", 4, i % 5, 10 * i, 1.0) for i in range(100, 0, -1)]
    found = days(entries)
    assert sum(day.bytes for day in found) == sum(entry.bytes for entry in entries)
    for day in found:
        assert day.amounts.own + day.amounts.carried + day.amounts.greetings == pytest.approx(day.bytes)
        assert max(start + width for start, width, _ in day.bar) <= WIDTH
    assert [day.date for day in found] == sorted({day.date for day in found}, reverse=True)
    assert days([]) == []
