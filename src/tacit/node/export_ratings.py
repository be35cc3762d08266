"""Export to csv: all ratings, which any node can import again, and the lines that an import left out.

Spreadsheets run what starts like a formula. Such a cell has an apostrophe before it, which an import takes away.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.core.errors import BadInput
from tacit.node.importers.cells import escaped
from tacit.node.store.records import Rating

if TYPE_CHECKING:
    from tacit.node.importers.base import Skipped


def write_ratings(file: Path, ratings: list[Rating]) -> int:
    """item,title,rating,timestamp,signal[,user]; readable by the owner only. How many."""
    _write(file, *ratings_table(ratings))
    return len(ratings)


def ratings_table(ratings: list[Rating], *, source: bool = False) -> tuple[list[str], list[list[object]]]:
    """Header and rows of a csv of ratings; `user` only where there are people with names."""
    many = any(rating.person for rating in ratings)
    header = ["item", "title", "rating", "timestamp", "signal"]
    rows: list[list[object]] = []
    for r in ratings:
        value = "" if r.value is None else repr(r.value).removesuffix(".0")
        rows.append([r.key, r.title, value, "" if r.time is None else r.time, r.signal])
        rows[-1] += ([r.person] if many else []) + ([r.source] if source else [])
    rows = [[escaped(cell) for cell in row] for row in rows]
    return header + (["user"] if many else []) + (["source"] if source else []), rows


def write_skipped(file: Path, skipped: Iterable[Skipped]) -> None:
    """file,row,reason,content; content is the row as it was. Readable by the owner only."""
    rows = [[escaped(cell) for cell in (one.file, one.line or "", one.reason, one.text)] for one in skipped]
    _write(file, ["file", "row", "reason", "content"], rows)


def _write(file: Path, header: list[str], rows: Iterable[Iterable[object]]) -> None:
    try:
        handle = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", newline="", encoding="utf-8") as out:
            table = csv.writer(out)
            table.writerow(header)
            table.writerows(rows)
    except OSError as problem:
        raise BadInput(
            "file", got=f"{file}: {problem.strerror}", allowed="a file that can be written"
        ) from None
