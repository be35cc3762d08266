from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path

import polars as pl
import pytest
from rich.console import Console

from tacit.core.errors import BadInput
from tacit.experiment import run_folder
from tacit.report.run_table import table_of
from tests.report.factory import make_result


def keep(folder: Path, result: object) -> None:
    folder.mkdir(parents=True)
    run_folder.write_result(folder, result)  # type: ignore[arg-type]


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    keep(tmp_path / "a", make_result(users=20, finals={"rmse": 0.9}))
    keep(tmp_path / "study" / "one", make_result(users=20, seed=1, finals={"rmse": 0.8}, **{"model.k": 9}))
    (tmp_path / "study" / "result.json").write_text('{"runs": [], "tests": []}')
    labelled = replace(make_result("x/y", users=20, finals={"hr@10": 0.5}, evaluate="full"), label="mine")
    keep(tmp_path / "study" / "two", labelled)
    keep(tmp_path / "study" / "two" / "choosing", make_result(users=20))
    keep(
        tmp_path / "study" / "three", make_result("x/z", users=20, finals={"hr@10": 0.7}, evaluate="sampled")
    )
    return tmp_path


def test_one_row_per_finished_run_wherever_it_is(runs: Path) -> None:
    rows = table_of([runs]).to_json()["runs"]
    assert [(Path(row["folder"]).name, row["label"], row["seed"]) for row in rows] == [
        ("a", "hegedus/gossip-merge", 0),
        ("one", "hegedus/gossip-merge", 1),
        ("two", "mine", 0),
        ("three", "x/z", 0),
    ]
    assert [row["settings"] for row in rows] == [{"model.k": 5}, {"model.k": 9}, {}, {}]
    assert rows[0]["metrics"] == {"rmse": 0.9}
    assert rows[0]["cost"]["messages"] == 300 * 20
    assert len(table_of([runs, runs / "a"]).runs) == 4, "no run twice"


def test_two_evaluations_are_never_in_one_column(runs: Path) -> None:
    found = table_of([runs / "study"])
    frame = found.frame
    assert frame["hr@10 (full)"].to_list() == [None, 0.5, None]
    assert frame["hr@10 (sampled)"].to_list() == [None, None, 0.7]
    assert "HR@10 (full)" in found.to_latex()
    assert "mine & 0 & -- & 0.5000 & --" in found.to_latex()
    assert pl.read_csv(found.to_csv().encode()).height == 3
    assert "rmse" in table_of([runs / "a"]).frame.columns


def test_a_terminal_shows_runs_under_their_folder_or_study(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(runs)
    console = Console(width=80, file=StringIO(), record=True)
    console.print(table_of(["a", "study"]).to_terminal())
    lines = [line.strip().split("  ")[0] for line in console.export_text().splitlines()]
    assert lines[lines.index("a") :] == [
        "a", "hegedus/gossip-merge", "(model.k=5)", "study", "hegedus/gossip-merge", "(model.k=9)", "mine", "x/z",
    ]  # fmt: skip


def test_what_could_not_be_read_is_told(runs: Path) -> None:
    (runs / "study" / "one" / "per_user.parquet").write_bytes(b"")
    (runs / "half").mkdir()
    (runs / "half" / "state.npz").touch()
    found = table_of([runs])
    assert len(found.runs) == 3
    assert [line.partition(": ")[2] for line in found.left_out] == [
        f"run: got a damaged folder; allowed: run it again ({runs / 'study' / 'one'})",
        "a half-done run",
    ]


def test_folders_without_a_run(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no finished run in"):
        table_of([tmp_path])
    with pytest.raises(BadInput, match=r"folder: got .*nowhere"):
        table_of([tmp_path / "nowhere"])
    with pytest.raises(BadInput, match="no folder"):
        table_of([])
