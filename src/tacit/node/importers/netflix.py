"""Netflix: the short viewing history of a profile, and the files of a data request.

    NetflixViewingHistory.csv      Title,Date                                       date as the account writes it
    ViewingActivity.csv            Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,...
    Ratings.csv                    Profile Name,Title Name,Rating Type,Star Value,Thumbs Value,...,Event Utc Ts,...

There is no year in any of them, and titles are in the profile's language. What a thumb's number means is not written
down anywhere: thumbs count only when a person says which mean yes and no (`--map liked=2,disliked=1`).

Films and series stand in one list. `Salt Road: Season 1: The Pier` is an episode, `Night Ferry: The Return` is a film.
A title belongs to a series if it names a season or an episode, or if several others begin alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Set
from typing import Any

from tacit.node.importers.archive import Export, Line
from tacit.node.importers.base import Importer, Options, ParsedRating, Report
from tacit.node.importers.build_ratings import item_rating, of_profile, on_scale
from tacit.node.importers.cells import parse_days, parse_number, parse_time
from tacit.node.importers.entries import has, table

ALIKE = 4
"""So many different titles with the same beginning are a series; three may be three films."""
_SEASON = re.compile(
    r":\s*(?:(?:season|series|staffel|saison|temporada|stagione|seizoen|part|parte|partie|teil|volume|vol\.|book|"
    r"chapter|kapitel|limited series|miniserie)\b)",
    re.IGNORECASE,
)
_EPISODE = re.compile(
    r"\((?:episode|folge|épisode|episodio)\s*\d+\)|:\s*(?:episode|folge|épisode|episodio)\s*\d+", re.I
)


def works(titles: Set[str]) -> dict[str, tuple[str, str]]:
    """(film or series, its own title) of each title."""
    beginnings = Counter(_beginning(title) for title in titles if ":" in title)
    return {title: _work(title, beginnings) for title in titles}


def _work(title: str, beginnings: Counter[str]) -> tuple[str, str]:
    season = _SEASON.search(title)
    if season and title.count(":") > 1:
        return "series", title[: season.start()].strip()
    if season and re.search(
        r"(?:season|staffel|saison|temporada|stagione|limited series)", season[0], re.IGNORECASE
    ):
        return "series", title[: season.start()].strip()
    if _EPISODE.search(title) or (":" in title and beginnings[_beginning(title)] >= ALIKE):
        return "series", _beginning(title)
    return "film", title


def _beginning(title: str) -> str:
    return title.partition(":")[0].strip()


MIN_SECONDS = 300
"""What was stopped sooner, all sittings together, was not watched."""
_ACTIVITY = ("profile name", "start time", "duration", "title", "supplemental video type")
_RATINGS = ("profile name", "title name", "star value", "thumbs value", "event utc ts")
_THUMBS = "a thumb: say what its numbers mean with --map liked=N,disliked=N"


def _history(export: Export) -> list[str]:
    return [
        name for name in export.names if has(export, name, "title", "date") and not has(export, name, "item")
    ]


def _recognizes(export: Export) -> bool:
    names = export.named("NetflixViewingHistory*.csv", "ViewingActivity*.csv")
    rated = [name for name in export.names if has(export, name, *_RATINGS[:4])]
    plain = export.names[:1] if len(export.names) == 1 and _two_columns(export) else []
    return bool(names or rated or plain or [n for n in export.names if has(export, n, *_ACTIVITY)])


def _two_columns(export: Export) -> bool:
    return has(export, export.names[0], "title", "date") and export.head(export.names[0])[:40].count(",") < 4


def _read(export: Export, options: Options, report: Report) -> Iterator[ParsedRating]:
    activity = [name for name in export.names if has(export, name, *_ACTIVITY[:4])]
    rated = [name for name in export.names if has(export, name, *_RATINGS[:4])]
    seen: list[tuple[Line, str, dict[str, Any]]] = []
    for name in activity:
        seen += _sittings(export, name, report)
    for name in rated:
        seen += _rated(export, name, options, report)
    for name in [] if activity or rated else _history(export) or export.names[:1]:
        seen += _short(export, name, options)
    kinds = works({title for _, title, _ in seen})
    rows = []
    for line, text, more in seen:
        kind, title = kinds[text]
        parsed = item_rating(kind, title, report, line, **more)
        if parsed is not None:
            rows.append(parsed)
    yield from of_profile(rows, options, export.name)


def _short(export: Export, name: str, options: Options) -> Iterator[tuple[Line, str, dict[str, Any]]]:
    lines = list(table(export, name, ("title", "date"), needed=("title", "date")))
    times = parse_days([cells["date"] for _, cells in lines], options, export.name)
    for (line, cells), when in zip(lines, times, strict=True):
        yield line, cells["title"], {"signal": "seen", "time": when}


def _sittings(export: Export, name: str, report: Report) -> Iterator[tuple[Line, str, dict[str, Any]]]:
    """One for each profile and title: sittings add up, previews do not count."""
    total: dict[tuple[str, str], tuple[Line, int, str]] = {}
    for line, cells in table(export, name, _ACTIVITY, needed=_ACTIVITY[:4]):
        if cells["supplemental video type"]:
            report.skip("a trailer or preview", line)
            continue
        place = (cells["profile name"], cells["title"])
        _, before, latest = total.get(place, (line, 0, ""))
        total[place] = (line, before + _seconds(cells["duration"]), max(latest, cells["start time"]))
    for (profile, title), (line, seconds, latest) in total.items():
        if seconds < MIN_SECONDS:
            report.skip("watched for less than five minutes", line)
            continue
        when, exact = parse_time(latest)
        yield line, title, {"signal": "seen", "time": when, "exact": exact, "user": profile}


def _rated(
    export: Export, name: str, options: Options, report: Report
) -> Iterator[tuple[Line, str, dict[str, Any]]]:
    for line, cells in table(export, name, _RATINGS, needed=_RATINGS[:4]):
        stars, thumb = parse_number(cells["star value"]), cells["thumbs value"]
        when, exact = parse_time(cells["event utc ts"])
        more = {"time": when, "exact": exact, "user": cells["profile name"]}
        if stars:
            if on_scale(stars, 5.0, report, line):
                yield line, cells["title name"], more | {"signal": "rating", "value": stars, "scale": 5.0}
        elif thumb in options.liked or thumb in options.disliked:
            signal = "liked" if thumb in options.liked else "disliked"
            yield line, cells["title name"], more | {"signal": signal}
        else:
            report.skip(_THUMBS, line)


def _seconds(cell: str) -> int:
    parts = cell.split(":")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) < 5 for part in parts):
        return 0
    return int(parts[0]) * 3600 + int(parts[1]) * 60 + int(parts[2])


importer = Importer("Netflix", "netflix.com/viewingactivity, Download all: a csv", _recognizes, _read)
