"""Letterboxd: `letterboxd-<user>-<date>-utc.zip`, or one of its files.

    ratings.csv                             Date,Name,Year,Letterboxd URI,Rating          0.5 to 5 in halves
    watched.csv watchlist.csv likes/films.csv                                             the same without Rating
    diary.csv reviews.csv                   ...,Rating,Rewatch,[Review,]Tags,Watched Date

Three files have the same header and are told apart by name. Films are joined by name and year: the links in the diary
are those of its entries. Deleted and orphaned entries are not read, nor are lists, comments and the profile.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from tacit.node.importers.archive import Export
from tacit.node.importers.base import Importer, Options, ParsedRating, Report
from tacit.node.importers.build_ratings import film_rating, on_scale
from tacit.node.importers.cells import parse_number, parse_time, parse_year
from tacit.node.importers.entries import has, table

_SIGNALS = {
    "ratings.csv": "seen",
    "diary.csv": "seen",
    "reviews.csv": "seen",
    "watched.csv": "seen",
    "films.csv": "liked",
    "watchlist.csv": "want",
}
"""What a line without a rating means, in each file."""
_COLUMNS = ("date", "name", "year", "rating", "watched date")
_SCALE = 5.0


def _members(export: Export) -> list[str]:
    names = export.named("ratings.csv", "diary.csv", "reviews.csv", "watched.csv", "watchlist.csv")
    names += export.named("likes/films.csv") if len(export.names) > 1 else export.names
    return [n for n in dict.fromkeys(names) if not {"deleted", "orphaned"} & set(PurePosixPath(n).parts)]


def _recognizes(export: Export) -> bool:
    return any(has(export, name, "letterboxd uri", "name", "year") for name in _members(export))


def _read(export: Export, options: Options, report: Report) -> Iterator[ParsedRating]:
    for name in _members(export):
        unrated = _SIGNALS.get(PurePosixPath(name).name.lower(), "seen")
        for line, cells in table(export, name, _COLUMNS, needed=("name", "year")):
            # The day something was seen, not the day it was entered; `watched.csv` only knows the latter.
            when, _ = parse_time(cells["watched date"] or ("" if unrated == "seen" else cells["date"]))
            if not cells["rating"]:
                parsed = film_rating(
                    cells["name"], parse_year(cells["year"]), report, line, signal=unrated, time=when
                )
            elif not on_scale(value := parse_number(cells["rating"]), _SCALE, report, line):
                continue
            else:
                parsed = film_rating(
                    cells["name"],
                    parse_year(cells["year"]),
                    report,
                    line,
                    signal="rating",
                    value=value,
                    scale=_SCALE,
                    time=when if cells["watched date"] else parse_time(cells["date"])[0],
                )
            if parsed is not None:
                yield parsed


importer = Importer(
    "Letterboxd", "letterboxd.com, Settings, Data, Export your data: a zip", _recognizes, _read
)
