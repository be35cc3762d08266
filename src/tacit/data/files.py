"""Reading and writing .csv, .tsv and .parquet files. Every fault of a file becomes one clear line."""

from __future__ import annotations

import csv
import hashlib
import os
import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import TypeVar

import polars as pl

from tacit.core.atomic_files import atomic_write
from tacit.core.errors import BadInput

KINDS = (".csv", ".tsv", ".parquet")
T = TypeVar("T")
_FAULTS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


def header_of(path: Path) -> list[str]:
    """The names of the columns."""
    if path.suffix.lower() not in KINDS:
        got = path.suffix or path
        raise BadInput("file type", got=got, allowed=", ".join(KINDS), where=path)
    if not path.exists():
        raise BadInput("data file", got="no such file", allowed="a name or a path of a file", where=path)
    if not path.is_file():
        raise BadInput("data file", got="a folder", allowed="a .csv, .tsv or .parquet file", where=path)
    if path.stat().st_size == 0:
        raise BadInput("data file", got="an empty file", allowed="a header and rows", where=path)
    if path.suffix.lower() == ".parquet":
        return list(_try(path, lambda: pl.read_parquet_schema(path)))
    if b"\0" in _try(path, lambda: _beginning(path)):
        raise BadInput("text", got="a NUL byte", allowed="UTF-8 without NUL bytes", where=path)
    return _try(path, lambda: _read_text(path, rows=0)).columns


def open_table(path: Path, columns: list[str]) -> pl.DataFrame:
    """These columns of the file; the ones of a text file come as text."""
    if path.suffix.lower() == ".parquet":
        return _try(path, lambda: pl.read_parquet(path, columns=columns))
    return _try(path, lambda: _read_text(path, columns=columns))


def sha256_of(path: Path) -> str:
    """The checksum of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_target(target: Path, source: Path, *, overwrite: bool) -> None:
    """Refuse to replace the file that is read, and any other unless that is wanted."""
    if target.exists() and source.exists() and target.samefile(source):
        raise BadInput("OUT", got=f"{target}, which is the file that is read", allowed="another file")
    if target.exists() and not overwrite:
        raise BadInput("OUT", got=f"{target}, which exists", allowed="a new file, or --overwrite")


def write_table(frame: pl.DataFrame, path: Path) -> None:
    """Write .csv, .tsv or .parquet, whole or not at all."""
    kind = path.suffix.lower()
    if kind not in KINDS:
        raise BadInput("file type", got=kind or path.name, allowed=", ".join(KINDS), where=path)
    try:
        with atomic_write(path) as scratch:
            if kind == ".parquet":
                write_parquet(frame, scratch)
            else:
                frame.write_csv(scratch, separator="\t" if kind == ".tsv" else ",")
    except OSError as error:
        raise BadInput("cannot write", got=error.strerror or error, where=path) from error


def write_parquet(frame: pl.DataFrame, path: Path) -> None:
    """Write Parquet. What the system refuses is an OSError, as with other files; polars has an error of its own."""
    try:
        frame.write_parquet(path)
    except pl.exceptions.ComputeError as error:
        number = re.search(r"os error (\d+)", str(error))
        if number is None:
            raise
        raise OSError(int(number[1]), os.strerror(int(number[1])), str(path)) from None


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(4096)


def _read_text(path: Path, *, rows: int | None = None, columns: list[str] | None = None) -> pl.DataFrame:
    return pl.read_csv(path, separator=separator_of(path), infer_schema=False, n_rows=rows, columns=columns)


def separator_of(path: Path) -> str:
    """What stands most often between the names of the columns: a comma, a semicolon, a tab or a bar."""
    usual = "\t" if path.suffix.lower() == ".tsv" else ","
    with path.open("rb") as file:
        lines = (line.decode("utf-8", "replace") for line in islice(file, 100))
        header = next((line for line in lines if line.strip()), "")
    bare = re.sub(r'"[^"]*"', "", header)
    return max((usual, ",", ";", "\t", "|"), key=bare.count)


def _try(path: Path, read: Callable[[], T]) -> T:
    try:
        return read()
    except _FAULTS as error:
        raise _explained(path, error) from error


def _explained(path: Path, error: BaseException) -> BadInput:
    """The same fault in the user's words, with the line where it can be found."""
    if isinstance(error, OSError) and error.strerror:
        return BadInput("data file", got=error.strerror, allowed="a file that can be read", where=path)
    if path.suffix.lower() == ".parquet":
        return BadInput(
            "data file", got="a damaged file or not Parquet at all", allowed="Parquet", where=path
        )
    if isinstance(error, pl.exceptions.NoDataError):
        return BadInput("data file", got="nothing but blank lines", allowed="a header and rows", where=path)
    line = _not_utf8(path)
    if line:
        return BadInput(
            "text", got="bytes that are not UTF-8", allowed="UTF-8", where=f"{path.name}, line {line}"
        )
    line, found, expected = _ragged(path)
    if line:
        allowed = f"{expected} as in the header"
        return BadInput("fields in a line", got=found, allowed=allowed, where=f"{path.name}, line {line}")
    return BadInput("data file", got="a quote that does not close", allowed="RFC 4180 quotes", where=path)


def _not_utf8(path: Path) -> int:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return number
    return 0


def _ragged(path: Path) -> tuple[int, int, int]:
    """The first line with more fields than the header: its number, its fields, the header's."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file, delimiter=separator_of(path))
        expected = 0
        for fields in reader:
            expected = expected or len(fields)
            if len(fields) > expected:
                return reader.line_num, len(fields), expected
    return 0, 0, 0
