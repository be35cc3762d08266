"""Read interactions from one file or frame, with every row checked.

Columns `user,item[,rating][,timestamp][,lat,lon][,category]`. Ids may be text, a header is required, further columns
are ignored. What cannot be used is refused with the column, the text found there and its line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from tacit.core.errors import BadInput
from tacit.data.files import header_of, open_table

FORMAT = "columns user,item[,rating][,timestamp][,lat,lon][,category] with a header"
NUMBERS = {
    "rating": "a number",
    "timestamp": "Unix seconds, or nothing",
    "lat": "degrees, or nothing",
    "lon": "degrees, or nothing",
}
ABOUT_ITEMS = ("title", "category", "city", "genres", "year")
"""Columns that say something about an item; used where they are there."""
_ROW = "row number"


@dataclass(frozen=True, slots=True)
class Where:
    """What to call a row in a message: line 2 of a text file is its first row."""

    name: str
    unit: str = "row"
    first: int = 1

    def row(self, index: int, more: int = 0) -> str:
        """The place of the row with this index from 0, and how many more rows have the same fault."""
        return f"{self.name}, {self.unit} {index + self.first}" + (f", and {more:,} more" if more else "")


def read_rows(path: Path) -> pl.DataFrame:
    """All rows of a .csv, .tsv or .parquet file in source order; see `check_rows` for what comes out."""
    names = header_of(path)
    wanted = _wanted(names, path.name)
    frame = open_table(path, list(wanted))
    text = path.suffix.lower() != ".parquet"
    return check_rows(frame, Where(path.name, "line", 2) if text else Where(path.name))


def read_items(path: Path) -> pl.DataFrame | None:
    """What `NAME.items.parquet` beside `NAME.parquet` says about the items, if it is there."""
    beside = path.with_name(f"{path.stem}.items.parquet")
    if not beside.is_file():
        return None
    names = header_of(beside)
    if "item" not in names:
        raise BadInput(
            "column item is missing", got=",".join(names), allowed="item[,title] ...", where=beside
        )
    return open_table(beside, names)


def check_rows(frame: pl.DataFrame, where: Where) -> pl.DataFrame:
    """The known columns: user, item (whole numbers or text), rating f32, timestamp i64, lat, lon f64, texts.

    Raises BadInput for anything that is not what a column must hold.
    """
    frame = frame.select(**{new: pl.col(old) for old, new in _wanted(frame.columns, where.name).items()})
    frame = frame.with_row_index(_ROW).filter(~pl.all_horizontal(pl.exclude(_ROW).is_null()))
    if frame.is_empty():
        raise BadInput("data", got="no rows", allowed=f"{FORMAT} and at least one row", where=where.name)
    rows = frame[_ROW]
    columns = [_ids(frame[name], rows, where) for name in ("user", "item")]
    if "rating" in frame.columns:
        columns.append(_ratings(frame["rating"], rows, where))
    else:
        columns.append(pl.repeat(1.0, len(frame), dtype=pl.Float32, eager=True).alias("rating"))
    columns += [
        _optional(frame[name], rows, where) for name in frame.columns if name in ("timestamp", "lat", "lon")
    ]
    columns += [frame[name].cast(pl.String, strict=False) for name in frame.columns if name in ABOUT_ITEMS]
    return pl.DataFrame(columns)


def at_least_two(rows: pl.DataFrame, where: str) -> None:
    """Refuse data with a single user or a single item: there is nothing to learn from each other."""
    for what in ("user", "item"):
        if rows[what].n_unique() < 2:
            raise BadInput(f"{what}s", got=f"only one ({rows[what][0]})", allowed="at least 2", where=where)


def _wanted(names: list[str], where: str) -> dict[str, str]:
    """Which columns are used: their name in the source -> ours. Case and spaces around do not matter."""
    # The reader calls a second column of the same name NAME_duplicated_0.
    clean = [re.sub(r"_duplicated_\d+$", "", name).strip().lower() for name in names]
    for name in ("user", "item"):
        if name not in clean:
            found = ",".join(names)
            hint = ""
            if any(_is_number(name) for name in names):
                hint = "; the first line looks like data: add a header line"
            got = found if len(found) <= 80 else found[:77] + "..."
            raise BadInput(
                f"column {name} is missing", got=got or "nothing", allowed=FORMAT + hint, where=where
            )
    known = {"user", "item", *NUMBERS, *ABOUT_ITEMS}
    if not {"lat", "lon"} <= set(clean):
        known -= {"lat", "lon"}
    for name in known:
        if clean.count(name) > 1:
            raise BadInput(f"column {name}", got="it twice", allowed="each column once", where=where)
    return {name: new for name, new in zip(names, clean, strict=True) if new in known}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _ids(column: pl.Series, rows: pl.Series, where: Where) -> pl.Series:
    if column.dtype.is_float():
        column = column.fill_nan(None)
        whole = column.cast(pl.Int64, strict=False)
        column = whole if (whole == column).all() else column.cast(pl.String)
    elif not column.dtype.is_integer():
        column = _text(column, "whole numbers or text", where)
    if column.null_count():
        raise _at(column.name, "nothing", "whole numbers or text", rows, column.is_null(), where)
    return column


def _ratings(column: pl.Series, rows: pl.Series, where: Where) -> pl.Series:
    numbers = _numbers(column, rows, where).cast(pl.Float32)
    bad = ~numbers.is_finite().fill_null(False)
    if bad.any():
        first = numbers.filter(bad)[0]
        raise _at("rating", "nothing" if first is None else first, "a finite number", rows, bad, where)
    return numbers


def _optional(column: pl.Series, rows: pl.Series, where: Where) -> pl.Series:
    if column.name == "timestamp" and column.dtype in (pl.Date, pl.Datetime):
        return column.dt.epoch("s").cast(pl.Int64)
    if column.name == "timestamp" and column.dtype.is_integer():
        return column.cast(pl.Int64)
    numbers = _numbers(column, rows, where).fill_nan(None)
    if column.name != "timestamp":
        return numbers
    whole = numbers.cast(pl.Int64, strict=False)
    lost = whole.is_null() & numbers.is_not_null()
    if lost.any():
        raise _at("timestamp", numbers.filter(lost)[0], NUMBERS["timestamp"], rows, lost, where)
    return whole


def _numbers(column: pl.Series, rows: pl.Series, where: Where) -> pl.Series:
    """The column as 64-bit numbers; null where nothing stands."""
    if column.dtype.is_numeric() or column.dtype in (pl.Boolean, pl.Null):
        return column.cast(pl.Float64)
    texts = _text(column, NUMBERS[column.name], where)
    numbers = texts.cast(pl.Float64, strict=False)
    bad = numbers.is_null() & texts.is_not_null()
    if bad.any():
        raise _at(column.name, f'"{texts.filter(bad)[0][:40]}"', NUMBERS[column.name], rows, bad, where)
    return numbers


def _text(column: pl.Series, allowed: str, where: Where) -> pl.Series:
    if column.dtype.is_nested() or column.dtype.is_temporal() or column.dtype in (pl.Binary, pl.Object):
        raise BadInput(f"column {column.name}", got=str(column.dtype), allowed=allowed, where=where.name)
    texts = column.cast(pl.String).str.strip_chars()
    return texts.set(texts == "", None)


def _at(name: str, got: object, allowed: str, rows: pl.Series, bad: pl.Series, where: Where) -> BadInput:
    faulty = rows.filter(bad)
    return BadInput(name, got=got, allowed=allowed, where=where.row(int(faulty[0]), len(faulty) - 1))
