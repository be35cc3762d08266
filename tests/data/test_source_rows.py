from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.data.dataset import Dataset, load, to_rows
from tacit.data.source_rows import saved_rows

FRAME = pl.DataFrame(
    {
        "user": [3, 3, 11, 11],
        "item": ["x", "y", "x", "z"],
        "rating": [1.0, 4.0, 5.0, 2.0],
        "timestamp": [5, None, 7, 8],
        "title": ["X", "Y", "X", None],
        "split": ["train", "test", "train", "odd"],
    }
)


def same(one: Dataset, other: Dataset) -> bool:
    return (
        one.events.equals(other.events)
        and one.items.equals(other.items)
        and one.table.value.tolist() == other.table.value.tolist()
        and one.user_ids.tolist() == other.user_ids.tolist()
        and one.whole_ids == other.whole_ids
    )


def test_rows_are_saved_and_read_again(tmp_path: Path) -> None:
    rows = to_rows(FRAME)
    rows.save(tmp_path)
    again = saved_rows(tmp_path, "frame")
    assert again is not None
    assert again.sha256 == rows.sha256
    assert same(load(again), load(FRAME))
    assert saved_rows(tmp_path / "elsewhere", "frame") is None


def test_a_data_set_is_data_again(tmp_path: Path) -> None:
    data = load(FRAME)
    again = load(data)
    assert same(again, data)
    rows = to_rows(data)
    rows.save(tmp_path)
    saved = saved_rows(tmp_path, "frame")
    assert saved is not None
    assert saved.sha256 == rows.sha256, "titles are beside the rows, and the rows are the same"
    assert same(load(saved), data)


def test_a_data_set_knows_where_all_of_it_is(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    FRAME.write_csv(path)
    whole = load(path)
    assert whole.origin == str(path)
    assert to_rows(whole).sha256 == whole.sha256, "the same data, whichever way they are given"
    part = load(path, min_rating=2)
    assert part.origin is None
    assert to_rows(part).sha256 != whole.sha256
    assert load(FRAME).origin is None


def test_ids_are_numbers_where_the_source_has_numbers(tmp_path: Path) -> None:
    assert load(FRAME).ids("user").to_list() == [3, 11]
    assert load(FRAME).ids("item").to_list() == ["x", "y", "z"]
    assert load(FRAME.with_columns(pl.col("user").cast(pl.String))).ids("user").to_list() == ["3", "11"]
    text = tmp_path / "mine.csv"
    text.write_text("user,item\n3,07\n11,8\n")
    assert load(text).ids("user").to_list() == [3, 11], "a text file does not say"
    assert load(text).ids("item").to_list() == ["07", "8"], "07 is not how a number is written"


def test_a_rating_threshold() -> None:
    data = load(FRAME, min_rating=2)
    assert data.table.value.tolist() == [4.0, 5.0, 2.0]
    assert data.notes[0] == "ratings from 2 count as liked: 3 of 4 rows kept"
    assert load(FRAME, min_rating=1).notes == load(FRAME).notes
    with pytest.raises(BadInput, match=r"data.min_rating: got 5, which leaves too little; allowed: 1 to 5"):
        load(FRAME, min_rating=5)


def test_an_option_that_does_not_exist() -> None:
    with pytest.raises(BadInput, match=r"load: got min_users; did you mean min_user\?"):
        load(FRAME, min_users=3)  # type: ignore[call-arg]


def test_a_data_set_is_shown_in_a_line() -> None:
    assert repr(load(FRAME)) == "<Dataset frame: 2 users, 3 items, 4 interactions>"
