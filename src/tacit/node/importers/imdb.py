"""IMDb: ratings, lists and watchlists from imdb.com/exports, of every era.

    since 2024    Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,...
    2018 to 2024  without Original Title            2017: Date Added instead of Date Rated
    lists         Position,Const,Created,Modified,Description,Title,...,Your Rating,Date Rated
    before 2017   "position","const","created",...,"Title","Title type","Directors","You rated",...

Titles are localized, original titles are not: these come first, and the others stand beside them as other keys.
Episodes are left out, because the file does not say of which series they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from tacit.core.errors import BadInput
from tacit.node.catalogue.item_keys import title_key, year_text
from tacit.node.importers.archive import Export
from tacit.node.importers.base import Importer, Options, ParsedRating, Report
from tacit.node.importers.build_ratings import item_rating, on_scale
from tacit.node.importers.cells import midnight, parse_number, parse_time, parse_year
from tacit.node.importers.entries import has, table

_COLUMNS = (
    "const", "your rating", "you rated", "date rated", "date added", "created", "title", "original title",
    "title type", "year",
)  # fmt: skip
_SERIES = ("tv series", "tv mini series", "tv mini-series", "mini-series", "tvseries", "tvminiseries")
_NOT_KEPT = {
    "tv episode": "an episode: the file does not say of which series",
    "tvepisode": "an episode: the file does not say of which series",
    "video game": "a video game",
    "videogame": "a video game",
    "podcast series": "a podcast",
    "podcast episode": "a podcast",
    "music video": "a music video",
}
_SCALE = 10.0


def _tables(export: Export) -> list[str]:
    return [name for name in export.named("*.csv") or export.names if has(export, name, "const", "title")]


def _recognizes(export: Export) -> bool:
    rated = ("your rating", "you rated")
    return any(has(export, name, column) for name in _tables(export) for column in rated)


def _read(export: Export, options: Options, report: Report) -> Iterator[ParsedRating]:
    for name in _tables(export) or export.names[:1]:
        for line, cells in table(export, name, _COLUMNS, needed=("const", "title")):
            kind = cells["title type"].lower()
            if kind in _NOT_KEPT:
                report.skip(_NOT_KEPT[kind], line)
                continue
            rating = cells["your rating"] or cells["you rated"]
            if rating and not on_scale(parse_number(rating), _SCALE, report, line):
                continue
            rated = (
                {"signal": "rating", "value": parse_number(rating), "scale": _SCALE}
                if rating
                else {"signal": "want"}
            )
            sort, year = "series" if kind in _SERIES else "film", parse_year(cells["year"])
            parsed = item_rating(
                sort,
                cells["original title"] or cells["title"],
                report,
                line,
                year=year,
                time=_time(cells["date rated"] or cells["date added"] or cells["created"]),
                other=_key(sort, cells["title"], year),
                **rated,
            )
            if parsed is not None:
                yield parsed


def _key(kind: str, title: str, year: int | None) -> str:
    """The key of a title; nothing where it makes none."""
    try:
        return title_key(kind, title, year_text(year))
    except BadInput:
        return ""


def _time(cell: str) -> int | None:
    """ISO days, and `Sat Dec 31 00:00:00 2016` of old files."""
    known, _ = parse_time(cell)
    if known is not None or not cell:
        return known
    try:
        return midnight(datetime.strptime(cell, "%a %b %d %H:%M:%S %Y"))
    except ValueError:
        return None


importer = Importer("IMDb", "imdb.com/exports, after Export on your ratings page: a csv", _recognizes, _read)
