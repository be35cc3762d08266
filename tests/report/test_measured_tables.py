"""Pages of measured numbers: one number per cell, and what is printed is what was recorded."""

from __future__ import annotations

import pytest

from tacit.papers.measured import Measured
from tacit.papers.verdicts import Recorded
from tacit.report import measured_tables
from tacit.report.measured_tables import measured_pages, tables_page
from tests.docs.pages import page
from tests.papers.fake_paper import PAPER

WHEN = ("0.2.0", "2026-11-18")
LINES = [
    Measured("table-1", "tiny", "Central", "rmse", "0.912346", "0.01", "2", "5", *WHEN),
    Measured("table-1", "tiny", "Central", "seconds", "1234", "", "2", "", *WHEN),
    Measured("table-1", "tiny", "Federated", "rmse", "1.5", "", "1", "", *WHEN),
    Measured("claim C1", "", "a case", "", "0.25", "", "", "", *WHEN),
]


def test_a_row_per_name_and_a_column_per_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured_tables, "paper_named", lambda name: PAPER)
    monkeypatch.setattr(measured_tables, "recorded_numbers", lambda name: LINES)
    found = {("fake", "C1"): Recorded("fake", "C1", "holds", "", *WHEN)}
    monkeypatch.setattr(measured_tables, "recorded", lambda: found)
    text = tables_page("fake")
    assert "| Central | 0.9123 | 0.0100 | 5 | 1,234 |" in text
    assert "| Federated | 1.5000 |  |  |  |" in text
    assert "`tacit reproduce fake --table table-1`; measured with 0.2.0 on 2026-11-18." in text
    assert "| a case | 0.2500 |" in text
    assert "Found: holds" in text


@pytest.mark.parametrize("name", measured_pages())
def test_the_pages_are_current(name: str) -> None:
    assert page(f"papers/{name}") == measured_pages()[name], "make docs writes it anew"
