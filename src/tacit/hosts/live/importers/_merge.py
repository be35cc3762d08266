"""One row an item: several things a person did with it are put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from tacit.hosts.live.importers.base import SIGNALS, Report, Row

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
