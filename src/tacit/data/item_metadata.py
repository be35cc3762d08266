"""Item metadata (titles, genres, places ...), from the rows themselves and from NAME.items.parquet beside them."""

from __future__ import annotations

import polars as pl

from tacit.core.interactions import Texts

COLUMNS = {
    "title": pl.String,
    "category": pl.String,
    "city": pl.String,
    "lat": pl.Float64,
    "lon": pl.Float64,
    "genres": pl.String,
    "year": pl.Int32,
}


def catalogue(item_ids: Texts, rows: pl.DataFrame, about: pl.DataFrame | None) -> pl.DataFrame:
    """One row per item position with `item` and every one of COLUMNS, null where nothing is known.

    The frame `about` goes first, then the first row that says something. `rows` has items as positions.
    """
    items = pl.DataFrame({"item": item_ids.tolist()}, schema={"item": pl.String})
    items = items.with_columns(pl.int_range(len(items), dtype=pl.Int32).alias("position"))
    said = [name for name in COLUMNS if name in rows.columns]
    if said:
        first = rows.group_by("item").agg(pl.col(name).drop_nulls().first() for name in said)
        items = items.join(
            first.rename({"item": "position"}), on="position", how="left", maintain_order="left"
        )
    if about is not None and "item" in about.columns:
        extra = about.select("item", *(name for name in COLUMNS if name in about.columns))
        extra = extra.with_columns(pl.col("item").cast(pl.String)).unique(
            "item", keep="first", maintain_order=True
        )
        items = items.join(extra, on="item", how="left", suffix=" beside", maintain_order="left")
    return items.select(
        "item", *(_known(items, name, dtype) for name, dtype in COLUMNS.items())
    ).with_columns(year=pl.coalesce("year", pl.col("title").str.extract(r"\((\d{4})\)\s*$").cast(pl.Int32)))


def with_bars(about: pl.DataFrame) -> pl.DataFrame:
    """MovieLens genres as Comedy|Drama also where a copy of the data has spaces between them."""
    if "genres" not in about.columns or about["genres"].str.contains("|", literal=True).any():
        return about
    return about.with_columns(pl.col("genres").str.replace_all(" ", "|"))


def _known(items: pl.DataFrame, name: str, dtype: type[pl.DataType]) -> pl.Expr:
    there = [column for column in (f"{name} beside", name) if column in items.columns]
    if not there:
        return pl.lit(None, dtype=dtype).alias(name)
    return pl.coalesce(pl.col(column).cast(dtype, strict=False) for column in there).alias(name)
