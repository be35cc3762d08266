"""Days in a list that does not say how they are written: `11/04/2022` is in April or in November."""

from __future__ import annotations

import re
from datetime import date

from tacit.core.errors import BadInput
from tacit.hosts.live.importers._values import day
from tacit.hosts.live.importers.base import Options

_PARTS = re.compile(r"(\d{1,4})\D{1,2}(\d{1,2})\D{1,2}(\d{1,4})\D?")
_ORDERS = {"y-m-d": (0, 1, 2), "d/m": (2, 1, 0), "m/d": (2, 0, 1)}


def day_order(cells: list[str], options: Options, where: str) -> list[int | None]:
    """The days as seconds since 1970, None for a cell that holds none.

    The right order is one in which every cell is a day, none in the future, and the list runs from new to old. Raises
    BadInput when two orders are left that give different days.
    """
    if options.dates:
        return _read(cells, options.dates)
    readings = {order: _read(cells, order) for order in _ORDERS}
    filled = sum(bool(cell) for cell in cells)
    limit = day(options.today) + 86400
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
        return day(date(year + 2000 if len(written) == 2 else year, month, number))
    except ValueError:
        return None


def _known(reading: list[int | None]) -> list[int]:
    return [value for value in reading if value is not None]
