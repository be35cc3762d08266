from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacit.cli.main import call
from tacit.papers.base import Paper
from tests.papers.fake_paper import fake_paper as fake_paper


def test_one_object(fake_paper: Paper, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["reproduce", "fake", "--quick", "--json"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    value = json.loads(told.out)
    assert value["paper"] == "fake"
    assert value["quick"] is True
    assert [claim["claim"] for claim in value["claims"]] == ["C1"]


def test_for_people_with_a_page(
    fake_paper: Paper, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert call(["reproduce", "fake", "--out", str(tmp_path)]) == 0
    told = capsys.readouterr()
    for words in (
        "Table 1",
        "Central is <better>",
        "as <expected>",
        "holds",
        "5.0000",
        "differs",
        "data not at hand",
    ):
        assert words in told.out
    assert "3 runs, about 4 min" in told.err
    page = (tmp_path / "report.html").read_text()
    for words in ("Central is &lt;better&gt;", "Nobody: &lt;Nothing&gt;", "tacit reproduce fake", "<svg"):
        assert words in page
    assert "<better>" not in page
    assert json.loads((tmp_path / "result.json").read_text())["paper"] == "fake"


def test_an_unknown_paper_is_told_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["reproduce", "nobody"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "paper: got nobody; allowed: known:" in err
    assert "hegedus" in err
