"""Numbers of full runs that were recorded, one per line: what the pages docs/papers/*-tables.md are written from.

`python benchmarks/record_verdicts.py DIR` puts the numbers of a reproduction into PAPER/measured.csv. A number stays,
with its version and day, until it is measured again.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from importlib.resources import files
from io import StringIO
from typing import Any

from tacit.papers.base import NOT_CHECKED, Fact, Paper, Row, reference
from tacit.papers.reproduce import paper_named

CLAIM = "claim "
"""What the numbers behind a claim have before its name in place of an exhibit."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One number, written as text so that a file that is read and written again stays the same."""

    exhibit: str
    panel: str
    name: str
    metric: str
    ours: str
    sd: str
    seeds: str
    paper: str
    """The paper's own number, where it prints one."""
    version: str
    measured: str
    """The day."""

    @property
    def age(self) -> tuple[int, ...]:
        """Its version, as numbers that can be compared."""
        return tuple(int(part) for part in re.findall(r"\d+", self.version))

    @property
    def place(self) -> tuple[str, str, str, str]:
        """What it is a number of."""
        return self.exhibit, self.panel, self.name, self.metric


def recorded_numbers(paper: str) -> list[Measured]:
    """Every line of a paper, in the order of its exhibits."""
    name = f"{paper}/measured"
    there = files("tacit.papers").joinpath(f"{name}.csv").is_file()
    return [Measured(**row) for row in reference(name)] if there else []


def numbers_of(told: Mapping[str, Any], day: str) -> list[Measured]:
    """The lines of a reproduction (the object in result.json). Figures that show spreads over users are left out."""
    when = (str(told["tacit"]), day)
    spreads = {e.name for e in paper_named(told["paper"]).exhibits if e.long and e.cdf}
    lines = [
        Measured(
            table["name"], row["panel"], row["name"], row["metric"], _text(row["ours"]), _text(row["sd"]),
            str(row["seeds"] or ""), _text(row["paper"]), *when,
        )
        for table in told["tables"]
        for row in table["rows"]
        if row["ours"] is not None and table["name"] not in spreads
    ]  # fmt: skip
    for claim in told["claims"]:
        if claim["verdict"] != NOT_CHECKED:
            lines += [
                Measured(CLAIM + claim["claim"], "", case, "", _text(value), "", "", "", *when)
                for case, value in claim["numbers"].items()
                if value is not None
            ]
    return lines


def merged_numbers(known: Iterable[Measured], new: Iterable[Measured]) -> list[Measured]:
    """New numbers in place of old ones; what a claim rested on before goes as a whole.

    Numbers that were not measured again stay with their version: a page shows each version by itself.
    """
    fresh = {line.place: line for line in new}
    judged = {line.exhibit for line in fresh.values() if line.exhibit.startswith(CLAIM)}
    kept = {line.place: line for line in known if line.exhibit not in judged}
    return list((kept | fresh).values())


def agreement(paper: Paper, lines: Iterable[Measured], version: str) -> dict[str, tuple[int, int]]:
    """By exhibit: how many numbers of a version are the paper's, and how many could be compared."""
    near: dict[tuple[str, str, str, str], float] = {}
    for e in paper.exhibits:
        compared_with: list[Row | Fact] = [*e.rows(False), *e.facts(False)]
        for one in compared_with:
            near[e.name, one.panel, one.name, one.metric] = one.tolerance
    found: dict[str, tuple[int, int]] = {}
    for line in lines:
        if line.version == version and line.place in near and line.paper and float(line.paper):
            ours, theirs = float(line.ours), float(line.paper)
            agree, compared = found.get(line.exhibit, (0, 0))
            same = abs(ours - theirs) <= near[line.place] * abs(theirs)
            found[line.exhibit] = agree + same, compared + 1
    return found


def as_text(lines: Iterable[Measured]) -> str:
    """The file."""
    out = StringIO()
    writer = csv.DictWriter(out, [field.name for field in fields(Measured)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(line) for line in lines)
    return out.getvalue()


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.12g}"
