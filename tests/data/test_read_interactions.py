"""What a user hears about a file that cannot be used, and what is accepted without a word."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.errors import BadInput
from tacit.data.dataset import load
from tacit.data.read_interactions import Where, check_rows, read_rows

GOOD = "user,item,rating,timestamp\n1,10,4,100\n1,11,5,101\n2,10,3,102\n"


def written(folder: Path, text: str | bytes, name: str = "ratings.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty file"),
        ("\n\n", "nothing but blank lines"),
        ("user,item,rating\n", "no rows"),
        ("user,rating\n1,2\n", "column item is missing: got user,rating"),
        ("1,10,4,100\n1,11,5,101\n", "the first line looks like data: add a header line"),
        ("member;item\n1;2\n", "column user is missing: got member,item; allowed: columns user,item"),
        ("member,item\n1,2\n", "name another with --columns user=NAME"),
        ("user,item,item\n1,2,3\n", "column item"),
        (
            "user,item,rating\n1,10,4\n2,11,five\n",
            'rating: got "five"; allowed: a number (ratings.csv, line 3)',
        ),
        ("user,item,rating\n1,10,4\n\n2,11,five\n", "(ratings.csv, line 4)"),
        ("user,item,rating\n1,10,x\n2,11,y\n", "(ratings.csv, line 2, and 1 more)"),
        (
            "user,item,rating\n1,10,4\n2,11,nan\n",
            "rating: got nan; allowed: a finite number (ratings.csv, line 3)",
        ),
        (
            "user,item,rating\n1,10,inf\n2,11,1\n",
            "rating: got inf; allowed: a finite number (ratings.csv, line 2)",
        ),
        ("user,item,rating\n1,10,1e300\n2,11,1\n", "a finite number (ratings.csv, line 2)"),
        (
            "user,item,rating\n1,10,\n2,11,1\n",
            "rating: got nothing; allowed: a finite number (ratings.csv, line 2)",
        ),
        (
            "user,item,timestamp\n1,10,2001-01-01\n2,11,5\n",
            'timestamp: got "5"; allowed: Unix seconds in all rows, or dates in all rows, such as "2001-01-01" '
            "(ratings.csv, line 3)",
        ),
        (
            "user,item,timestamp\n1,10,2001-01-01\n2,11,01/02/2001\n",
            'timestamp: got "01/02/2001"; allowed: Unix seconds, an ISO date',
        ),
        ("user,item,timestamp\n1,10,1e40\n2,11,5\n", "timestamp: got 1e+40"),
        ("user,item,lat,lon\n1,10,north,5\n2,11,5,5\n", 'lat: got "north"'),
        ("user,item\n,10\n2,11\n", "user: got nothing"),
        ("user,item\n1,10\n2, \n", "item: got nothing; allowed: whole numbers or text (ratings.csv, line 3)"),
        (
            "user,item\n1,10\n2,11,7\n",
            "fields in a line: got 3; allowed: 2 as in the header (ratings.csv, line 3)",
        ),
        ('user,item\n1,"10\n2,11\n', "a quote that does not close"),
        (b"user,item\n1,caf\xe9\n2,b\n", "not UTF-8; allowed: UTF-8 (ratings.csv, line 2)"),
        ("user,item\n1,10\n".encode("utf-16"), "a NUL byte; allowed: UTF-8 without NUL bytes"),
        (b"user,item\n1,\x002\n", "a NUL byte"),
        ('user,item,rating\n1,10,"4,5"\n2,11,4\n', 'rating: got "4,5"; allowed: a number'),
        ("user;item;rating\n1;10;4,5\n2;11;4.5\n", 'rating: got "4,5"; allowed: a number'),
        ("user;item;rating\n1;10;4,5\n2;11;4,5,5\n", 'rating: got "4,5,5"; allowed: a number'),
        ("user,item\n1,10\n1,11\n", "users: got only one (1); allowed: at least 2"),
        ("user,item\n1,10\n1,11\n", "name another column with --columns user=NAME if this one is not meant"),
        ("user,item\n1,10\n2,10\n", "items: got only one (10); allowed: at least 2"),
    ],
)
def test_a_bad_file_is_refused_in_one_clear_line(tmp_path: Path, text: str | bytes, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        load(written(tmp_path, text))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"file type: got \.xlsx; allowed: \.csv, \.tsv, \.parquet"):
        load(written(tmp_path, "x", "ratings.xlsx"))
    with pytest.raises(BadInput, match="no such file"):
        load(tmp_path / "missing.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(BadInput, match="a folder"):
        load(tmp_path / "folder.csv")


def test_a_damaged_parquet_file_is_refused_wherever_it_is_cut(tmp_path: Path) -> None:
    whole = tmp_path / "whole.parquet"
    pl.DataFrame({"user": range(500), "item": range(500)}).write_parquet(whole)
    content = whole.read_bytes()
    damaged = [
        content[:100],
        content[: len(content) // 2],
        content[:-4],
        b"PAR1" + bytes(200) + b"PAR1",
        b"text",
    ]
    for number, part in enumerate(damaged):
        with pytest.raises(BadInput, match="damaged file or not Parquet"):
            load(written(tmp_path, part, f"cut{number}.parquet"))


def pieces() -> st.SearchStrategy[bytes]:
    """Text that is nearly a table."""
    fields = st.sampled_from(
        ["user", "item", "rating", "1", "2", "x", "", " ", '"', "nan", "1e400", "-0", "\x00", "é"]
    )
    breaks = st.sampled_from([",", ",", "\n", "\r\n", "\t", "\n\n"])
    text = st.lists(st.tuples(fields, breaks), max_size=30).map(
        lambda parts: "".join(a + b for a, b in parts)
    )
    return st.tuples(st.sampled_from(["", "user,item\n", "user,item,rating\n"]), text).map(
        lambda t: (t[0] + t[1]).encode()
    )


@settings(max_examples=300)
@given(st.one_of(st.binary(max_size=200), pieces()), st.sampled_from([".csv", ".tsv", ".parquet"]))
def test_any_file_is_read_or_refused(content: bytes, kind: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            data = load(written(Path(folder), content, f"any{kind}"))
        except BadInput:
            return
    assert data.users >= 2
    assert len(data.table) == data.table.start[-1]


def test_what_does_not_matter(tmp_path: Path) -> None:
    """Case, spaces around names and values, CRLF, a byte-order mark, blank lines, further columns."""
    text = "\ufeffUser, ITEM ,rating,timestamp,mood\n1,10, 4,100,x\n\n 1 ,11,5,101,y\n2,10,3,102,z\n\n"
    text = text.replace("\n", "\r\n")
    odd = read_rows(written(tmp_path, text, "odd.csv"))
    assert odd.equals(read_rows(written(tmp_path, GOOD)))
    assert odd.columns == ["user", "item", "rating", "timestamp"]


def test_the_three_file_types_and_a_frame_give_the_same_table(tmp_path: Path) -> None:
    csv = load(written(tmp_path, GOOD, "good.csv"))
    tsv = load(written(tmp_path, GOOD.replace(",", "\t"), "good.tsv"))
    frame = pl.read_csv(GOOD.encode())
    frame.write_parquet(tmp_path / "good.parquet")
    parquet = load(tmp_path / "good.parquet")
    for other in (tsv, parquet, load(frame)):
        assert other.user_ids.tolist() == csv.user_ids.tolist() == ["1", "2"]
        assert other.item_ids.tolist() == csv.item_ids.tolist() == ["10", "11"]
        assert other.table.value.tolist() == csv.table.value.tolist() == [4.0, 5.0, 3.0]
        assert other.events.equals(csv.events)


def test_columns_of_a_frame_may_have_other_types() -> None:
    frame = pl.DataFrame(
        {
            "user": [1.0, 2.0],
            "item": pl.Series(["b", "a"], dtype=pl.Categorical),
            "rating": [True, False],
            "timestamp": [datetime(1970, 1, 2, tzinfo=UTC), None],
        }
    )
    rows = check_rows(frame, Where("frame"))
    assert rows.rows() == [(1, "b", 1.0, 86400), (2, "a", 0.0, None)]


def test_an_id_column_of_lists_is_refused() -> None:
    with pytest.raises(BadInput, match="column item: got List"):
        load(pl.DataFrame({"user": [1, 2], "item": [[1], [2]]}))


def test_lat_without_lon_is_ignored(tmp_path: Path) -> None:
    assert "lat" not in read_rows(written(tmp_path, "user,item,lat\n1,2,3\n2,3,4\n")).columns


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2001-01-01", 978307200),
        ("2001-01-01 00:00:01", 978307201),
        ("2001-01-01T00:00:01Z", 978307201),
        ("2001-01-01T01:00:01.9+01:00", 978307201),
        ("1969-12-31T23:59:50", -10),
    ],
)
def test_iso_dates_are_unix_seconds(tmp_path: Path, text: str, seconds: int) -> None:
    rows = read_rows(written(tmp_path, f"user,item,timestamp\n1,10,{text}\n2,11,\n"))
    assert rows["timestamp"].to_list() == [seconds, None]


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_semicolons_tabs_and_bars_in_a_csv_file(tmp_path: Path, separator: str) -> None:
    other = read_rows(written(tmp_path, GOOD.replace(",", separator), "other.csv"))
    assert other.equals(read_rows(written(tmp_path, GOOD)))


def test_decimal_commas_between_semicolons(tmp_path: Path) -> None:
    text = "user;item;rating;lat;lon\n1;10;4,5;48,25;-3\n1;11;3;48,5;\n2;10;2,25;;-2,5\n"
    rows = read_rows(written(tmp_path, text))
    assert rows["rating"].to_list() == [4.5, 3.0, 2.25]
    assert rows["lat"].to_list() == [48.25, 48.5, None]
    assert rows["lon"].to_list() == [-3.0, None, -2.5]


def test_a_quoted_name_does_not_choose_the_separator(tmp_path: Path) -> None:
    text = 'user;item;"a, b, and c, too"\n1;2;x\n3;4;y\n'
    assert read_rows(written(tmp_path, text)).rows() == [("1", "2", 1.0), ("3", "4", 1.0)]
    ragged = "user;item\n1;2\n3;4;5\n"
    with pytest.raises(BadInput, match="fields in a line: got 3; allowed: 2"):
        read_rows(written(tmp_path, ragged))


def test_movielens_own_names_are_read_with_a_note(tmp_path: Path) -> None:
    data = load(written(tmp_path, GOOD.replace("user,item", "userId,movieId")))
    assert data.table.value.tolist() == [4.0, 5.0, 3.0]
    assert data.notes == ["columns read by another name: userId as user, movieId as item"]


def test_columns_as_somebody_calls_them(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD.replace("user,item,rating", "who,what,stars"))
    named = load(path, columns="user=who,item=what,rating=stars")
    assert named.table.value.tolist() == [4.0, 5.0, 3.0]
    assert named.notes == []
    assert named.events.equals(load(written(tmp_path, GOOD)).events)
