from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tacit.cli.main import call


def test_a_finished_run_is_written_for_lenskit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [(u, i, 1 + (u * i) % 5) for u in range(6) for i in range(12) if i != u]
    pl.DataFrame(rows, schema=["user", "item", "rating"], orient="row").write_csv(tmp_path / "mine.csv")
    words = [
        "run",
        "baseline/popular",
        "--data",
        str(tmp_path / "mine.csv"),
        "--set",
        "split.n=2",
        "--set",
        "data.min_user=0",
    ]
    assert call([*words, "--set", "split=random-n", "--json", "--out", str(tmp_path / "run")]) == 0
    capsys.readouterr()
    export = ["export", "lenskit", str(tmp_path / "run"), "--out", str(tmp_path / "lk"), "-n", "3"]
    assert call([*export, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["interactions"], told["train"], told["test"], told["users"]) == (66, 54, 12, 6)
    assert sorted(path.name for path in (tmp_path / "lk").iterdir()) == sorted(told["files"])
    lists = pl.read_parquet(tmp_path / "lk" / "recommendations.parquet")
    assert lists["items"].list.len().to_list() == [3] * 6
    assert call(export) == 2, "it is not written over"
    assert "--out: got" in capsys.readouterr().err


def test_mistakes_get_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["export", "lenskit", str(tmp_path), "--out", str(tmp_path / "lk")]) == 2
    assert "models: got none" in capsys.readouterr().err
    assert not (tmp_path / "lk").exists()
    assert call(["export", "lenskit", str(tmp_path)]) == 2
    assert "--out" in capsys.readouterr().err
    assert call(["export"]) == 0
    assert "lenskit" in capsys.readouterr().out
