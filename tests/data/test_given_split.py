"""A split that is given is used as it is, and a split that is written is given again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.errors import BadInput
from tacit.data.dataset import load
from tacit.data.given_split import given_split, parts_table
from tacit.data.splits import split

PAIRS = [(u, f"i{i}") for u in (2, 7, 10) for i in range(6)]
WORDS = ["train", "train", "train", "test", "validation", " Test "]


def frame(words: list[str | None] = WORDS * 3) -> pl.DataFrame:  # type: ignore[assignment]
    rows = pl.DataFrame(PAIRS, schema=["user", "item"], orient="row")
    return rows.with_columns(split=pl.Series(words), timestamp=pl.int_range(18))


def test_a_column_decides() -> None:
    parts = given_split(load(frame()), None, seed=0, validation=False)
    assert parts.to_json() == {"kind": "given", "train": 9, "test": 6}
    assert parts.train.item.tolist() == [0, 1, 2] * 3
    assert parts.test.item.tolist() == [3, 5] * 3
    assert parts.notes == ["3 validation rows are neither trained on nor measured"]


def test_given_validation_rows_are_used_while_tuning() -> None:
    parts = given_split(load(frame()), None, seed=0, validation=True)
    assert parts.validation is not None
    assert parts.validation.item.tolist() == [4] * 3
    assert parts.train.item.tolist() == [0, 1, 2] * 3


def test_without_given_validation_rows_some_training_rows_are_held_out() -> None:
    words = ["train", "train", "train", "train", "train", "test"] * 3
    parts = given_split(load(frame(words)), None, seed=0, validation=True)
    assert parts.validation is not None
    assert parts.validation.counts.tolist() == [1, 1, 1]
    assert parts.train.counts.tolist() == [4, 4, 4]
    assert parts.test.item.tolist() == [5, 5, 5]


def test_the_order_of_rows_makes_no_difference() -> None:
    shuffled = frame().sample(fraction=1, shuffle=True, seed=5)
    one, other = (given_split(load(rows), None, seed=0, validation=False) for rows in (frame(), shuffled))
    assert one.test.item.tolist() == other.test.item.tolist()
    assert one.train.start.tolist() == other.train.start.tolist()


@pytest.mark.parametrize("kind", [".csv", ".tsv", ".parquet"])
def test_a_file_decides(tmp_path: Path, kind: str) -> None:
    held = pl.DataFrame({"user": [7, 2, 99], "item": ["i4", "i0", "i1"]})
    path = tmp_path / f"held{kind}"
    if kind == ".parquet":
        held.write_parquet(path)
    else:
        held.write_csv(path, separator="\t" if kind == ".tsv" else ",")
    parts = given_split(load(frame().drop("split")), str(path), seed=0, validation=False)
    assert parts.test.counts.tolist() == [1, 1, 0]
    assert parts.test.item.tolist() == [0, 4]
    assert len(parts.train) == 16
    assert parts.notes == ["1 of 3 pairs in held.parquet are not in the data".replace(".parquet", kind),
                           "1 of 3 users have no test part"]  # fmt: skip
    assert parts.parameters["file"] == str(path)


def test_a_file_with_a_column_split_wins_over_the_data_s_own(tmp_path: Path) -> None:
    path = tmp_path / "parts.csv"
    path.write_text("user,item,split\n2,i0,test\n2,i1,validation\n7,i0,train\n")
    parts = given_split(load(frame()), str(path), seed=0, validation=True)
    assert parts.test.item.tolist() == [0]
    assert parts.validation is not None
    assert parts.validation.item.tolist() == [1]
    assert len(parts.train) == 16


def test_mistakes(tmp_path: Path) -> None:
    with pytest.raises(
        BadInput, match=r"split: got given; allowed: data with a column split, or --set split.file"
    ):
        given_split(load(frame().drop("split")), None, seed=0, validation=False)
    with pytest.raises(
        BadInput, match='column split: got "dev" in 3 rows; allowed: train, test or validation'
    ):
        given_split(
            load(frame(["train", "train", "train", "test", "test", "dev"] * 3)),
            None,
            seed=0,
            validation=False,
        )
    with pytest.raises(BadInput, match="column split: got nothing in 3 rows"):
        given_split(
            load(frame([None, "train", "train", "train", "test", "test"] * 3)), None, seed=0, validation=False
        )
    with pytest.raises(BadInput, match="given, without any test row"):
        given_split(load(frame(["train"] * 18)), None, seed=0, validation=False)
    for nobody in (["test"] * 18, ["Test", "validation"] * 9):
        with pytest.raises(BadInput, match="given, without any training row; allowed: train in some rows"):
            given_split(load(frame(nobody)), None, seed=0, validation=False)
    path = tmp_path / "other.csv"
    path.write_text("user,item\n5,q\n6,r\n")
    with pytest.raises(BadInput, match=r"split\.file: got no pair that is in the data"):
        given_split(load(frame()), str(path), seed=0, validation=False)
    path.write_text("user,item,split\n2,i0,exam\n7,i0,test\n")
    with pytest.raises(BadInput, match='column split: got "exam"'):
        given_split(load(frame()), str(path), seed=0, validation=False)
    with pytest.raises(BadInput, match="no such file"):
        given_split(load(frame()), str(tmp_path / "none.csv"), seed=0, validation=False)


def test_another_column_of_that_name_hurts_nobody_who_does_not_ask_for_it() -> None:
    data = load(frame(["left", None] * 9))
    assert data.given is not None
    assert len(split(data.table, "random-n", seed=0, n=2).test) == 6


@given(st.integers(0, 99), st.sampled_from(["random-n", "random-share", "temporal"]), st.booleans())
def test_what_is_written_is_given_again(seed: int, kind: str, validation: bool) -> None:
    data = load(frame().drop("split"))
    drawn = split(
        data.table, kind, seed=seed, n=2, share=None if kind == "random-n" else 0.4, validation=validation
    )
    written = parts_table(data, drawn)
    again = given_split(load(written), None, seed=0, validation=validation)
    for name in ("train", "test", "validation"):
        one, other = getattr(drawn, name), getattr(again, name)
        assert (one is None) == (other is None)
        if one is not None:
            assert np.array_equal(one.start, other.start)
            assert np.array_equal(one.item, other.item)
            assert np.array_equal(one.time, other.time)


def test_users_with_nothing_to_train_on_are_told() -> None:
    words = ["test"] * 6 + WORDS * 2
    parts = given_split(load(frame(words)), None, seed=0, validation=False)  # type: ignore[arg-type]
    assert "1 users have test rows and nothing to train on" in parts.notes
