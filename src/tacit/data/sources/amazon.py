"""Amazon ratings (McAuley): ratings_CATEGORY.csv without a header."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from tacit.data.sources.archives import Parsed, active, columns, member

LEAST = 20
"""FedeRank keeps users with at least this many ratings."""


def parse(archive: Path) -> Parsed:
    """user,item,rating,timestamp; ids are texts."""
    with member(archive, "*.csv") as file:
        table = columns(file.read(), ["user", "item", "rating", "timestamp"], separator=",")
    rows = table.with_columns(
        pl.col("rating").cast(pl.Float32), pl.col("timestamp").cast(pl.Float64).cast(pl.Int64)
    )
    return Parsed(active(rows, LEAST))
