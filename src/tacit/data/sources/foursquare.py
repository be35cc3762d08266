"""Foursquare check-ins collected by D. Yang: New York (TSMC 2014), whole countries (TIST 2015, WWW 2019)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl

from tacit.data.sources.archives import Parsed, active, columns, member, unpacked

_TIME = "%a %b %d %H:%M:%S %z %Y"
LEAST = 20
"""FPL keeps users with at least this many different venues."""


def parse_nyc(archive: Path) -> Parsed:
    """Tab-separated, Latin-1: user, venue, category id, category, lat, lon, offset in minutes, UTC time."""
    names = ["user", "item", "category id", "category", "lat", "lon", "offset", "time"]
    with member(archive, "dataset_TSMC2014_NYC.txt") as file:
        table = columns(file.read().decode("latin-1").encode(), names)
    rows = table.select(
        pl.col("user").cast(pl.Int32),
        "item",
        pl.lit(1.0, pl.Float32).alias("rating"),
        _seconds(),
        pl.col("lat", "lon").cast(pl.Float64),
        "category",
    )
    return Parsed(rows)


def country(code: str) -> Callable[[Path], Parsed]:
    """A parser for one country: the latest check-in of each user and venue, users with LEAST or more."""

    def parse(archive: Path) -> Parsed:
        checkins = ("dataset_WWW_Checkins*.txt", "dataset_TIST2015_Checkins.txt", "raw_Checkins*.txt")
        places = ("dataset_TIST2015_POIs.txt", "raw_POIs.txt", "*POIs*.txt")
        with unpacked(archive, *places) as path:
            pois = _scan(path, ["item", "lat", "lon", "category", "country"])
            pois = pois.filter(pl.col("country") == code).drop("country")
            known = pois.with_columns(pl.col("lat", "lon").cast(pl.Float64)).collect()
        with unpacked(archive, *checkins) as path:
            visits = _scan(path, ["user", "item", "time", "offset"]).drop("offset")
            rows = visits.join(known.lazy(), on="item", how="inner", maintain_order="left").collect()
        rows = rows.with_columns(_seconds(), pl.col("user").cast(pl.Int64), rating=pl.lit(1.0, pl.Float32))
        latest = rows.sort("timestamp", maintain_order=True).unique(
            ["user", "item"], keep="last", maintain_order=True
        )
        kept = active(latest, LEAST)
        return Parsed(kept.select("user", "item", "rating", "timestamp", "lat", "lon", "category"))

    return parse


def _seconds() -> pl.Expr:
    return pl.col("time").str.to_datetime(_TIME).dt.epoch("s").alias("timestamp")


def _scan(path: Path, names: list[str]) -> pl.LazyFrame:
    return pl.scan_csv(
        path,
        separator="\t",
        has_header=False,
        schema=dict.fromkeys(names, pl.String),
        quote_char=None,
        encoding="utf8-lossy",
    )
