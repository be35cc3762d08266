"""`load` and `Dataset`: a known name, a file, a frame or another library's table becomes a data set."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.core.errors import unknown
from tacit.core.interactions import Interactions, Texts
from tacit.data.duplicates import one_per_pair
from tacit.data.filtering import filter_rows, keep_density, keep_rated
from tacit.data.foreign_tables import Table
from tacit.data.ids import positions
from tacit.data.item_metadata import catalogue
from tacit.data.read_interactions import Columns, at_least_two
from tacit.data.source_rows import SourceRows, from_source, in_memory, is_path, sha256_of_rows
from tacit.data.sources.download import Progress
from tacit.data.splits import TEST, TRAIN, VALIDATION, Parts
from tacit.data.synthetic import Synthetic

__all__ = ["PARTS", "UNKNOWN", "Data", "Dataset", "Filters", "is_path", "load", "to_rows"]
PARTS = {"train": TRAIN, "test": TEST, "validation": VALIDATION, "valid": VALIDATION}
"""What a column `split` may say."""
UNKNOWN = -1
"""In `Dataset.given`: a row whose column `split` says something else."""


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """A user-item table with its ids, and what is known about the items."""

    name: str
    sha256: str
    """Of the source file's bytes; of the columns where there is no file."""
    table: Interactions
    """One entry per (user, item) pair."""
    user_ids: Texts
    """The source's own ids; a user's position is its index here."""
    item_ids: Texts
    events: pl.DataFrame
    """Every row in source order, repeats included: user, item (positions), rating, timestamp (nullable); split where
    the source has such a column."""
    items: pl.DataFrame
    """By position: item (its id), title, category, city, lat, lon, genres, year; null where unknown."""
    scale: tuple[float, float]
    """The lowest and the highest rating."""
    notes: list[str]
    """Sentences for the reader."""
    given: Parts | None = None
    """Which part each entry of the table belongs to, where the source has a column `split`."""
    origin: str | None = None
    """The name or the path that all of it is found by again; None where something was changed or there is none."""
    whole_ids: tuple[bool, bool] = (False, False)
    """Whether ids of users, and of items, are whole numbers in the source."""
    ordered: bool = True
    """Whether the order of the rows can mean something; in a matrix it cannot."""

    def __repr__(self) -> str:
        c = self.counts()
        return f"<Dataset {c['name']}: {c['users']:,} users, {c['items']:,} items, {c['interactions']:,} interactions>"

    @property
    def users(self) -> int:
        """N, the number of users."""
        return self.table.users

    def counts(self) -> dict[str, object]:
        """The contract's "data" object: name, users, items, interactions, sha256."""
        return {
            "name": self.name,
            "users": self.table.users,
            "items": self.table.items,
            "interactions": len(self.table),
            "sha256": self.sha256,
        }

    def ids(self, what: Literal["user", "item"], at: npt.NDArray[np.integer[Any]] | None = None) -> pl.Series:
        """The source's own ids of these positions (of all): whole numbers where they are that in the source."""
        texts = self.user_ids if what == "user" else self.item_ids
        column = pl.Series(what, texts if at is None else texts[at], dtype=pl.String)
        return column.cast(pl.Int64) if self.whole_ids[what == "item"] else column

    def source_rows(self) -> SourceRows:
        """All its rows again, with the source's own ids: what can be filtered and numbered anew."""
        columns = [self.ids(what, self.events[what].to_numpy()) for what in ("user", "item")]
        rows = self.events.with_columns(columns)
        digest = self.sha256 if self.origin is not None else sha256_of_rows(rows)
        return SourceRows(self.name, digest, rows, self.items, True, self.name, self.origin, self.ordered)


Data = str | Path | pl.DataFrame | pl.LazyFrame | Dataset | SourceRows | Table
"""Whatever can be learned from."""


class Filters(TypedDict, total=False):
    """What is left out."""

    min_user: int
    """Users with fewer interactions."""
    min_item: int
    """Items with fewer distinct users."""
    min_rating: float | None
    """Ratings below it."""
    density: str
    """`dense` or `sparse`: all but the busiest or the quietest cluster of users."""


