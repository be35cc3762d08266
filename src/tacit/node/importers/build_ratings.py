"""Ratings from the cells of an export: build one, merge several about an item, choose those of one profile.

A line gives a rating with key and title, or a reason in the report. Several ratings of an item become one. A person's
node takes the ratings of one person, a cluster's takes everybody's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Protocol

from tacit.core.errors import BadInput
from tacit.node.catalogue import item_keys
from tacit.node.catalogue.title_normalization import front_article
from tacit.node.importers.archive import Line
from tacit.node.importers.base import SIGNALS, Options, ParsedRating, Report

NO_TITLE = "no title"
BAD_RATING = "rating not on its scale"


def film_rating(title: str, year: int | None, report: Report, line: Line, **more: Any) -> ParsedRating | None:
    """The rating of a film, or None and a reason in the report."""
    return item_rating("film", title, report, line, year=year, **more)


def item_rating(
    kind: str,
    title: str,
    report: Report,
    line: Line,
    *,
    year: int | None = None,
    author: str = "",
    **more: Any,
) -> ParsedRating | None:
    """The rating of an item of any kind, or None and a reason in the report."""
    try:
        if kind == "book":
            key = item_keys.book_key(title, author)
        elif kind == "artist":
            key = item_keys.artist_key(title)
        elif kind == "album":
            key = item_keys.album_key(title, author)
        else:
            key = item_keys.title_key(kind, title, item_keys.year_text(year))
    except BadInput:
        report.skip(NO_TITLE, line)
        return None
    return ParsedRating(key, full_title(kind, title, year, author), **more)


def full_title(kind: str, title: str, year: int | None, author: str) -> str:
    """The title people see: `Night Ferry (2010)`, `Paper Boats, Ada Okafor`."""
    clean = front_article(item_keys.clean_title(item_keys.without_series(title) if kind == "book" else title))
    if not clean:
        return ""
    if kind in ("film", "series") and year is not None and item_keys.year_text(year) != item_keys.NO_YEAR:
        return clean if clean.endswith(f"({year})") else f"{clean} ({year})"
    return item_keys.clean_title(f"{clean}, {author}") if kind in ("book", "album") and author else clean


def on_scale(value: float | None, scale: float, report: Report, line: Line) -> bool:
    """Whether a rating can be used; the reason goes into the report if not."""
    if value is None or not 0 < value <= scale:
        report.skip(BAD_RATING, line)
        return False
    return True


SHARED_SECOND, SHARED_DAY = 5, 50
"""So many ratings at one second, or on one day, were written by a machine: their time says nothing."""
MIN_PLAYS = 3
"""Music heard less often is not counted as chosen."""


def merge_duplicates(ratings: Iterable[ParsedRating], report: Report) -> list[ParsedRating]:
    """One rating per (user, key), in the order of first appearance: the strongest signal, the latest of equals.

    How often something was seen adds up. Music played fewer than three times is left out and reported.
    """
    kept: dict[tuple[str, str], ParsedRating] = {}
    for rating in ratings:
        place = (rating.user, rating.key)
        kept[place] = _stronger(kept[place], rating) if place in kept else rating
    heard_once = [place for place, rating in kept.items() if _rarely_heard(rating)]
    for place in heard_once:
        report.skip(f"played fewer than {MIN_PLAYS} times", text=kept.pop(place).title)
    return _doubt_times(list(kept.values()))


class Dated(Protocol):
    """Something that was said about an item, and when."""

    @property
    def signal(self) -> str:
        """One of SIGNALS."""

    @property
    def time(self) -> int | None:
        """Seconds since 1970, if known."""


def outranks(old: Dated, new: Dated) -> bool:
    """Whether what was said before counts for more: it is a stronger signal, or the same and later.

    What has no date is not later than what has one.
    """
    a, b = SIGNALS.index(old.signal), SIGNALS.index(new.signal)
    if a != b:
        return a < b
    return old.time is not None and (new.time is None or new.time < old.time)


def _stronger(old: ParsedRating, new: ParsedRating) -> ParsedRating:
    if old.signal == new.signal == "seen":
        best = replace(
            old, value=old.value + new.value, time=_latest(old, new), exact=old.exact and new.exact
        )
    else:
        best = old if outranks(old, new) else new
    return replace(best, title=old.title or new.title)


def _latest(old: ParsedRating, new: ParsedRating) -> int | None:
    times = [rating.time for rating in (old, new) if rating.time is not None]
    return max(times) if times else None


def _rarely_heard(rating: ParsedRating) -> bool:
    return (
        rating.signal == "seen" and rating.key.startswith(("artist:", "album:")) and rating.value < MIN_PLAYS
    )


def _doubt_times(ratings: list[ParsedRating]) -> list[ParsedRating]:
    """Remove times that many ratings share. In a file about many people each person counts alone."""
    seconds = Counter((rating.user, rating.time) for rating in ratings if rating.exact)
    days = Counter((rating.user, rating.time // 86400) for rating in ratings if rating.time is not None)

    def doubtful(rating: ParsedRating) -> bool:
        if rating.time is None:
            return False
        shared = rating.exact and seconds[rating.user, rating.time] >= SHARED_SECOND
        return shared or days[rating.user, rating.time // 86400] >= SHARED_DAY

    return [replace(rating, time=None, exact=False) if doubtful(rating) else rating for rating in ratings]


def of_profile(ratings: list[ParsedRating], options: Options, where: str) -> list[ParsedRating]:
    """The ratings of the profile that was chosen, of the only one, or of all for a cluster.

    Raises BadInput when there are several and none was chosen.
    """
    if options.cluster and not options.profile:
        return ratings
    people = {rating.user for rating in ratings}
    if options.profile:
        ratings = [rating for rating in ratings if rating.user == options.profile]
        if not ratings:
            raise BadInput(f"{where} has no rows of this profile", got=options.profile)
    elif len(people) > 1:
        few = f": {', '.join(sorted(people))}" if len(people) <= 8 else ""
        raise BadInput(
            f"{where} is about {len(people)} people{few}",
            allowed="one, chosen with --map profile=NAME, or all in a node made with --cluster",
        )
    return ratings if options.cluster else [replace(rating, user="") for rating in ratings]
