"""Figures, worked out by hand on a small table."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.data.dataset import load
from tacit.data.describe import describe, gini, list_sources, prepare
from tacit.data.sources.known_datasets import SOURCES

ROWS = "user,item,rating,timestamp\na,1,4,0\na,2,5,86400\nb,1,3,172800\n"


def test_describe_counts_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "small.csv").write_text(ROWS)
    told = describe(load(tmp_path / "small.csv"))
    json.dumps(told)
    assert (told["users"], told["items"], told["interactions"], told["events"]) == (2, 2, 3, 3)
    assert told["density"] == 0.75
    assert told["rating"] == {"min": 3.0, "max": 5.0, "mean": 4.0}
    assert told["time"] == {"first": "1970-01-01T00:00:00+00:00", "last": "1970-01-03T00:00:00+00:00"}
    assert told["per_user"] == {"min": 1, "median": 1.5, "max": 2}
    assert told["popularity_gini"] == pytest.approx(1 / 6)
    assert told["licence"] is None


def test_milliseconds_are_no_dates() -> None:
    times = [1_600_000_000_000, 1_600_000_000_001]
    told = describe(load(pl.DataFrame({"user": [1, 2], "item": [1, 2], "timestamp": times})))
    assert "are these milliseconds?" in str(told["time"])


def test_gini_of_even_and_uneven_counts() -> None:
    assert gini(np.array([3, 3, 3])) == 0.0
    assert gini(np.array([0, 0, 0, 8])) == 0.75
    assert gini(np.array([0, 0])) == 0.0


def test_the_list_has_every_source_with_its_licence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "movielens-100k.parquet").touch()
    monkeypatch.setenv("TACIT_DATA", str(tmp_path))
    monkeypatch.setattr("tacit.data.sources.locate.user_cache_path", lambda _: tmp_path / "none")
    rows = {row["name"]: row for row in list_sources()}
    assert set(rows) == {*SOURCES, "synthetic"}
    assert rows["movielens-100k"]["found"] == "TACIT_DATA"
    assert rows["movielens-10m"]["found"] == "not here"
    assert all(row["licence"] for row in rows.values())


@pytest.mark.parametrize("kind", [".parquet", ".csv", ".tsv"])
def test_prepare_writes_what_load_reads(tmp_path: Path, kind: str) -> None:
    (tmp_path / "in.csv").write_text(ROWS.replace("user,", "User,") + "\n")
    out = tmp_path / "new folder" / f"out{kind}"
    assert prepare(tmp_path / "in.csv", out) == {"users": 2, "items": 2, "rows": 3}
    assert load(out).events.equals(load(tmp_path / "in.csv").events)
    assert [path.name for path in out.parent.iterdir()] == [out.name]


def test_prepare_refuses_contradictions_and_keeps_the_latest_when_asked(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(ROWS + "a,1,1,5\n")
    with pytest.raises(BadInput, match="first of them user a, item 1"):
        prepare(tmp_path / "in.csv", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
    assert prepare(tmp_path / "in.csv", tmp_path / "out.csv", duplicates="latest")["rows"] == 3
    assert pl.read_csv(tmp_path / "out.csv")["rating"].to_list() == [5.0, 3.0, 1.0]


def test_prepare_says_which_types_it_writes(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(ROWS)
    with pytest.raises(BadInput, match=r"file type: got \.xls"):
        prepare(tmp_path / "in.csv", tmp_path / "out.xls")


def test_a_split_of_the_data_s_own_is_counted() -> None:
    frame = pl.DataFrame(
        {"user": [1, 1, 2, 2], "item": [1, 2, 1, 3], "split": ["train", "valid", "test", "train"]}
    )
    assert describe(load(frame))["split"] == {"train": 2, "test": 1, "validation": 1}
    assert "split" not in describe(load(frame.drop("split")))
    assert "split" not in describe(load(frame.with_columns(split=pl.lit("left"))))
