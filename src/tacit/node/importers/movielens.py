"""MovieLens: the site's export of one's own ratings, and the research data sets.

    movielens-ratings.csv       movie_id,imdb_id,tmdb_id,rating,average_rating,title       of one person
    ratings.csv, movies.csv     userId,movieId,rating,timestamp   movieId,title,genres     of many

Titles end with the year, articles stand behind a comma, other titles in brackets: `Night Ferry, The (Bac, Le) (2010)`.
The two research files come in one zip or lie side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from tacit.core.errors import BadInput
from tacit.node.importers.archive import Export, open_export
from tacit.node.importers.base import Importer, Options, ParsedRating, Report
from tacit.node.importers.build_ratings import film_rating, of_profile, on_scale
from tacit.node.importers.cells import parse_number, parse_time
from tacit.node.importers.entries import has, table

_DATED = re.compile(r"^(?P<title>.*?)\s*\((?P<year>\d{4})(?:[-\u2013]\d{0,4})?\)\s*$")
_OTHER_TITLE = re.compile(r"(?<!\bor)\s+\([^()]*\)$", re.IGNORECASE)
_SCALE = 5.0


def _own(export: Export) -> list[str]:
    return [name for name in export.names if has(export, name, "movie_id", "rating", "title")]


def _research(export: Export) -> list[str]:
    return [name for name in export.names if has(export, name, "userid", "movieid", "rating")]


def _recognizes(export: Export) -> bool:
    return bool(_own(export) or _research(export))


def _read(export: Export, options: Options, report: Report) -> Iterator[ParsedRating]:
    if research := _research(export):
        yield from of_profile(list(_many(export, research[0], report)), options, export.name)
        return
    for name in _own(export) or export.names[:1]:
        for line, cells in table(export, name, ("rating", "title"), needed=("movie_id", "rating", "title")):
            if on_scale(value := parse_number(cells["rating"]), _SCALE, report, line):
                title, year = split_title(cells["title"])
                parsed = film_rating(title, year, report, line, signal="rating", value=value, scale=_SCALE)
                if parsed is not None:
                    yield parsed


def _many(export: Export, name: str, report: Report) -> Iterator[ParsedRating]:
    titles = _titles(export, name)
    columns = ("userid", "movieid", "rating", "timestamp")
    for line, cells in table(export, name, columns, needed=columns[:3]):
        if cells["movieid"] not in titles:
            report.skip("a film that movies.csv does not list", line)
        elif on_scale(value := parse_number(cells["rating"]), _SCALE, report, line):
            when, exact = parse_time(cells["timestamp"])
            title, year = split_title(titles[cells["movieid"]])
            parsed = film_rating(
                title, year, report, line, signal="rating", value=value, scale=_SCALE, time=when, exact=exact,
                user=cells["userid"],
            )  # fmt: skip
            if parsed is not None:
                yield parsed


def _titles(export: Export, ratings: str) -> dict[str, str]:
    wanted = str(PurePosixPath(ratings).with_name("movies.csv"))
    if wanted not in export.names and export.folder is not None and (export.folder / "movies.csv").is_file():
        export, wanted = open_export(export.folder / "movies.csv"), "movies.csv"
    if wanted not in export.names:
        raise BadInput(
            f"{export.name} has no titles", allowed="the whole zip, or movies.csv in the same folder"
        )
    rows = table(export, wanted, ("movieid", "title"), needed=("movieid", "title"))
    return {cells["movieid"]: cells["title"] for _, cells in rows}


def split_title(text: str) -> tuple[str, int | None]:
    """Title and year, without other titles in brackets.

    >>> split_title("Night Ferry, The (Bac de nuit, Le) (2010)"), split_title("Salt Road")
    (('Night Ferry, The', 2010), ('Salt Road', None))
    """
    found = _DATED.match(text)
    title, year = (found["title"], int(found["year"])) if found else (text, None)
    while (shorter := _OTHER_TITLE.sub("", title)) != title:
        title = shorter
    return title, year


importer = Importer("MovieLens", "movielens.org, your profile, import/export: a csv", _recognizes, _read)
