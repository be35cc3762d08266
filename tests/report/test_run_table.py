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
    assert frame["hr@10, one list per user"].to_list() == [None, 0.5, None]
    assert frame["hr@10, per held-out item among 100"].to_list() == [None, None, 0.7]
    assert "HR@10, one list per user" in found.to_latex()
    assert "mine & 0 & -- & 0.5000 & --" in found.to_latex()
    assert pl.read_csv(found.to_csv().encode()).height == 3
    assert "rmse" in table_of([runs / "a"]).frame.columns


def test_other_numbers_of_negatives_are_never_in_one_column(tmp_path: Path) -> None:
    for count, value in ((20, 0.7), (100, 0.5)):
        result = make_result(
            users=20, finals={"hr@10": value}, evaluate="sampled", **{"evaluate.negatives": count}
        )
        keep(tmp_path / str(count), result)
    found = table_of([tmp_path])
    by_folder = {Path(row["folder"]).name: row for row in found.to_json()["runs"]}
    assert by_folder["20"]["evaluation"]["list"] == "per held-out item among 20"
    frame = found.frame.sort("hr@10, per held-out item among 20", nulls_last=True)
    assert frame["hr@10, per held-out item among 20"].to_list() == [0.7, None]
    assert frame["hr@10, per held-out item among 100"].to_list() == [None, 0.5]
    assert "HR@10, per held-out item among 20" in found.to_latex(["hr@10"])
    assert "HR@10, per held-out item among 100" in found.to_latex()


def test_one_kind_of_list_is_named_in_titles_and_not_in_the_frame(tmp_path: Path) -> None:
    keep(tmp_path / "a", make_result(users=20, finals={"hr@10": 0.5}, evaluate="full"))
    found = table_of([tmp_path])
    assert "hr@10" in found.frame.columns
    assert "HR@10, one list per user" in found.to_latex()


def test_a_run_has_no_settings_that_only_others_have(tmp_path: Path) -> None:
    keep(tmp_path / "a", make_result(users=20, finals={"hr@10": 0.5}, evaluate="full", **{"evaluate.k": 10}))
    keep(tmp_path / "b", make_result(users=20, finals={"hr@10": 0.5}, evaluate="sampled"))
    settings = {Path(row["folder"]).name: row["settings"] for row in table_of([tmp_path]).to_json()["runs"]}
    assert settings["a"] == {"evaluate": "full", "evaluate.k": 10}
    assert settings["b"] == {"evaluate": "sampled"}
    assert table_of([tmp_path]).frame["evaluate.k"].to_list() == ["10", None]


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
