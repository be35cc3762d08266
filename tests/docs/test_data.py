"""The page on one's own data, typed as it stands, with more rows in its files."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tacit.cli.main import call
from tests.docs.pages import commands, files, page, scripts

TEXT = page("guide/data.md")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shown = files(TEXT)
    rows = [
        f"p{u},tea {(u * i) % 13},{1 + (u * i) % 5},2024-02-{u + i:02}"
        for u in range(1, 13)
        for i in range(1, 9)
    ]
    (tmp_path / "ratings.csv").write_text(shown["ratings.csv"] + "\n".join(dict.fromkeys(rows)) + "\n")
    (tmp_path / "books.csv").write_text(shown["books.csv"])
    return tmp_path


def test_every_command_works_in_the_order_of_the_page(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed = [shlex.split(command)[1:] for command in commands(TEXT)]
    assert [words[0] for words in typed] == ["data", "run", "data", "data", "run", "data", "run"]
    for words in typed:
        quick = ["--set", "hours=2"] if "hegedus/gossip-merge" in words else []
        assert call([*words, *quick]) == 0, capsys.readouterr().err
    assert (home / "books.parquet").is_file()
    assert (home / "parts.csv").read_text().startswith("user,item,rating,timestamp,split\n")


def test_the_python_code_runs_from_top_to_bottom(home: Path) -> None:
    names: dict[str, object] = {}
    exec(compile("\n".join(scripts(TEXT)), "data.md", "exec"), names)
    assert repr(names["books"]) == "<Dataset books: 2 users, 2 items, 2 interactions>"
