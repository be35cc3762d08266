"""Read interactions from one file or frame, with every row checked.

Columns `user,item[,rating][,timestamp][,lat,lon][,category][,split]`. Ids may be text, a header is required, further
columns are ignored (`columns.py` tells them apart). Times are Unix seconds or ISO dates. What cannot be used is refused
with the column, the text found there and its line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from tacit.core.errors import BadInput
from tacit.data.columns import ABOUT_ITEMS, FORMAT, NUMBERS, pick
from tacit.data.files import header_of, open_table, separator_of

TEXTS = (*ABOUT_ITEMS, "split")
Columns = str | Mapping[str, str] | None
"""What a user says about columns: see `columns.parse_columns`."""
_ROW = "row number"


@dataclass(frozen=True, slots=True)
class Where:
    """What to call a row in a message: line 2 of a text file is its first row."""

    name: str
    unit: str = "row"
    first: int = 1
    decimal_commas: bool = False
    """Whether numbers may be written as 4,5: in a text file with semicolons between its columns."""

    def row(self, index: int, more: int = 0) -> str:
        """The place of the row with this index from 0, and how many more rows have the same fault."""
        return f"{self.name}, {self.unit} {index + self.first}" + (f", and {more:,} more" if more else "")


def read_rows(path: Path, columns: Columns = None) -> pl.DataFrame:
    """All rows of a .csv, .tsv or .parquet file in source order; see `check_rows` for what comes out."""
    used = pick(header_of(path), path.name, columns)
    frame = open_table(path, list(used))
    return check_rows(frame, rows_of(path), columns)


def rows_of(path: Path) -> Where:
    """What to call a row of a file."""
    if path.suffix.lower() == ".parquet":
        return Where(path.name)
    return Where(path.name, "line", 2, separator_of(path) == ";")


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


def check_rows(frame: pl.DataFrame, where: Where, columns: Columns = None) -> pl.DataFrame:
    """The known columns: user, item (whole numbers or text), rating f32, timestamp i64, lat, lon f64, texts.

    Raises BadInput for anything that is not what a column must hold.
    """
    frame = frame.select(
        **{new: pl.col(old) for old, new in pick(frame.columns, where.name, columns).items()}
    )
    frame = frame.with_row_index(_ROW).filter(~pl.all_horizontal(pl.exclude(_ROW).is_null()))
    if frame.is_empty():
        raise BadInput("data", got="no rows", allowed=f"{FORMAT} and at least one row", where=where.name)
    rows = frame[_ROW]
    found = [_ids(frame[name], rows, where) for name in ("user", "item")]
    if "rating" in frame.columns:
        found.append(_ratings(frame["rating"], rows, where))
    else:
        found.append(pl.repeat(1.0, len(frame), dtype=pl.Float32, eager=True).alias("rating"))
    found += [
        _optional(frame[name], rows, where) for name in frame.columns if name in ("timestamp", "lat", "lon")
    ]
    found += [frame[name].cast(pl.String, strict=False) for name in frame.columns if name in TEXTS]
    return pl.DataFrame(found)


def at_least_two(rows: pl.DataFrame, where: str) -> None:
    """Refuse data with a single user or a single item: there is nothing to learn from each other."""
    for what in ("user", "item"):
        if rows[what].n_unique() < 2:
            allowed = f"at least 2; name another column with --columns {what}=NAME if this one is not meant"
            raise BadInput(f"{what}s", got=f"only one ({rows[what][0]})", allowed=allowed, where=where)


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
    if column.name == "timestamp" and not column.dtype.is_numeric():
        dates = _dates(_text(column, NUMBERS["timestamp"], where), rows, where)
        if dates is not None:
            return dates
    numbers = _numbers(column, rows, where).fill_nan(None)
    if column.name != "timestamp":
        return numbers
    whole = numbers.cast(pl.Int64, strict=False)
    lost = whole.is_null() & numbers.is_not_null()
    if lost.any():
        raise _at("timestamp", numbers.filter(lost)[0], NUMBERS["timestamp"], rows, lost, where)
    return whole


def _dates(texts: pl.Series, rows: pl.Series, where: Where) -> pl.Series | None:
    """ISO dates and times as Unix seconds, without a zone as UTC; None where the column holds no date."""
    given = texts.is_not_null()
    other = given & texts.cast(pl.Float64, strict=False).is_null()
    if not other.any():
        return None
    found = {text: _seconds(text) for text in texts.filter(other).unique().to_list()}
    bad = other & texts.is_in([text for text, seconds in found.items() if seconds is None])
    if not bad.any() and (given & ~other).any():
        allowed = f'Unix seconds in all rows, or dates in all rows, such as "{texts.filter(other)[0][:40]}"'
        numbers = given & ~other
        raise _at("timestamp", f'"{texts.filter(numbers)[0][:40]}"', allowed, rows, numbers, where)
    if bad.any():
        raise _at("timestamp", f'"{texts.filter(bad)[0][:40]}"', NUMBERS["timestamp"], rows, bad, where)
    return texts.replace_strict(found, default=None, return_dtype=pl.Int64)


def _seconds(text: str) -> int | None:
    try:
        moment = datetime.fromisoformat(text)
        return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() // 1)
    except (ValueError, OverflowError):
        return None


def _numbers(column: pl.Series, rows: pl.Series, where: Where) -> pl.Series:
    """The column as 64-bit numbers; null where nothing stands."""
    if column.dtype.is_numeric() or column.dtype in (pl.Boolean, pl.Null):
        return column.cast(pl.Float64)
    texts = _text(column, NUMBERS[column.name], where)
    commas = where.decimal_commas and not texts.str.contains(".", literal=True).any()
    written = texts.str.replace(",", ".", literal=True) if commas else texts
    numbers = written.cast(pl.Float64, strict=False)
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
