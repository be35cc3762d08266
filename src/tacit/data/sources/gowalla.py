"""Gowalla check-ins (SNAP): loc-gowalla_totalCheckins.txt.gz, cut to New York City."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from tacit.data.sources.archives import Parsed, columns, member

SOUTH, NORTH = 40.4774, 40.9176
WEST, EAST = -74.2591, -73.7004
"""The box around the five boroughs. The PEPPER paper does not say which it used."""


def parse(archive: Path) -> Parsed:
    """Tab-separated: user, UTC time as 2010-10-19T23:55:27Z, lat, lon, location."""
    with member(archive, "*totalCheckins*") as file:
        table = columns(file.read(), ["user", "time", "lat", "lon", "item"])
    rows = table.select(
        pl.col("user", "item").cast(pl.Int32),
        pl.lit(1.0, pl.Float32).alias("rating"),
        pl.col("time").str.to_datetime("%Y-%m-%dT%H:%M:%SZ").dt.epoch("s").alias("timestamp"),
        pl.col("lat", "lon").cast(pl.Float64),
    )
    inside = pl.col("lat").is_between(SOUTH, NORTH) & pl.col("lon").is_between(WEST, EAST)
    return Parsed(rows.filter(inside))
