"""Rows from cells: key and title from what a line says, or a reason why there is no row.

One row an item: several things a person did with it are put together.

Whose rows: a person's node takes one person's, a cluster's takes everybody's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tacit.core.errors import BadInput
from tacit.node.catalogue import item_keys as keys
from tacit.node.catalogue.title_normalization import front_article
from tacit.node.importers.archive import Line
from tacit.node.importers.base import SIGNALS, Options, Report, Row

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


SHARED_SECOND, SHARED_DAY = 5, 50
"""So many rows at one second, or on one day, were written by a machine: their time says nothing."""
MIN_PLAYS = 3
"""Music heard less often is not counted as chosen."""


def merge(rows: Iterable[Row], report: Report) -> list[Row]:
    """One row for each (user, key), in the order of first appearance: the strongest signal, the latest of equals.

    How often something was seen adds up. Music played fewer than three times is left out and reported.
    """
    kept: dict[tuple[str, str], Row] = {}
    for row in rows:
        place = (row.user, row.key)
        kept[place] = _stronger(kept[place], row) if place in kept else row
    heard_once = [place for place, row in kept.items() if _rarely_heard(row)]
    for place in heard_once:
        report.skip(f"played fewer than {MIN_PLAYS} times", text=kept.pop(place).title)
    return _doubt_times(list(kept.values()))


def _stronger(old: Row, new: Row) -> Row:
    a, b = SIGNALS.index(old.signal), SIGNALS.index(new.signal)
    if old.signal == new.signal == "seen":
        best = replace(
            old, value=old.value + new.value, time=_latest(old, new), exact=old.exact and new.exact
        )
    elif a != b:
        best = old if a < b else new
    else:
        best = old if old.time is not None and (new.time is None or new.time < old.time) else new
    return replace(best, title=old.title or new.title)


def _latest(old: Row, new: Row) -> int | None:
    times = [row.time for row in (old, new) if row.time is not None]
    return max(times) if times else None


def _rarely_heard(row: Row) -> bool:
    return row.signal == "seen" and row.key.startswith(("artist:", "album:")) and row.value < MIN_PLAYS


def _doubt_times(rows: list[Row]) -> list[Row]:
    """Without the times that many rows share. In a file about many people each person counts alone."""
    seconds = Counter((row.user, row.time) for row in rows if row.exact)
    days = Counter((row.user, row.time // 86400) for row in rows if row.time is not None)

    def doubtful(row: Row) -> bool:
        if row.time is None:
            return False
        shared = row.exact and seconds[row.user, row.time] >= SHARED_SECOND
        return shared or days[row.user, row.time // 86400] >= SHARED_DAY

    return [replace(row, time=None, exact=False) if doubtful(row) else row for row in rows]


def chosen(rows: list[Row], options: Options, where: str) -> list[Row]:
    """The rows of the profile that was chosen, of the only one, or of all for a cluster.

    Raises BadInput when there are several and none was chosen.
    """
    if options.cluster and not options.profile:
        return rows
    people = {row.user for row in rows}
    if options.profile:
        rows = [row for row in rows if row.user == options.profile]
        if not rows:
            raise BadInput(f"{where} has no rows of this profile", got=options.profile)
    elif len(people) > 1:
        few = f": {', '.join(sorted(people))}" if len(people) <= 8 else ""
        raise BadInput(
            f"{where} is about {len(people)} people{few}",
            allowed="one, chosen with --map profile=NAME, or all in a node made with --cluster",
        )
    return rows if options.cluster else [replace(row, user="") for row in rows]
