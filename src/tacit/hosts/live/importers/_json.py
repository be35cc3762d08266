"""Entries of JSON files, one by one: only the fields asked for are kept, a bad entry is skipped and counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TypeVar

import msgspec

from tacit.core.errors import BadInput
from tacit.hosts.live.importers._export import Export
from tacit.hosts.live.importers._lines import Line
from tacit.hosts.live.importers.base import Report

T = TypeVar("T")
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
