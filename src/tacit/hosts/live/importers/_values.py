"""Cells to numbers and times; None where there is nothing to read."""

from __future__ import annotations

import math
import re
from calendar import timegm
from datetime import date, datetime

_ISO = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?")
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)\b")
_MOST = 4_102_444_800  # The year 2100.


def number(cell: str) -> float | None:
    """`4.5`, or `4,5` where commas are decimal points.

    >>> number("4,5"), number("many"), number("nan")
    (4.5, None, None)
    """
    try:
        value = float(cell.replace(",", ".")) if len(cell) < 40 else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def year(cell: str) -> int | None:
    """A year from 1800 to 2099 somewhere in the cell."""
    found = _YEAR.search(cell)
    return int(found[1]) if found else None


def time(cell: str) -> tuple[int | None, bool]:
    """(seconds since 1970, whether it is a moment and not only a day) of an ISO date or time, or Unix seconds.

    >>> time("1970-01-02"), time("1970-01-01T00:01:00.000Z"), time("soon")
    ((86400, False), (60, True), (None, False))
    """
    if cell.isascii() and cell.isdigit() and 8 < len(cell) < 12 and int(cell) < _MOST:
        return int(cell), True
    found = _ISO.match(cell)
    if not found:
        return None, False
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups())
    try:
        moment = datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None, False
    return timegm(moment.timetuple()), found[4] is not None


def day(when: date) -> int:
    """Seconds since 1970 at the start of a day."""
    return timegm(when.timetuple())
