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


def page_of(monkeypatch: pytest.MonkeyPatch, lines: list[Measured]) -> str:
    monkeypatch.setattr(measured_tables, "paper_named", lambda name: PAPER)
    monkeypatch.setattr(measured_tables, "recorded_numbers", lambda name: lines)
    monkeypatch.setattr(measured_tables, "recorded", dict)
    return tables_page("fake")


def test_a_row_that_was_not_run_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "| Federated | to be measured |" in page_of(monkeypatch, LINES[:1])


def test_versions_are_no_single_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    old = Measured("table-1", "tiny", "Federated", "rmse", "1.7", "", "1", "", "0.1.0", "2026-11-16")
    now, _, before = page_of(monkeypatch, [LINES[0], old]).partition(
        "## Numbers of version 0.1.0 that were not measured again"
    )
    assert "0.9123" in now
    assert "1.7000" not in now
    assert "measured with 0.2.0 on 2026-11-18." in now
    assert "| Federated | 1.7000 |" in before
    assert "measured with 0.1.0 on 2026-11-16." in before


def test_the_end_of_a_curve_says_at_which_hour() -> None:
    text = tables_page("hegedus")
    assert "| RMSE at 48 h | RMSE at 48 h, sd |" in text
    assert "| RMSE |" not in text
    assert text.count("verdicts end at 24 hours: [the paper's page](hegedus.md)") == 2, "figures 3 and 4"


def test_where_hours_are_no_setting_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Measured("figure-1", "tiny", "Federated", "rmse", "1.5", "", "1", "", *WHEN)
    assert "|  | RMSE |\n" in page_of(monkeypatch, [line])


def test_a_percentile_has_a_column_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        Measured("table-1", "tiny", "Central", metric, "65.7", "", "3", "", *WHEN)
        for metric in ("rounds_to_convergence", "rounds_to_convergence p99")
    ]
    text = page_of(monkeypatch, lines)
    assert "| rounds to convergence | rounds to convergence, p99 |" in text


def test_metrics_of_one_kind_share_a_column(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        Measured("table-1", "tiny", f"bias of item {n}", f"bias_{what}:{n}", f"0.{n}", "", "3", "", *WHEN)
        for n in (1, 2)
        for what in ("mean", "spread")
    ]
    text = page_of(monkeypatch, lines)
    assert "|  | mean over nodes | spread over nodes |" in text
    assert "| bias of item 2 | 0.2000 | 0.2000 |" in text


@pytest.mark.parametrize("name", measured_pages())
def test_the_pages_are_current(name: str) -> None:
    assert page(f"papers/{name}") == measured_pages()[name], "make docs writes it anew"
