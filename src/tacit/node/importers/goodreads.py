"""Goodreads: `goodreads_library_export.csv`, whichever columns it has this year.

    Book Id,Title,Author,...,My Rating,...,Date Read,Date Added,...,Exclusive Shelf,My Review,...,Private Notes,...

My Rating 0 is none, else 1 to 5. Shelves: read, currently-reading, to-read, or a person's own (`dnf`, `unfinished`).
Reviews and private notes are never read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tacit.node.importers.archive import Export, Line
from tacit.node.importers.base import Importer, Options, ParsedRating, Report
from tacit.node.importers.build_ratings import item_rating, on_scale
from tacit.node.importers.cells import parse_number, parse_time
from tacit.node.importers.entries import has, table

_COLUMNS = ("title", "author", "my rating", "date read", "date added", "exclusive shelf")
_SCALE = 5.0
DROPPED = ("dnf", "did-not-finish", "unfinished", "abandoned", "gave-up", "stopped-reading")


def _recognizes(export: Export) -> bool:
    return any(has(export, name, "title", "author", "my rating", "exclusive shelf") for name in export.names)


def _read(export: Export, options: Options, report: Report) -> Iterator[ParsedRating]:
    for name in export.named("*.csv") or export.names:
        for line, cells in table(export, name, _COLUMNS, needed=("title", "author", "my rating")):
            found = signal(cells["my rating"], cells["exclusive shelf"], report, line)
            if found is None:
                continue
            when, _ = parse_time(cells["date read"] or cells["date added"])
            parsed = item_rating(
                "book", cells["title"], report, line, author=cells["author"], time=when, **found
            )
            if parsed is not None:
                yield parsed


def signal(rating: str, shelf: str, report: Report, line: Line) -> dict[str, Any] | None:
    """What a rating and a shelf say, or None and a reason; StoryGraph's are the same."""
    if rating and parse_number(rating) != 0:
        value = parse_number(rating)
        return (
            {"signal": "rating", "value": value, "scale": _SCALE}
            if on_scale(value, _SCALE, report, line)
            else None
        )
    shelf = shelf.lower()
    if shelf == "to-read":
        return {"signal": "want"}
    if shelf in DROPPED:
        return {"signal": "dropped"}
    if shelf in ("currently-reading", "paused"):
        report.skip("still being read", line)
        return None
    return {"signal": "seen"}


importer = Importer("Goodreads", "goodreads.com, My Books, Import and export: a csv", _recognizes, _read)
