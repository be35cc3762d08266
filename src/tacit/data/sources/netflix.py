"""The Netflix prize: combined_data_1.txt, blocks of "movie:" and then user,rating,date lines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from tacit.data.sources.archives import NotInArchive, Parsed, active, columns, member

USERS, LEAST = 11_656, 20


def parse(archive: Path) -> Parsed:
    """USERS users with LEAST ratings or more, evenly spaced over their ids; movies 1 to 4,499.

    Dymbe's subset has that many users of these movies; the thesis does not say which ones.
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
    users = rows["user"].unique().sort()
    spaced = users.gather(np.linspace(0, len(users) - 1, min(USERS, len(users))).astype(np.int64))
    rows = rows.join(spaced.to_frame(), on="user", how="semi", maintain_order="left")
    return Parsed(rows, _titles(archive))


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
