from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.data.per_user_file import missing_note, read_columns, read_per_user

USERS = np.array(["ann", "bob", "007"], dtype=np.dtypes.StringDType())


def read(path: Path) -> list[float]:
    return read_per_user("triples", str(path), USERS, lambda n: n >= 0, "a number from 0").tolist()


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet"])
def test_every_kind_of_table(tmp_path: Path, ending: str) -> None:
    frame, path = pl.DataFrame({"triples": ["3", "1"], "user": ["007", "ann"]}), tmp_path / f"t{ending}"
    if ending == ".parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path, separator="\t" if ending == ".tsv" else ",")
    assert read(path) == pytest.approx([1, np.nan, 3], nan_ok=True)


def test_users_that_are_missing_are_counted() -> None:
    each = np.array([1.0, np.nan, np.nan])
    assert missing_note(each, "/x/t.csv", "they draw 1") == ["2 of 3 users are not in t.csv: they draw 1"]
    assert missing_note(each[:1], "t.csv", "") == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("user,triples\nbob,-1\n", r"^triples: got -1 for user bob; allowed: a number from 0"),
        ("user,triples\nbob,nan\n", r"^triples: got nan for user bob"),
        ("user,triples\n7,1\n", r"^triples: got user 7; allowed: users of the data set"),
        ("", r"^triples: got .*t.csv; allowed: .*user,triples \(it cannot be read\)"),
    ],
)
def test_one_clear_line(tmp_path: Path, text: str, line: str) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(BadInput, match=line):
        read(tmp_path / "t.csv")


def test_columns_as_text(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("item,other,user\n01,x,2\n")
    assert read_columns("disclose", tmp_path / "t.csv", ("user", "item")).rows() == [("2", "01")]
