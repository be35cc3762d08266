"""Verdicts of full runs that were recorded: what the documentation says about each claim, and when it was measured.

verdicts.csv has a line for each claim and each table with printed numbers. `record` puts the lines of a finished
`tacit reproduce PAPER --out DIR` into it (`python benchmarks/record_verdicts.py DIR`). A claim whose rule
changed since has no line until it is measured again.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from io import StringIO
from typing import Any

from tacit.core.errors import BadInput
from tacit.papers.base import NOT_CHECKED, reference
from tacit.papers.measured import Measured, agreement
from tacit.papers.reproduce import paper_named

_HEAD = """\
# From full runs by benchmarks/record_verdicts.py.
"""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a full run found about a claim or a table."""

    paper: str
    item: str
    """A claim's name, or an exhibit's."""
    verdict: str
    """Of a table: how many of its printed numbers agree."""
    found: str
    version: str
    measured: str
    """The day."""


def recorded() -> dict[tuple[str, str], Recorded]:
    """Every line, by paper and item."""
    return {(row["paper"], row["item"]): Recorded(**row) for row in reference("verdicts")}


def from_result(told: Mapping[str, Any], day: str, numbers: Iterable[Measured]) -> list[Recorded]:
    """The lines of a reproduction (the object in result.json).

    `numbers`: everything that is then on record for the paper. A table's count is about all of them, also where this
    reproduction has only some.
    """
    if told.get("quick") or "claims" not in told:
        raise BadInput(
            "result", got="no full reproduction", allowed="result.json of tacit reproduce without --quick"
        )
    when = {"version": str(told["tacit"]), "measured": day}
    lines = [
        Recorded(told["paper"], claim["claim"], claim["verdict"], claim["ours"], **when)
        for claim in told["claims"]
        if claim["verdict"] != NOT_CHECKED
    ]
    paper = paper_named(told["paper"])
    printed = {exhibit.name: exhibit.printed for exhibit in paper.exhibits}
    new = {table["name"] for table in told["tables"] if any(row["ours"] is not None for row in table["rows"])}
    for name, counts in agreement(paper, numbers, str(told["tacit"])).items():
        if name in new:
            lines.append(Recorded(paper.name, name, agreeing(*counts, printed[name]()), "", **when))
    return lines


def agreeing(agree: int, compared: int, printed: int) -> str:
    """How many of our numbers agree; how many the paper prints, where that is another count.

    >>> agreeing(24, 24, 24), agreeing(6, 9, 21)
    ('24 of 24 numbers agree', '6 of 9 measured agree, 21 printed')
    """
    if compared == printed:
        return f"{agree} of {compared} numbers agree"
    return f"{agree} of {compared} measured agree, {printed} printed"


def as_text(lines: Iterable[Recorded]) -> str:
    """The file, in an order that does not depend on when a line was added."""
    out = StringIO()
    out.write(_HEAD)
    writer = csv.DictWriter(out, [field.name for field in fields(Recorded)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(line) for line in sorted(lines, key=lambda line: (line.paper, line.item)))
    return out.getvalue()


def merged(known: Mapping[tuple[str, str], Recorded], new: Iterable[Recorded]) -> str:
    """The file with new lines in place of old ones of the same claim or table."""
    return as_text((dict(known) | {(line.paper, line.item): line for line in new}).values())
