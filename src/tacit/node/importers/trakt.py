"""Trakt: the zip from trakt.tv/settings/data, in both layouts.

    old    <user>/ratings/ratings-movies.json, <user>/watched/history-N.json, <user>/lists/watchlist.json
    new    ratings-movies.json, watched-history-N.json, watched-movies.json, lists-watchlist.json, ...

Ratings are whole numbers from 1 to 10. Seasons and episodes count for their series; ratings of single episodes and
seasons do not speak for the whole and count as seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from tacit.node.importers.archive import Export, Line
from tacit.node.importers.base import Importer, Options, ParsedRating, Report
from tacit.node.importers.build_ratings import item_rating, on_scale
from tacit.node.importers.cells import parse_time
from tacit.node.importers.entries import entries

_FILES = (
    "*ratings-*.json",
    "*history-*.json",
    "*watched-movies.json",
    "*watched-shows.json",
    "*watchlist.json",
)
_SCALE = 10.0


class _Work(msgspec.Struct):
    title: str | None = None
    year: int | None = None


class _Entry(msgspec.Struct):
    """What is kept of an entry; everything else is dropped while reading."""

    rating: float | None = None
    rated_at: str | None = None
    watched_at: str | None = None
    last_watched_at: str | None = None
    listed_at: str | None = None
    movie: _Work | None = None
    show: _Work | None = None
    season: _Work | None = None
    episode: _Work | None = None


def _recognizes(export: Export) -> bool:
    return bool(
        export.named("*ratings-movies.json", "*ratings-shows.json", "*history-*.json", "*watched-movies.json")
    )


def _read(export: Export, options: Options, report: Report) -> Iterator[ParsedRating]:
    for name in export.named(*_FILES) or export.names:
        wanted = name.lower().endswith("watchlist.json")
        for number, entry in entries(export, name, _Entry, report):
            work = entry.movie or entry.show
            if work is None:
                report.skip("neither a film nor a series", number)
                continue
            found = _signal(entry, wanted, report, number)
            if found is None:
                continue
            kind = "film" if entry.movie else "series"
            parsed = item_rating(kind, work.title or "", report, number, year=work.year, **found)
            if parsed is not None:
                yield parsed


def _signal(entry: _Entry, wanted: bool, report: Report, number: Line) -> dict[str, Any] | None:
    stamp = entry.rated_at or entry.watched_at or entry.last_watched_at or entry.listed_at or ""
    when, exact = parse_time(stamp)
    more: dict[str, Any] = {"time": when, "exact": exact}
    if wanted:
        return more | {"signal": "want"}
    if entry.rating is None or entry.season is not None or entry.episode is not None:
        return more | {"signal": "seen"}
    if not on_scale(entry.rating, _SCALE, report, number):
        return None
    return more | {"signal": "rating", "value": entry.rating, "scale": _SCALE}


importer = Importer("Trakt", "trakt.tv/settings/data: a zip", _recognizes, _read)
