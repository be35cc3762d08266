"""The page on runs and studies, typed as it stands, on less data."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tacit.cli.main import call
from tests.docs.pages import commands, page, scripts

TEXT = page("guide/studies.md")
SMALL = [
    "--set",
    "data.users=40",
    "--set",
    "data.items=60",
    "--set",
    "data.interactions=900",
    "--set",
    "hours=6",
]


def test_every_command_works_in_the_order_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    typed = [shlex.split(command) for command in commands(TEXT)]
    assert [words[1] for words in typed] == ["run", "run", "recommend", "compare", "table", "table", "table"]
    for words in typed:
        assert call(words[1:] + (SMALL if "synthetic" in words else [])) == 0, capsys.readouterr().err
    assert call([*typed[0][1:], *SMALL]) == 2, "without --resume it is refused"
    assert (tmp_path / "runs" / "steps" / "table.tex").is_file()
    shown = capsys.readouterr().out
    assert "large steps" in shown
    assert r"\begin{tabular}" in shown


def test_the_python_example_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (script,) = scripts(TEXT)
    exec(compile(script, "studies.md", "exec"), {})
    assert b"/Type3" not in (tmp_path / "curve.pdf").read_bytes()
    assert ">in one place<" in (tmp_path / "all.svg").read_text()
    assert r"small steps & " in capsys.readouterr().out
