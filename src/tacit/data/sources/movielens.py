"""MovieLens (GroupLens): ml-100k.zip, ml-1m.zip, ml-10m.zip, and ml-100k inside RecBole's wheel."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from tacit.data.sources.archives import Parsed, columns, member, numbers

_RATING = ["user", "item", "rating", "timestamp"]
_GENRES = (
    "unknown|Action|Adventure|Animation|Children's|Comedy|Crime|Documentary|Drama|Fantasy|Film-Noir|Horror|Musical|"
    "Mystery|Romance|Sci-Fi|Thriller|War|Western"
)


def parse_100k(archive: Path) -> Parsed:
    """u.data: tab-separated; u.item: title, dates, address, then one 0/1 column per genre, in Latin-1."""
    if archive.suffix == ".whl":
        return _parse_recbole(archive)
    with member(archive, "u.data") as file:
        rows = numbers(columns(file.read(), _RATING))
    genres = _GENRES.split("|")
    lines = []
    with member(archive, "u.item") as file:
        for line in file.read().decode("latin-1").splitlines():
            fields = line.split("|")
            has = "|".join(genre for genre, flag in zip(genres, fields[5:], strict=False) if flag == "1")
            lines.append((int(fields[0]), fields[1], has))
    return Parsed(rows, _with_year(lines))


def parse_1m(archive: Path) -> Parsed:
    """ratings.dat and movies.dat with :: between fields (also the format of ml-10m)."""
    with member(archive, "ratings.dat") as file:
        rows = numbers(columns(file.read().replace(b"::", b"\t"), _RATING))
    with member(archive, "movies.dat") as file:
        content = file.read()
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    lines = []
    for line in text.splitlines():
        item, _, rest = line.partition("::")
        title, _, genres = rest.rpartition("::")
        lines.append((int(item), title, genres))
    return Parsed(rows, _with_year(lines))


def _parse_recbole(wheel: Path) -> Parsed:
    """The same 100,000 ratings as RecBole's example data: ml-100k.inter and ml-100k.item, with a header."""
    with member(wheel, "ml-100k.inter") as file:
        rows = numbers(columns(_body(file.read()), _RATING))
    with member(wheel, "ml-100k.item") as file:
        items = columns(_body(file.read()), ["item", "title", "year", "genres"])
    year = pl.col("year").cast(pl.Int32, strict=False)
    # Names of genres have no spaces in them here, so the space between them can become the usual bar.
    genres = pl.col("genres").str.replace_all(" ", "|")
    return Parsed(rows, items.select(pl.col("item").cast(pl.Int32), "title", year, genres))


def _body(content: bytes) -> bytes:
    return content.partition(b"\n")[2]


def _with_year(lines: list[tuple[int, str, str]]) -> pl.DataFrame:
    items = pl.DataFrame(lines, {"item": pl.Int32, "title": pl.String, "genres": pl.String}, orient="row")
    return items.with_columns(year=pl.col("title").str.extract(r"\((\d{4})\)\s*$").cast(pl.Int32))
