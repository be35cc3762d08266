"""Rows from cells: key and title from what a line says, or a reason why there is no row."""

from __future__ import annotations

from typing import Any

from tacit.core.errors import BadInput
from tacit.hosts.live import keys
from tacit.hosts.live.importers._lines import Line
from tacit.hosts.live.importers.base import Report, Row
from tacit.hosts.live.titles import front_article

NO_TITLE = "no title"
BAD_RATING = "rating not on its scale"


def film(title: str, year: int | None, report: Report, line: Line, **more: Any) -> Row | None:
    """A row about a film, or None and a reason in the report."""
    return item("film", title, report, line, year=year, **more)


def item(
    kind: str,
    title: str,
    report: Report,
    line: Line,
    *,
    year: int | None = None,
    author: str = "",
    **more: Any,
) -> Row | None:
    """A row about an item of any kind, or None and a reason in the report."""
    try:
        if kind == "book":
            key = keys.book_key(title, author)
        elif kind == "artist":
            key = keys.artist_key(title)
        elif kind == "album":
            key = keys.album_key(title, author)
        else:
            key = keys.title_key(kind, title, keys.year_text(year))
    except BadInput:
        report.skip(NO_TITLE, line)
        return None
    return Row(key, shown(kind, title, year, author), **more)


def shown(kind: str, title: str, year: int | None, author: str) -> str:
    """The title people see: `Night Ferry (2010)`, `Paper Boats, Ada Okafor`."""
    clean = front_article(keys.clean_title(title))
    if not clean:
        return ""
    if kind in ("film", "series") and year is not None and keys.year_text(year) != keys.NO_YEAR:
        return clean if clean.endswith(f"({year})") else f"{clean} ({year})"
    return keys.clean_title(f"{clean}, {author}") if kind in ("book", "album") and author else clean


def on_scale(value: float | None, scale: float, report: Report, line: Line) -> bool:
    """Whether a rating can be used; the reason goes into the report if not."""
    if value is None or not 0 < value <= scale:
        report.skip(BAD_RATING, line)
        return False
    return True
