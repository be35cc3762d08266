"""From a source to numbered users and items."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.data.dataset import is_path, load


def frame(rows: str, header: str = "user,item,rating,timestamp") -> pl.DataFrame:
    return pl.read_csv(f"{header}\n{rows}".encode(), infer_schema=False)


def test_whole_number_ids_are_in_numeric_order_and_texts_in_their_own() -> None:
    numbers = load(frame("10,200,1,0\n9,30,1,0\n", "user,item,rating,timestamp"))
    assert numbers.user_ids.tolist() == ["9", "10"]
    assert numbers.item_ids.tolist() == ["30", "200"]
    texts = load(frame("10,b,1,0\n9a,B,1,0\n"))
    assert texts.user_ids.tolist() == ["10", "9a"]
    assert texts.item_ids.tolist() == ["B", "b"]


def test_the_table_holds_each_user_s_items_in_ascending_order() -> None:
    data = load(frame("2,8,1,5\n1,9,2,6\n1,7,3,4\n"))
    assert [x.tolist() for x in data.table.of(0)] == [[0, 2], [3.0, 2.0]]
    assert [x.tolist() for x in data.table.of(1)] == [[1], [1.0]]
    assert data.table.order.tolist() == [0, 2, 1]
    assert data.scale == (1.0, 3.0)


def test_without_a_rating_every_interaction_counts_one() -> None:
    data = load(frame("1,2\n2,3\n", "user,item"))
    assert data.table.value.tolist() == [1.0, 1.0]
    assert data.table.time is None
    assert data.events["timestamp"].null_count() == 2


def test_repeated_check_ins_become_one_pair_and_stay_as_events() -> None:
    data = load(frame("1,2,30\n1,3,10\n1,2,20\n2,3,5\n", "user,item,timestamp"))
    assert len(data.table) == 3
    assert data.table.time is not None
    assert data.table.time.tolist() == [30, 10, 5]
    assert data.events.rows() == [(0, 0, 1.0, 30), (0, 1, 1.0, 10), (0, 0, 1.0, 20), (1, 1, 1.0, 5)]
    assert data.notes == ["1 repeated pairs: the latest row of each kept"]


def test_contradictory_ratings_are_refused_unless_the_latest_is_asked_for() -> None:
    twice = frame("1,2,5,10\n2,2,1,1\n7,x,5,10\n7,x,4,9\n7,x,3,10\n")
    with pytest.raises(BadInput, match=r"got 1, the first of them user 7, item x; .*data\.duplicates=latest"):
        load(twice)
    data = load(twice, duplicates="latest")
    assert data.table.of(2)[1].tolist() == [3.0], "the later row where times are equal"


def test_the_same_rating_twice_is_no_contradiction() -> None:
    assert len(load(frame("1,2,5,10\n1,2,5,11\n2,3,1,1\n")).table) == 2


def test_duplicates_error_refuses_every_repeated_pair() -> None:
    with pytest.raises(BadInput, match=r"pairs repeated: got 1"):
        load(frame("1,2,5,10\n1,2,5,11\n2,3,1,1\n"), duplicates="error")
    with pytest.raises(BadInput, match="did you mean latest"):
        load(frame("1,2,5,10\n2,3,1,1\n"), duplicates="lates")


def test_unknown_times_count_as_the_earliest() -> None:
    data = load(frame("1,2,5,\n1,3,5,7\n1,2,5,3\n2,3,1,\n"))
    assert data.table.time is not None
    assert data.table.time.tolist() == [3, 7, -1]
    assert "2 rows without a time" in data.notes[0]


def test_what_is_known_about_items_comes_from_the_rows_and_from_the_file_beside(tmp_path: Path) -> None:
    rows = "user,item,lat,lon,category\n1,7,,,\n2,7,45.5,7.5,park\n2,8,1,2,cafe\n"
    (tmp_path / "places.csv").write_text(rows)
    about = pl.DataFrame({"item": [8, 9], "title": ["Rome (1972)", "nobody went"], "category": ["bar", "x"]})
    about.write_parquet(tmp_path / "places.items.parquet")
    items = load(tmp_path / "places.csv").items
    assert items["item"].to_list() == ["7", "8"]
    assert items["lat"].to_list() == [45.5, 1.0]
    assert items["category"].to_list() == ["park", "bar"]
    assert items["title"].to_list() == [None, "Rome (1972)"]
    assert items["year"].to_list() == [None, 1972]


def test_a_user_with_a_single_rating_is_kept() -> None:
    assert load(frame("1,2,5,1\n1,3,5,1\n2,3,1,1\n")).table.counts.tolist() == [2, 1]


def test_the_checksum_is_of_the_contents() -> None:
    first, second = frame("1,2,5,10\n2,3,1,1\n"), frame("1,2,5,10\n2,3,2,1\n")
    assert load(first).sha256 == load(first).sha256 != load(second).sha256


def test_names_and_paths_are_told_apart() -> None:
    assert is_path("ratings.csv")
    assert is_path("folder/ratings")
    assert is_path(Path("anything"))
    assert not is_path("movielens-100k")


def test_a_name_is_looked_for_in_the_folder_of_tacit_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame("1,2,5,10\n2,3,1,1\n1,2,4,11\n").write_parquet(tmp_path / "club.parquet")
    monkeypatch.setenv("TACIT_DATA", str(tmp_path))
    data = load("club")
    assert data.name == "club"
    assert data.table.of(0)[1].tolist() == [4.0], "a named source may rate twice: the latest counts"
    assert data.counts()["interactions"] == 2
