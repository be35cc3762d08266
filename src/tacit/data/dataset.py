"""`load` and `Dataset`: a known name, a file or a frame becomes a data set."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions, Texts
from tacit.data.duplicates import one_per_pair
from tacit.data.files import KINDS, sha256_of
from tacit.data.filtering import filter_rows, keep_density
from tacit.data.ids import positions
from tacit.data.item_metadata import catalogue, with_bars
from tacit.data.read_interactions import Where, at_least_two, check_rows, read_items, read_rows
from tacit.data.sources.download import Progress
from tacit.data.sources.locate import find
from tacit.data.synthetic import Synthetic, generate


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
    """Every row in source order, repeats included: user, item (positions), rating, timestamp (nullable)."""
    items: pl.DataFrame
    """By position: item (its id), title, category, city, lat, lon, genres, year; null where unknown."""
    scale: tuple[float, float]
    """The lowest and the highest rating."""
    notes: list[str]
    """Sentences for the reader."""

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


@dataclass(frozen=True, slots=True, eq=False)
class _Raw:
    """Checked rows and where they come from."""

    name: str
    sha256: str
    rows: pl.DataFrame
    about: pl.DataFrame | None
    trusted: bool
    """Whether it is a published data set, in which a repeated pair is no mistake."""
    where: str


def load(
    data: str | Path | pl.DataFrame,
    *,
    min_user: int = 0,
    min_item: int = 0,
    duplicates: str = "auto",
    density: str = "all",
    seed: int = 0,
    synthetic: Synthetic | None = None,
    progress: Progress | None = None,
) -> Dataset:
    """Read, check, filter and number a data set.

    `data` is a known name, the path of a .csv, .tsv or .parquet file, a frame, or `synthetic` (with its size
    in `synthetic` and its seed in `seed`). `progress(done, total)` follows a download.

        data = load("movielens-100k")
        data = load("ratings.csv", min_item=10)
    """
    raw = _open(data, seed, synthetic or Synthetic(), progress)
    at_least_two(raw.rows, raw.where)
    rows, notes = filter_rows(raw.rows, min_user, min_item)
    rows, density_notes = keep_density(rows, density)
    notes += density_notes
    unknown_times = rows["timestamp"].null_count() if "timestamp" in rows.columns else 0
    if 0 < unknown_times < len(rows):
        notes.append(f"{unknown_times:,} rows without a time: they count as the earliest")
    user, user_ids = positions(rows["user"])
    item, item_ids = positions(rows["item"])
    rows = rows.with_columns(user, item)
    pairs, more = one_per_pair(rows, duplicates, user_ids, item_ids, trusted=raw.trusted, where=raw.where)
    times = (
        rows["timestamp"]
        if "timestamp" in rows.columns
        else pl.repeat(None, len(rows), dtype=pl.Int64, eager=True)
    )
    return Dataset(
        name=raw.name,
        sha256=raw.sha256,
        table=_table(pairs, len(user_ids), len(item_ids)),
        user_ids=user_ids,
        item_ids=item_ids,
        events=rows.select("user", "item", "rating").with_columns(timestamp=times),
        items=catalogue(item_ids, rows, raw.about),
        scale=(float(rows["rating"].min()), float(rows["rating"].max())),  # type: ignore[arg-type]
        notes=notes + more,
    )


def _open(
    data: str | Path | pl.DataFrame, seed: int, synthetic: Synthetic, progress: Progress | None
) -> _Raw:
    if isinstance(data, pl.DataFrame):
        rows = check_rows(data, Where("frame"))
        return _Raw("frame", sha256_of_rows(rows), rows, None, False, "frame")
    if data == "synthetic":
        rows, about = generate(synthetic, seed)
        return _Raw("synthetic", sha256_of_rows(rows), rows, about, True, "synthetic")
    named = not is_path(data)
    path = find(str(data), progress) if named else Path(data).expanduser()
    if named and path.is_dir():
        raise BadInput("data set", got=f"{data}, which has images", allowed="one with users and items")
    rows, beside = read_rows(path), read_items(path)
    if beside is not None and path.stem.startswith("movielens"):
        beside = with_bars(beside)
    return _Raw(path.stem, sha256_of(path), rows, beside, named, str(data))


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


def _table(pairs: pl.DataFrame, users: int, items: int) -> Interactions:
    times = None
    if "timestamp" in pairs.columns and pairs["timestamp"].null_count() < len(pairs):
        times = pairs["timestamp"].fill_null(-1).to_numpy()
    user, item, rating = (pairs[name].to_numpy() for name in ("user", "item", "rating"))
    return Interactions.from_pairs(user, item, rating, times, users=users, items=items)
