from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tacit.cli.main import call

ROWS = [(u, i, 1 + (u * i) % 5, 1000 + 20 * u + i) for u in range(8) for i in range(12) if (u + i) % 3]


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """As MovieLens gives it out, but with names that nobody could guess, and semicolons."""
    frame = pl.DataFrame(ROWS, schema=["member", "film", "rating", "timestamp"], orient="row")
    frame.write_csv(tmp_path / "theirs.csv", separator=";")
    return tmp_path / "theirs.csv"


NAMES = ["--columns", "user=member,item=film"]


def figures(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert (
        call(
            [
                "run",
                "baseline/item-knn",
                "--set",
                "evaluate.k=3",
                "--set",
                "data.min_user=0",
                "--json",
                *words,
            ]
        )
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    return {key: found[key] for key in ("metrics", "data")}


def test_a_split_is_written_and_given_again(theirs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = theirs.with_name("parts.tsv")
    split = ["--set", "split=random-n", "--set", "split.n=2", "--seed", "3"]
    assert call(["data", "split", str(theirs), str(out), *NAMES, *split, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["split"] == {"kind": "random-n", "n": 2, "seed": 3, "train": 48, "test": 16}
    drawn = figures(["--data", str(theirs), *NAMES, *split], capsys)
    given = figures(["--data", str(out), "--set", "split=given", "--seed", "3"], capsys)
    assert drawn["metrics"] == given["metrics"]
    held = theirs.with_name("held.csv")
    pl.read_csv(out, separator="\t").filter(split="test").select("user", "item").write_csv(held)
    by_file = [
        "--data",
        str(theirs),
        *NAMES,
        "--set",
        "split=given",
        "--set",
        f"split.file={held}",
        "--seed",
        "3",
    ]
    assert figures(by_file, capsys) == drawn


@pytest.mark.parametrize("words", [["describe"], ["prepare"]])
def test_columns_are_named_for_other_commands_too(
    theirs: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = [str(theirs.with_name("checked.parquet")), "--overwrite"] if words == ["prepare"] else []
    assert call(["data", *words, str(theirs), *out, *NAMES, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["users"] == 8
    assert call(["data", *words, str(theirs), *out]) == 2
    assert "name another with --columns user=NAME" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--columns", "user"], "columns: got user; allowed: OURS=THEIRS"),
        (["--columns", "user=x,item=film"], "column x is missing: got member,film,rating,timestamp"),
        ([*NAMES, "--set", "split=given"], "split: got given; allowed: data with a column split"),
        ([*NAMES, "--set", "split=given", "--set", "split.file=none.csv"], "no such file"),
        ([*NAMES, "--set", "data.min_rating=9"], "data.min_rating: got 9, which leaves too little"),
        ([*NAMES, "--set", "data.min_rating=much"], "data.min_rating: got much; allowed: a number, or none"),
    ],
)
def test_mistakes_get_one_line(
    theirs: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["run", "baseline/popular", "--data", str(theirs), "--set", "data.min_user=0", *words]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_columns_are_named_one_by_one_or_together(theirs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--data", str(theirs), "--set", "split=random-n", "--set", "split.n=2"]
    one_by_one = ["--columns", "user=member", "--columns", "item=film"]
    assert figures([*words, *one_by_one], capsys) == figures([*words, *NAMES], capsys)
    assert call(["data", "describe", str(theirs), *one_by_one, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["users"] == 8
    twice = ["--columns", "user=member", "--columns", "user=rating,item=film"]
    for command in (["run", "baseline/item-knn", "--data", str(theirs)], ["data", "describe", str(theirs)]):
        assert call([*command, *twice]) == 2
        said = "columns: got user=member and user=rating; allowed: each column once"
        assert said in capsys.readouterr().err
    assert call(["run", "baseline/item-knn", *words, "--set", "data.columns=user=member", *NAMES]) == 2
    assert "--columns: got --set data.columns beside it; allowed: one of the two" in capsys.readouterr().err
