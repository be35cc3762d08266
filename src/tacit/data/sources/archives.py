"""Reading members of .zip, .tar.gz and .gz archives, or a plain file that was unpacked already."""

from __future__ import annotations

import gzip
import io
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import IO, NamedTuple

import polars as pl


class Parsed(NamedTuple):
    """What an archive holds in the contract's columns."""

    rows: pl.DataFrame
    items: pl.DataFrame | None = None


class NotInArchive(Exception):  # noqa: N818
    """The archive has no such member."""


@contextmanager
def member(archive: Path, *patterns: str) -> Iterator[IO[bytes]]:
    """The bytes of the first member whose file name matches a pattern; earlier patterns go first.

    An archive that is a plain file is its own only member.
    """
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            name = _pick(packed.namelist(), patterns, archive)
            with packed.open(name) as file:
                yield file
    elif tarfile.is_tarfile(archive):
        with tarfile.open(archive) as packed_tar:
            found = packed_tar.extractfile(_pick(packed_tar.getnames(), patterns, archive))
            if found is None:
                raise NotInArchive(f"{archive.name} has no file {patterns[0]}")
            with found:
                yield found
    elif archive.suffix == ".gz":
        with gzip.open(archive) as file:
            yield io.BufferedReader(file)
    else:
        _pick([archive.name], patterns, archive)
        with archive.open("rb") as file:
            yield file


@contextmanager
def unpacked(archive: Path, *patterns: str) -> Iterator[Path]:
    """The same as a file on disk, for readers that go through files larger than memory."""
    with tempfile.TemporaryDirectory() as folder, member(archive, *patterns) as source:
        path = Path(folder) / "member"
        with path.open("wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
        yield path


def _pick(names: list[str], patterns: tuple[str, ...], archive: Path) -> str:
    for pattern in patterns:
        for name in names:
            if fnmatch(name.rsplit("/", 1)[-1], pattern) and "__MACOSX" not in name:
                return name
    raise NotInArchive(f"{archive.name} has no file {' or '.join(patterns)}")


def columns(content: bytes, names: list[str], separator: str = "\t") -> pl.DataFrame:
    """Headerless text as columns of text; quotes mean nothing."""
    schema = dict.fromkeys(names, pl.String)
    return pl.read_csv(content, separator=separator, has_header=False, schema=schema, quote_char=None)


def numbers(frame: pl.DataFrame) -> pl.DataFrame:
    """Whole-number ids, rating and timestamp as numbers."""
    kinds = {"user": pl.Int32, "item": pl.Int32, "rating": pl.Float32, "timestamp": pl.Int64}
    return frame.cast({name: kind for name, kind in kinds.items() if name in frame.columns})


def active(rows: pl.DataFrame, least: int) -> pl.DataFrame:
    """The rows of users with at least that many."""
    return rows.filter(pl.len().over("user") >= least)
