"""The Netflix prize: combined_data_1.txt, blocks of "movie:" and then user,rating,date lines."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from tacit.core.rng import Stream, permutation
from tacit.data.sources.archives import NotInArchive, Parsed, active, columns, member

LEAST, RATINGS = 20, 1_000_000


def parse(archive: Path, ratings: int = RATINGS, seed: int = 0) -> Parsed:
    """Random users with LEAST ratings or more of movies 1 to 4,499, until they have more than `ratings` in all.

    That is the rule of Dymbe's subset (section 4.2.3). The thesis' draw gave 11,656 users with 1,000,043 ratings. It
    does not say which users these are, so the draw here is another one.
    """
    with member(archive, "combined_data_1.txt") as file:
        # The first line has fewer fields than the others: take whole lines (none has this separator).
        lines = columns(file.read(), ["line"], separator="\x1f")
    movie = pl.col("line").str.strip_suffix(":").cast(pl.Int32, strict=False).forward_fill()
    fields = pl.col("line").str.split_exact(",", 2).struct.rename_fields(["user", "rating", "date"])
    lines = lines.with_columns(item=movie).filter(pl.col("line").str.contains(",", literal=True))
    rows = lines.select("item", fields.struct.unnest()).select(
        pl.col("user").cast(pl.Int32),
        "item",
        pl.col("rating").cast(pl.Float32),
        pl.col("date").str.to_date("%Y-%m-%d").dt.epoch("s").alias("timestamp"),
    )
    rows = active(rows, LEAST)
    return Parsed(_random_users(rows, ratings, seed), _titles(archive))


def _random_users(rows: pl.DataFrame, ratings: int, seed: int) -> pl.DataFrame:
    """The rows of users in random order, up to the user with whom there are more than this many rows."""
    counts = rows.group_by("user").len().sort("user")
    drawn = counts[permutation(seed, Stream.DATA_USERS, 0, 0, len(counts))]
    before = drawn["len"].cum_sum() - drawn["len"]
    chosen = drawn.filter(before <= ratings).select("user")
    return rows.join(chosen, on="user", how="semi", maintain_order="left")


def _titles(archive: Path) -> pl.DataFrame | None:
    """movie,year,title in Latin-1; titles may have commas in them."""
    try:
        with member(archive, "movie_titles.*") as file:
            lines = [
                line.split(",", 2)
                for line in file.read().decode("latin-1").splitlines()
                if line.count(",") > 1
            ]
    except NotInArchive:
        return None
    items = pl.DataFrame(lines, ["item", "year", "title"], orient="row")
    return items.select(pl.col("item").cast(pl.Int32), "title", pl.col("year").cast(pl.Int32, strict=False))
