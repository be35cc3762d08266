from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.data.dataset import Dataset, load
from tacit.data.disclosure_file import may_leave, read_pi, read_type

USERS = np.array(["ann", "bob", "7"], dtype=np.dtypes.StringDType())


def write(folder: Path, text: str) -> str:
    (folder / "pi.csv").write_text(text)
    return str(folder / "pi.csv")


def test_one_number_for_all() -> None:
    assert read_pi(1.0, USERS) == (None, [])
    each, _ = read_pi(0.25, USERS)
    assert each is not None
    assert each.tolist() == [0.25] * 3


def test_a_file_gives_each_user_their_own(tmp_path: Path) -> None:
    each, notes = read_pi(write(tmp_path, "user,pi\nbob,0.5\n7,0\n"), USERS)
    assert each is not None
    assert each.tolist() == [0, 0.5, 0]
    assert notes == ["1 of 3 users are not in pi.csv: they disclose nothing (pi 0)"]


def test_a_file_in_which_all_disclose_all(tmp_path: Path) -> None:
    assert read_pi(write(tmp_path, "user,pi\nbob,1\nann,1.0\n7,1\n"), USERS) == (None, [])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("user,pi\neve,0.5\n", r"^pi: got user eve; allowed: users of the data set"),
        ("user,pi\nbob,1.5\n", r"^pi: got 1.5 for user bob; allowed: a number from 0, at most 1"),
        ("user,pi\nbob,much\n", r"^pi: got much for user bob; allowed: a number from 0, at most 1"),
        ("user,pi\nbob,\n", r"^pi: got None for user bob"),
        ("user,pi\nbob,1\nbob,0\n", r"^pi: got user bob twice; allowed: each user once"),
        (
            "name,pi\nbob,1\n",
            r"^pi: got columns name, pi; allowed: a .csv, .tsv or .parquet file with columns user,pi",
        ),
    ],
)
def test_bad_files_get_one_clear_line(tmp_path: Path, text: str, line: str) -> None:
    with pytest.raises(BadInput, match=line):
        read_pi(write(tmp_path, text), USERS)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(BadInput, match=r"^pi: got nowhere.csv; allowed: .*cannot be read"):
        read_pi("nowhere.csv", USERS)


FILMS = pl.DataFrame(
    {
        "user": ["ann", "ann", "ann", "bob", "bob"],
        "item": ["a", "b", "c", "a", "c"],
        "rating": [5.0, 3.0, 1.0, 4.0, 2.0],
        "genres": ["Comedy|Drama", "Drama", "Horror", "Comedy|Drama", "Horror"],
    }
)


def films(**columns: list[str]) -> Dataset:
    return load(FILMS.with_columns(pl.Series(name, values) for name, values in columns.items()))


def let_out(value: str, data: Dataset) -> set[str]:
    mask = may_leave(value, data)
    assert mask is not None
    table = data.table
    names = zip(data.user_ids[table.user].tolist(), data.item_ids[table.item].tolist(), strict=True)
    return {f"{user} {item}" for (user, item), may in zip(names, mask, strict=True) if may}


def test_everything_may_leave_unless_told_otherwise() -> None:
    assert may_leave("all", films()) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("likes", {"ann a", "bob a"}),
        ("likes:3", {"ann a", "ann b", "bob a"}),
        ("category:Drama", {"ann a", "ann b", "bob a"}),
        ("category:Comedy, Horror", {"ann a", "ann c", "bob a", "bob c"}),
        ("not:Horror", {"ann a", "ann b", "bob a"}),
    ],
)
def test_by_kind(value: str, expected: set[str]) -> None:
    assert let_out(value, films()) == expected


def test_a_category_goes_before_genres() -> None:
    data = films(category=["Food", "Food", "Home", "Food", "Home"])
    assert let_out("not:Home", data) == {"ann a", "ann b", "bob a"}
    with pytest.raises(BadInput, match=r"^disclose: category: got Drama; .*known: Food, Home"):
        may_leave("category:Drama", data)


def test_what_each_keeps_back(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("user,item\nann,a\nbob,c\n")
    assert let_out(str(tmp_path / "mine.csv"), films()) == {"ann b", "ann c", "bob a"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("user,item\neve,a\n", r"^disclose: got user eve; allowed: those of the data set"),
        ("user,item\nbob,z\n", r"^disclose: got item z; allowed: those of the data set"),
        ("user,item\nbob,b\n", r"^disclose: got item b of user bob; allowed: items that the user has"),
        ("user\nbob\n", r"^disclose: got columns user; allowed: .* with columns user,item"),
    ],
)
def test_bad_lists_get_one_clear_line(tmp_path: Path, text: str, line: str) -> None:
    (tmp_path / "mine.csv").write_text(text)
    with pytest.raises(BadInput, match=line):
        may_leave(str(tmp_path / "mine.csv"), films())


def test_kinds_that_the_data_cannot_tell() -> None:
    with pytest.raises(BadInput, match=r"^disclose: got likes; allowed: data with ratings that differ"):
        may_leave("likes", load(FILMS.drop("rating")))
    with pytest.raises(BadInput, match=r"^disclose: got no item category; allowed: data with a column"):
        may_leave("category:Drama", load(FILMS.drop("genres")))
    with pytest.raises(BadInput, match=r"^disclose: got likes:9; allowed: likes:RATING with a rating from 1"):
        may_leave("likes:9", films())


@pytest.mark.parametrize("text", ["some", "likes:", "likes:much", "category:", "category:a,,b", "not: ", ""])
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - users get the words of the setting
        read_type(text)
