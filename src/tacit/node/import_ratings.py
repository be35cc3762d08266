"""Import ratings from an export: recognize the format, read it, and summarize what would be kept.

found = read_export(open_export(Path("export.zip"))).beside(service.ratings())
found.summary()                          {"imported": 611, "skipped": 9, "reasons": {...}}
service.add(found.ratings())             importing the same file again changes nothing
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

from tacit.core import registry
from tacit.core.errors import BadInput, unknown
from tacit.node.catalogue import item_keys
from tacit.node.importers.archive import Export, open_export
from tacit.node.importers.base import Importer, Options, ParsedRating, Report, Skipped
from tacit.node.importers.build_ratings import full_title, merge_duplicates, outranks
from tacit.node.importers.cells import parse_number, parse_year
from tacit.node.importers.entries import has
from tacit.node.store.records import HIGH, LOW, Rating, Signal

PACKAGE = "tacit.node.importers"
KEPT = "kept as they were: what you have says more, or is later"
"""Why something in a file changes nothing."""

__all__ = [
    "Import",
    "NothingUsable",
    "Options",
    "Skipped",
    "formats",
    "full_title",
    "match_known_items",
    "parse_number",
    "parse_year",
    "read_export",
    "read_file",
    "recognize",
]


@dataclass(frozen=True, slots=True)
class Import:
    """The ratings in a file. Nothing has been stored."""

    format: str
    parsed: list[ParsedRating]
    """One per item (and person, in a cluster)."""
    report: Report

    def ratings(self) -> list[Rating]:
        """What to keep, on the scale of the store: 4 of 5 and 8 of 10 are both 4, nothing is below 1."""
        return [
            Rating(
                rating.key,
                rating.title,
                cast(Signal, rating.signal),
                None if rating.stars is None else min(max(rating.stars, LOW), HIGH),
                rating.time,
                self.format,
                rating.user,
            )
            for rating in self.parsed
        ]

    def beside(self, stored: Iterable[Rating]) -> Import:
        """The same without what is worth less than what is stored; that counts as left out."""
        known = {(rating.person, rating.key): rating for rating in stored}
        report = Report(dict(self.report.counts), dict(self.report.lines), list(self.report.skipped))
        fresh = []
        for rating in self.parsed:
            before = known.get((rating.user, rating.key))
            if before is not None and outranks(before, rating):
                report.skip(KEPT, text=rating.title)
            else:
                fresh.append(rating)
        return replace(self, parsed=fresh, report=report)

    def summary(self) -> dict[str, Any]:
        """How many items are kept, how many lines are not, and why not."""
        skipped = sum(self.report.counts.values())
        return {"imported": len(self.parsed), "skipped": skipped, "reasons": dict(self.report.counts)}

    def preview(self) -> dict[str, Any]:
        """What a person is shown before anything is kept; no titles in it."""
        times = sorted(rating.time for rating in self.parsed if rating.time is not None)
        return self.summary() | {
            "format": self.format,
            "kinds": dict(Counter(item_keys.kind_of(rating.key) for rating in self.parsed)),
            "signals": dict(Counter(rating.signal for rating in self.parsed)),
            "without_year": sum(rating.key.endswith(f":{item_keys.NO_YEAR}") for rating in self.parsed),
            "from": times[0] if times else None,
            "to": times[-1] if times else None,
            "lines": {reason: list(lines) for reason, lines in self.report.lines.items()},
        }


class NothingUsable(BadInput):
    """A file of which every row was left out."""

    def __init__(self, what: str, *, got: str, report: Report) -> None:
        super().__init__(what, got=got)
        self.report = report


@cache
def formats() -> dict[str, Importer]:
    """Every format by name."""
    return registry.offered(PACKAGE, "importer")


def recognize(export: Export) -> str | None:
    """The format a file looks like, if any; plain csv only when nothing else fits."""
    known = formats()
    fitting = [name for name, importer in known.items() if importer.recognizes(export)]
    return next((name for name in fitting if name != "csv"), "csv" if "csv" in fitting else None)


def read_export(
    export: Export, name: str | None = None, options: Options | None = None, known: Iterable[str] = ()
) -> Import:
    """Read a file in a format, or the one it looks like; `known` are keys of items that a title may mean.

    Raises BadInput, in one line without titles, when nothing can be read.
    """
    looks = recognize(export)
    options = options or Options()
    if name == "csv" and looks is not None and not options.columns and not is_plain(export):
        name = looks  # read as any csv, a service's export would lose its ratings
    name = name or ("csv" if options.columns else looks)
    if name is None:
        raise BadInput(
            f"{export.name} is not an export that tacit knows",
            allowed=f"{', '.join(formats())}; for any other table csv with --map",
        )
    if name not in formats():
        raise unknown("format", name, formats())
    if looks not in (None, name, "csv") and name != "csv":
        raise BadInput(
            f"{export.name} is no {name} export", got=f"what looks like {looks}", allowed=f"{looks}"
        )
    report = Report()
    parsed = merge_duplicates(formats()[name].read(export, options, report), report)
    if not parsed:
        why = "; ".join(f"{count} {reason}" for reason, count in report.counts.items())
        raise NothingUsable(
            f"{export.name} holds nothing that can be used", got=why or "no entries", report=report
        )
    return Import(name, match_known_items(parsed, known), report)


def is_plain(export: Export) -> bool:
    """Whether a file is a table as `csv` wants it, with a column `item`, or `title` and `rating`."""
    if len(export.names) != 1:
        return False
    return has(export, export.names[0], "item") or has(export, export.names[0], "title", "rating")


def read_file(
    path: Path, name: str | None = None, options: Options | None = None, known: Iterable[str] = ()
) -> Import:
    """Read a file on disk."""
    return read_export(open_export(path), name, options, known)


def match_known_items(parsed: list[ParsedRating], known: Iterable[str]) -> list[ParsedRating]:
    """Replace keys by known ones where a title can mean only one known item.

    A film without a year is taken for the only known film of its title. A film with a year is taken for the only known
    film of its title one year earlier or later. A title in another language counts where the first is not known.
    Nothing else is guessed.
    """
    years: dict[str, set[int]] = {}
    exact = set(known)
    for key in exact:
        if (year := item_keys.year_of(key)) is not None:
            years.setdefault(key.rpartition(":")[0], set()).add(year)
    matched = [replace(rating, key=_matched(rating, exact, years), other="") for rating in parsed]
    return merge_duplicates(matched, Report()) if matched != parsed else parsed


def _matched(rating: ParsedRating, exact: set[str], years: dict[str, set[int]]) -> str:
    """The first of a rating's keys that is known, or the key as it is."""
    near = [_near(key, exact, years) for key in (rating.key, rating.other) if key]
    return next((key for key in near if key in exact), rating.key)


def _near(key: str, exact: set[str], years: dict[str, set[int]]) -> str:
    stem = key.rpartition(":")[0]
    if key in exact or item_keys.kind_of(key) not in ("film", "series") or stem not in years:
        return key
    year = item_keys.year_of(key)
    near = [known for known in years[stem] if year is None or abs(known - year) == 1]
    return f"{stem}:{near[0]}" if len(near) == 1 else key