def load(
    data: Data,
    *,
    columns: Columns = None,
    duplicates: str = "auto",
    seed: int = 0,
    synthetic: Synthetic | None = None,
    progress: Progress | None = None,
    **filters: Unpack[Filters],
) -> Dataset:
    """Read, check, filter and number a data set.

        data = load("movielens-100k")
        data = load("ratings.csv", columns={"user": "userId", "item": "movieId"}, min_item=10)

    Args:
        data: a known name, a path, a polars or pandas frame, a SciPy sparse matrix (users x items), or a LensKit data
            set. A path leads to a csv, tsv or parquet file. "synthetic" makes data up.
        columns: what columns are called: {"user": "userId", "item": "movieId"}.
        duplicates: which row of a repeated pair counts: "auto", "latest" or "error".
        seed: of synthetic data.
        synthetic: the size of synthetic data.
        progress: called with (done, total) bytes of a download.
        filters: what is left out: `min_user`, `min_item`, `min_rating` and `density` (`Filters`).

    Returns:
        The table with its ids, what is known about the items, and notes on what was left out.

    Raises:
        BadInput: the data cannot be read. The text names the file and the line.
    """
    for name in filters:
        if name not in Filters.__annotations__:
            raise unknown("load", name, Filters.__annotations__)
    raw = to_rows(data, columns, seed, synthetic, progress)
    at_least_two(raw.rows, raw.where)
    rows, notes = keep_rated(raw.rows, filters.get("min_rating"))
    rows, more = filter_rows(rows, filters.get("min_user", 0), filters.get("min_item", 0))
    rows, still_more = keep_density(rows, filters.get("density", "all"))
    notes = [*raw.notes, *notes, *more, *still_more]
    plain = len(rows) == len(raw.rows) and columns is None and duplicates == "auto"
    unknown_times = rows["timestamp"].null_count() if "timestamp" in rows.columns else 0
    if 0 < unknown_times < len(rows):
        notes.append(f"{unknown_times:,} rows without a time: they count as the earliest")
    user, user_ids = positions(rows["user"])
    item, item_ids = positions(rows["item"])
    whole = _whole(rows["user"], user_ids, raw.text), _whole(rows["item"], item_ids, raw.text)
    rows = rows.with_columns(user, item)
    pairs, more = one_per_pair(rows, duplicates, user_ids, item_ids, trusted=raw.trusted, where=raw.where)
    times = (
        rows["timestamp"]
        if "timestamp" in rows.columns
        else pl.repeat(None, len(rows), dtype=pl.Int64, eager=True)
    )
    kept = ("user", "item", "rating", *(["split"] if "split" in rows.columns else []))
    return Dataset(
        name=raw.name,
        sha256=raw.sha256,
        table=table_of(pairs, len(user_ids), len(item_ids)),
        user_ids=user_ids,
        item_ids=item_ids,
        events=rows.select(kept).with_columns(timestamp=times),
        items=catalogue(item_ids, rows, raw.about),
        scale=(float(rows["rating"].min()), float(rows["rating"].max())),  # type: ignore[arg-type]
        notes=notes + more,
        given=given_parts(pairs, len(item_ids)) if "split" in pairs.columns else None,
        origin=raw.origin if plain else None,
        whole_ids=whole,
        ordered=raw.ordered,
    )


def to_rows(
    data: Data,
    columns: Columns = None,
    seed: int = 0,
    synthetic: Synthetic | None = None,
    progress: Progress | None = None,
) -> SourceRows:
    """The rows of whatever can be learned from. A `Dataset` has tacit's own column names already."""
    if isinstance(data, SourceRows):
        return data
    if isinstance(data, Dataset):
        return data.source_rows()
    if isinstance(data, str | Path):
        return from_source(data, columns, seed, synthetic, progress)
    return in_memory(data, columns)


def _whole(column: pl.Series, ids: Texts, text: bool) -> bool:
    """Whether ids are whole numbers; in a text file where every one is written as one."""
    if not text:
        return column.dtype.is_integer()
    numbers = pl.Series(ids, dtype=pl.String)
    return bool((numbers.cast(pl.Int64, strict=False).cast(pl.String) == numbers).fill_null(False).all())


def table_of(pairs: pl.DataFrame, users: int, items: int) -> Interactions:
    times = None
    if "timestamp" in pairs.columns and pairs["timestamp"].null_count() < len(pairs):
        times = pairs["timestamp"].fill_null(-1).to_numpy()
    user, item, rating = (pairs[name].to_numpy() for name in ("user", "item", "rating"))
    return Interactions.from_pairs(user, item, rating, times, users=users, items=items)


def given_parts(pairs: pl.DataFrame, items: int) -> Parts:
    """The part of each entry, in the order of the table."""
    said = pairs["split"].str.strip_chars().str.to_lowercase()
    parts = said.replace_strict(PARTS, default=UNKNOWN, return_dtype=pl.Int8).to_numpy()
    place = pairs["user"].to_numpy().astype(np.int64) * items + pairs["item"].to_numpy()
    return np.ascontiguousarray(parts[np.argsort(place, kind="stable")], np.int8)
