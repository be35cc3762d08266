"""`SourceRows`: every row of a data set as its source has it, checked, before anything is filtered or numbered."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from tacit.core.errors import BadInput
from tacit.data.columns import recognized
from tacit.data.files import KINDS, header_of, open_table, sha256_of, write_table
from tacit.data.foreign_tables import Table, as_frame, has_order
from tacit.data.item_metadata import with_bars
from tacit.data.read_interactions import Columns, Where, check_rows, read_items, read_rows
from tacit.data.sources.download import Progress
from tacit.data.sources.locate import find
from tacit.data.synthetic import Synthetic, generate

SAVED, SAVED_ITEMS = "data.parquet", "data.items.parquet"
"""Rows that came from no file, in the folder of a run on them."""


@dataclass(frozen=True, slots=True, eq=False)
class SourceRows:
    """Checked rows and where they come from."""

    name: str
    sha256: str
    """Of the source file's bytes; of the columns where there is no file."""
    rows: pl.DataFrame
    about: pl.DataFrame | None = None
    """What is known about the items, beside the rows."""
    trusted: bool = False
    """Whether a repeated pair is no mistake: it is a published data set, or one that was checked before."""
    where: str = ""
    """For messages."""
    origin: str | None = None
    """The name or the path that the same rows are found by again; None where there is none."""
    ordered: bool = True
    """Whether the order of the rows can mean something; in a matrix it cannot."""
    text: bool = False
    """Whether the source is a text file, in which a whole number is not told from its text."""
    notes: list[str] = field(default_factory=list)

    def save(self, folder: Path) -> None:
        """Write the rows into a run's folder, because the run cannot be queried without them."""
        write_table(self.rows, folder / SAVED)
        if self.about is not None:
            write_table(self.about, folder / SAVED_ITEMS)


def saved_rows(folder: Path, name: str) -> SourceRows | None:
    """What `save` wrote into a folder; None where there is nothing."""
    path, about = folder / SAVED, folder / SAVED_ITEMS
    if not path.is_file():
        return None
    rows = open_table(path, header_of(path))
    beside = open_table(about, header_of(about)) if about.is_file() else None
    return SourceRows(name, sha256_of_rows(rows), rows, beside, True, str(path))


def in_memory(data: pl.DataFrame | pl.LazyFrame | Table, columns: Columns = None) -> SourceRows:
    """The rows of a frame, a matrix or another library's data set."""
    frame, notes = as_frame(data)
    rows = check_rows(frame, Where("frame"), columns)
    notes += recognized(frame.columns, columns)
    ordered = has_order(data)
    return SourceRows("frame", sha256_of_rows(rows), rows, where="frame", ordered=ordered, notes=notes)


def from_source(
    data: str | Path,
    columns: Columns = None,
    seed: int = 0,
    synthetic: Synthetic | None = None,
    progress: Progress | None = None,
) -> SourceRows:
    """The rows of a known data set, of a file, or invented ones."""
    if data == "synthetic":
        rows, about = generate(synthetic or Synthetic(), seed)
        return SourceRows("synthetic", sha256_of_rows(rows), rows, about, True, "synthetic")
    named = not is_path(data)
    path = find(str(data), progress) if named else Path(data).expanduser()
    if named and path.is_dir():
        raise BadInput("data set", got=f"{data}, which has images", allowed="one with users and items")
    rows, beside = read_rows(path, columns), read_items(path)
    if beside is not None and path.stem.startswith("movielens"):
        beside = with_bars(beside)
    return SourceRows(
        name=path.stem,
        sha256=sha256_of(path),
        rows=rows,
        about=beside,
        trusted=named,
        where=str(data),
        origin=str(data) if named else str(path.resolve()),
        text=path.suffix.lower() != ".parquet",
        notes=recognized(header_of(path), columns),
    )


def is_path(data: str | Path) -> bool:
    """Whether this is the path of a file, and not the name of a data set."""
    return isinstance(data, Path) or Path(data).suffix.lower() in KINDS or len(Path(data).parts) != 1


def sha256_of_rows(rows: pl.DataFrame) -> str:
    """A checksum of the columns' contents, for data that comes from no file."""
    digest = hashlib.sha256()
    for column in rows:
        digest.update(f"{column.name} {column.dtype} {len(column)};".encode())
        if column.dtype == pl.String:
            digest.update("\0".join(text or "" for text in column.to_list()).encode())
        else:
            digest.update(np.ascontiguousarray(column.to_numpy()).tobytes())
    return digest.hexdigest()
