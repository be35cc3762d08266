"""StoryGraph: its library as csv, of 2021 and today.

    Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,...,Star Rating,...

Stars from 0.25 to 5 in quarters. 2021: `Author`. Reviews are never read.
"""

from __future__ import annotations

from collections.abc import Iterator

from tacit.node.importers.archive import Export
from tacit.node.importers.base import Importer, Options, ParsedRating, Report
from tacit.node.importers.build_ratings import item_rating
from tacit.node.importers.cells import parse_time
from tacit.node.importers.entries import has, table
from tacit.node.importers.goodreads import signal

_COLUMNS = ("title", "authors", "author", "read status", "star rating", "last date read", "date added")


def _recognizes(export: Export) -> bool:
    return any(has(export, name, "title", "read status", "star rating") for name in export.names)


def _read(export: Export, options: Options, report: Report) -> Iterator[ParsedRating]:
    for name in export.named("*.csv") or export.names:
        for line, cells in table(export, name, _COLUMNS, needed=("title", "read status")):
            found = signal(cells["star rating"], cells["read status"], report, line)
            if found is None:
                continue
            author = (cells["authors"] or cells["author"]).partition(",")[0]
            when, _ = parse_time(cells["last date read"] or cells["date added"])
            parsed = item_rating("book", cells["title"], report, line, author=author, time=when, **found)
            if parsed is not None:
                yield parsed


importer = Importer("StoryGraph", "thestorygraph.com, Manage account, Export: a csv", _recognizes, _read)
