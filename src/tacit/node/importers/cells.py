"""Parse the cells of a table: numbers, years, times, and dates of unknown order (`11/04/2022`).

A cell that cannot be read gives None. Text that a spreadsheet would take for a formula is written with an apostrophe
before it, and read without.
"""

from __future__ import annotations

import math
import re
from calendar import timegm
from datetime import date, datetime

from tacit.core.errors import BadInput
from tacit.node.importers.base import Options

_PARTS = re.compile(r"(\d{1,4})\D{1,2}(\d{1,2})\D{1,2}(\d{1,4})\D?")
_ISO = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?")
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)\b")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MOST = 4_102_444_800  # The year 2100.
_ORDERS = {"y-m-d": (0, 1, 2), "d/m": (2, 1, 0), "m/d": (2, 0, 1)}


def parse_days(cells: list[str], options: Options, where: str) -> list[int | None]:
    """Dates as seconds since 1970, None for a cell that holds none.

    The right order is one in which every cell is a day, none in the future, and the list runs from new to old. Raises
    BadInput when two orders are left that give different days.
    """
    if options.dates:
        return _read(cells, options.dates)
    readings = {order: _read(cells, order) for order in _ORDERS}
    filled = sum(bool(cell) for cell in cells)
    limit = midnight(options.today) + 86400
    whole = [
        r for r in readings.values() if len(known := _known(r)) == filled and max(known, default=0) <= limit
    ]
    sorted_down = [r for r in whole if _known(r) == sorted(_known(r), reverse=True)]
    left = sorted_down or whole
    if not left:  # Mixed by a spreadsheet: the time is unknown, the titles are not.
        return [None] * len(cells)
    if any(reading != left[0] for reading in left):
        line = 2 + next(i for i in range(len(cells)) if len({reading[i] for reading in left}) > 1)
        raise BadInput(
            f"dates in {where} can be read two ways",
            allowed="--map dates=d/m or --map dates=m/d",
            where=f"line {line}",
        )
    return left[0]


def _read(cells: list[str], order: str) -> list[int | None]:
    return [_day(cell, _ORDERS[order]) for cell in cells]


def _day(cell: str, places: tuple[int, int, int]) -> int | None:
    found = _PARTS.fullmatch(cell)
    if found is None:
        return None
    parts = found.groups()
    written = parts[places[0]]
    if len(written) not in (2, 4) or (places[0] == 0 and len(written) != 4):
        return None
    year, month, number = int(written), int(parts[places[1]]), int(parts[places[2]])
    try:
        return midnight(date(year + 2000 if len(written) == 2 else year, month, number))
    except ValueError:
        return None


def _known(reading: list[int | None]) -> list[int]:
    return [value for value in reading if value is not None]


def parse_number(cell: str) -> float | None:
    """`4.5`, or `4,5` where commas are decimal points.

    >>> parse_number("4,5"), parse_number("many"), parse_number("nan")
    (4.5, None, None)
    """
    try:
        value = float(cell.replace(",", ".")) if len(cell) < 40 else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def parse_year(cell: str) -> int | None:
    """A year from 1800 to 2099 somewhere in the cell."""
    found = _YEAR.search(cell)
    return int(found[1]) if found else None


def parse_time(cell: str) -> tuple[int | None, bool]:
    """(seconds since 1970, whether it is a moment and not only a day) of an ISO date or time, or Unix seconds.

    >>> parse_time("1970-01-02"), parse_time("1970-01-01T00:01:00.000Z"), parse_time("soon")
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


def escaped(value: object) -> object:
    """A cell that no spreadsheet runs.

    >>> escaped("=1+1"), escaped("'=1+1"), escaped("'tis"), escaped(-1)
    ("'=1+1", "''=1+1", "'tis", -1)
    """
    return f"'{value}" if isinstance(value, str) and value.lstrip("'").startswith(_FORMULA) else value


def unescaped(cell: str) -> str:
    """A cell as it was before `escaped`.

    >>> unescaped("'=1+1"), unescaped("=1+1"), unescaped("'tis")
    ('=1+1', '=1+1', "'tis")
    """
    is_escaped = cell.startswith("'") and cell.lstrip("'").startswith(_FORMULA)
    return cell[1:] if is_escaped else cell


def midnight(when: date) -> int:
    """Seconds since 1970 at the start of a day."""
    return timegm(when.timetuple())
