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
    assert "paper: got nobody; known:" in err
    assert "hegedus" in err


def test_a_figure_by_its_number_and_a_list(fake_paper: Paper, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["reproduce", "fake", "--figure", "2b", "--json"]) == 0
    assert [table["name"] for table in json.loads(capsys.readouterr().out)["tables"]] == ["sizes"]
    assert call(["reproduce", "fake", "--list"]) == 0
    told = capsys.readouterr().out
    for words in ("table-1", "figure-2a", "figure-9", "a drawing, no result", "C1"):
        assert words in told
    assert call(["reproduce", "fake", "--list", "--json"]) == 0
    (claim,) = json.loads(capsys.readouterr().out)["papers"]["fake"]["claims"]
    assert (claim["claim"], claim["source"], claim["verdict"]) == ("C1", "section <1>", None)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "paper: got none; allowed: "),
        (
            ["hegedus", "--table", "1", "--figure", "2"],
            "--table and --figure: got both; allowed: one of them",
        ),
        (["hegedus", "--figure", "7"], "table or figure of hegedus: got 7; known: "),
        (["dymbe", "--figure", "3.1"], "got 3.1 (a drawing, no result); "),
        (["pepper", "--table", "7", "--quick"], "nothing to run for pepper"),
        (["pepper", "--finished", "--overwrite"], "--overwrite: got --finished beside it; allowed: "),
        (["pepper", "--finished", "--out", "nowhere"], "--finished: got --out nowhere; allowed: --out DIR"),
        (["pepper", "--markdown"], "--markdown: got with another kind of output; allowed: "),
    ],
)
def test_what_cannot_be_run_is_one_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["reproduce", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert told in err


def test_what_is_finished_so_far(
    fake_paper: Paper, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert call(["reproduce", "fake", "--finished"]) == 2
    assert "--finished: got no --out; allowed: --out DIR" in capsys.readouterr().err
    assert call(["reproduce", "fake", "--table", "1", "--quick", "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    assert call(["reproduce", "fake", "--finished", "--out", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["verdict"] for row in told["tables"][0]["rows"]] == ["differs", "not finished"]
    assert call(["reproduce", "fake", "--finished", "--out", str(tmp_path)]) == 0
    assert "not finished" in capsys.readouterr().out
