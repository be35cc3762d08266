from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tacit.cli.main import call


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    rows = [
        (f"user {u}", i, 1 + (u * i) % 5, "\x1b[31m[bold]<b>red" if i == 7 else f"film {i}")
        for u in range(6)
        for i in range(12)
        if i != u
    ]
    pl.DataFrame(rows, schema=["user", "item", "rating", "title"], orient="row").write_csv(
        tmp_path / "mine.csv"
    )
    words = ["run", "hegedus/federated", "--data", str(tmp_path / "mine.csv"), "--set", "rounds=2"]
    assert call([*words, "--set", "split.n=5", "--json", "--out", str(tmp_path / "run")]) == 0
    capsys.readouterr()
    return tmp_path / "run"


def test_json_is_the_contracts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["recommend", str(folder), "--user", "user 3", "-n", "4", "--json"]) == 0
    told = capsys.readouterr()
    value = json.loads(told.out)
    assert told.err == ""
    assert set(value) == {"user", "liked", "items"}
    assert value["user"] == "user 3"
    assert len(value["items"]) == 4
    assert all(set(item) == {"key", "title", "score", "because"} for item in value["items"])
    scores = [item["score"] for item in value["items"]]
    assert scores == sorted(scores, reverse=True)
    assert not set(value["liked"]) & {item["title"] for item in value["items"]}


def test_titles_cannot_command_the_terminal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for user in range(6):
        assert call(["recommend", str(folder), "--user", f"user {user}"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "[bold]<b>red" in out
    assert "Liked before: " in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--user", "user 33"], "user: got user 33; allowed: one of 6 ids such as user 3"),
        (["--user", "user 3", "-n", "0"], "-n: got 0"),
        ([], "Missing option '--user'"),
    ],
)
def test_mistakes_get_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    assert call(["recommend", str(folder), *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert told in err
    assert call(["recommend", "nowhere", "--user", "1"]) == 2
