"""Numbers on record: what a reproduction found replaces what was there, line by line."""

from __future__ import annotations

from typing import Any

import pytest

from tacit.papers import measured
from tacit.papers.base import Paper
from tacit.papers.measured import Measured, agreement, as_text, merged_numbers, numbers_of, recorded_numbers
from tacit.papers.reproduce import papers
from tests.papers.fake_paper import PAPER

ROW = {
    "panel": "tiny",
    "name": "Central",
    "metric": "rmse",
    "ours": 0.91234567,
    "sd": None,
    "seeds": 2,
    "paper": 5.0,
}
TOLD: dict[str, Any] = {
    "tacit": "0.2.0",
    "paper": "fake",
    "tables": [{"name": "table-1", "rows": [ROW, ROW | {"name": "Federated", "ours": None}]}],
    "claims": [
        {"claim": "C1", "verdict": "holds", "numbers": {"a case": 0.25, "hours until never": None}},
        {"claim": "C2", "verdict": "not checked", "numbers": {"another": 1.0}},
    ],
}


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> Paper:
    monkeypatch.setattr(measured, "paper_named", lambda name: PAPER)
    return PAPER


def test_numbers_that_were_measured_and_those_behind_verdicts(made_up: Paper) -> None:
    number, behind = numbers_of(TOLD, "2026-11-18")
    assert number.place == ("table-1", "tiny", "Central", "rmse")
    assert measured.numbers_of(TOLD | {"tables": [], "claims": []}, "2026-11-18") == []
    assert (number.ours, number.sd, number.seeds, number.paper) == ("0.91234567", "", "2", "5")
    assert (behind.exhibit, behind.name, behind.ours) == ("claim C1", "a case", "0.25")


def test_new_numbers_replace_old_ones_and_others_stay(made_up: Paper) -> None:
    old = [
        Measured("table-1", "tiny", "Central", "rmse", "1", "", "", "", "0.1.0", "2026-11-16"),
        Measured("table-1", "tiny", "Other", "rmse", "2", "", "", "", "0.1.0", "2026-11-16"),
        Measured("claim C1", "", "an old case", "", "3", "", "", "", "0.1.0", "2026-11-16"),
    ]
    lines = as_text(merged_numbers(old, numbers_of(TOLD, "2026-11-18"))).splitlines()
    assert lines[1].startswith("table-1,tiny,Central,rmse,0.91234567")
    assert lines[2].startswith("table-1,tiny,Other,rmse,2")
    assert lines[3].startswith("claim C1,,a case,,0.25")
    assert len(lines) == 4


def test_a_tables_count_is_about_one_version(made_up: Paper) -> None:
    def line(name: str, ours: str, version: str = "0.2.0") -> Measured:
        return Measured("table-1", "tiny", name, "rmse", ours, "", "", "5", version, "2026-11-18")

    lines = [line("Central", "5.4"), line("Federated", "6"), line("Central", "5", "0.1.0"), line("Gone", "5")]
    assert agreement(PAPER, lines, "0.2.0") == {"table-1": (1, 2)}, (
        "a row that is no longer there does not count"
    )


def test_counts_are_recorded_to_the_unit(made_up: Paper) -> None:
    table = {"name": "table-1", "rows": [ROW | {"ours": 28_360_614_618.0, "paper": 28_360_614_618.0}]}
    (line,) = numbers_of(TOLD | {"tables": [table], "claims": []}, "2026-11-18")
    assert line.ours == line.paper == "28360614618"


@pytest.mark.parametrize("name", papers())
def test_what_is_recorded_can_be_read(name: str) -> None:
    for line in recorded_numbers(name):
        float(line.ours)
        assert line.version
        assert line.measured
