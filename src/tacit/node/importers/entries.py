"""Read csv tables and JSON files entry by entry: only the columns and fields that are asked for come out.

A csv may have any separator and order of columns. A JSON entry that cannot be read is skipped and counted.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from pathlib import PurePosixPath
from typing import TypeVar

import msgspec

from tacit.core.errors import BadInput
from tacit.node.importers.archive import Export, Line
from tacit.node.importers.base import Report

T = TypeVar("T")
SEPARATORS = ",;\t"
BAD_ENTRY = "an entry that cannot be read"


def entries(export: Export, name: str, shape: type[T], report: Report) -> Iterator[tuple[Line, T]]:
    """(number from 1, entry) of a JSON array."""
    try:
        raw = msgspec.json.decode(export.text(name), type=list[msgspec.Raw])
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadInput(f"{PurePosixPath(name).name} is damaged", allowed="a list in JSON") from error
    for number, entry in enumerate(raw, start=1):
        yield from _decoded(Line.of(number, name, bytes(entry).decode()), shape, report)


def lines(export: Export, name: str, shape: type[T], report: Report) -> Iterator[tuple[Line, T]]:
    """(line number, entry) of a file with one JSON object a line."""
    for number, text in enumerate(export.text(name).split("\n"), start=1):
        if text.strip():
            yield from _decoded(Line.of(number, name, text), shape, report)


def _decoded(line: Line, shape: type[T], report: Report) -> Iterator[tuple[Line, T]]:
    try:
        yield line, msgspec.json.decode(line.text, type=shape)
    except (msgspec.DecodeError, RecursionError):
        report.skip(BAD_ENTRY, line)


def header(text: str) -> tuple[str, ...]:
    """The names in the first line that is not empty, in small letters; empty for what is no table."""
    line = next((line for line in io.StringIO(text.lstrip("\ufeff")) if line.strip()), "")
    try:
        cells = next(csv.reader([line], delimiter=separator(line)), [])
    except csv.Error:
        return ()
    return tuple(_name(cell) for cell in cells)


def has(export: Export, name: str, *columns: str) -> bool:
    """Whether a member is a table with these columns."""
    return set(columns) <= set(header(export.head(name)))


def table(
    export: Export, name: str, wanted: Collection[str], needed: Collection[str] = ()
) -> Iterator[tuple[Line, dict[str, str]]]:
    """(line number, cells by column) of every row of a member; a column that is missing is an empty cell.

    Raises BadInput, with the line, for what cannot be read, and when a column in `needed` is not there. A quote that is
    never closed is such a line: it would swallow all that follows.
    """
    text = export.text(name).lstrip("\ufeff")
    where = PurePosixPath(name).name
    names = header(text)
    if missing := [column for column in needed if column not in names]:
        raise BadInput(
            f"{where} has no column {' nor '.join(missing)}",
            got=f"{len(names)} columns",
            allowed=f"a header line with {', '.join(needed)}",
        )
    places = {column: names.index(column) for column in wanted if column in names}
    stream = io.StringIO(text, newline="")  # Lines end where csv says, not at every sign that breaks a line.
    before = 0
    for first in stream:
        if first.strip():
            break
        before += 1
    taken: list[str] = []  # what the reader took for the row it is at: a cell may go over several lines
    reader = csv.reader(_noted(chain([first], stream), taken), delimiter=separator(first))
    try:
        next(reader)
        taken.clear()
        number = before + reader.line_num + 1
        for cells in reader:
            if len(taken) > 1 and "".join(taken).count('"') % 2:
                raise BadInput(f"{where} has a quote that is never closed", where=f"line {number}")
            if any(cell.strip() for cell in cells):
                line = Line.of(number, name, "".join(taken).rstrip("\r\n"))
                yield line, {column: _cell(cells, places.get(column)) for column in wanted}
            taken.clear()
            number = before + reader.line_num + 1
    except csv.Error as error:
        raise BadInput(f"{where} is no proper csv", where=f"line {before + reader.line_num}") from error


def _noted(lines: Iterable[str], taken: list[str]) -> Iterator[str]:
    for line in lines:
        taken.append(line)
        yield line


def separator(line: str) -> str:
    """The separator that a header line has most of."""
    return max(SEPARATORS, key=line.count)


def _name(cell: str) -> str:
    return " ".join(cell.strip().strip('"').lower().split())


def _cell(cells: list[str], place: int | None) -> str:
    return cells[place].strip() if place is not None and place < len(cells) else ""
