"""The numbers of the last full runs as docs/papers/*-tables.md, one number per cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tacit.papers.base import Claim, Exhibit, Paper
from tacit.papers.measured import CLAIM, Measured, recorded_numbers
from tacit.papers.reproduce import paper_named, papers
from tacit.papers.verdicts import recorded
from tacit.report.formatting import amount, number, short_name
from tacit.report.markdown import table

_HEAD = """# {title}: measured tables

Written by `make docs` from the output of `tacit reproduce {name}`; a test keeps it true. Numbers are means over seeds,
with their standard deviation (sd) where there are several; "paper" is the number that the paper prints. A number that
is not here was not measured with these rules yet, or its data set is not at hand. [Coverage](coverage.md) has the
verdicts.
"""


def measured_pages() -> dict[str, str]:
    """The pages of all papers that have numbers, by their names."""
    return {f"{name}-tables.md": tables_page(name) for name in papers() if recorded_numbers(name)}


def tables_page(name: str) -> str:
    """Markdown for docs/papers/NAME-tables.md."""
    paper, lines = paper_named(name), recorded_numbers(name)
    newest = max((line.age for line in lines), default=())
    parts = [_HEAD.format(title=paper.title, name=name)]
    parts += _exhibits(paper, [line for line in lines if line.age == newest], "##", gaps=True)
    behind = [_claim(paper, claim, lines) for claim in paper.claims]
    if any(behind):
        parts += ["## The numbers behind the claims\n", *behind]
    for version in sorted({line.version for line in lines if line.age != newest}):
        parts.append(f"## Numbers of version {version} that were not measured again\n")
        old = [line for line in lines if line.version == version and not line.exhibit.startswith(CLAIM)]
        parts += _exhibits(paper, old, "###")
    return "\n".join(part for part in parts if part)


def _exhibits(paper: Paper, lines: Sequence[Measured], level: str, gaps: bool = False) -> list[str]:
    """A section for every table and figure; `gaps`: rows for what a panel lacks."""
    parts = []
    for exhibit in paper.exhibits:
        own = [line for line in lines if line.exhibit == exhibit.name]
        if own:
            parts.append(_exhibit(paper.name, exhibit, own, level, gaps))
    return parts


def _exhibit(name: str, exhibit: Exhibit, lines: Sequence[Measured], level: str, gaps: bool) -> str:
    parts = [
        f"{level} {exhibit.title}\n",
        f"`tacit reproduce {name} --table {exhibit.name}`; measured with {_when(lines)}.\n",
    ]
    if exhibit.note:
        parts.append(f"{exhibit.note}\n")
    for panel in dict.fromkeys(line.panel for line in lines):
        inside = [line for line in lines if line.panel == panel]
        there = {line.name for line in inside}
        missing = {
            row.name: f"needs {row.wanted.needs}" if row.wanted.needs else "to be measured"
            for row in (exhibit.rows(False) if gaps else ())
            if row.panel == panel and row.name not in there
        }
        parts += [f"**{panel}**\n", _panel(inside, missing, _at_the_end(exhibit))]
    return "\n".join(parts)


def _at_the_end(exhibit: Exhibit) -> str:
    """When numbers beside learning curves were read: ` at 48 h`; nothing where hours do not count."""
    hours = {
        dict(row.wanted.settings).get("hours")
        for row in (exhibit.rows(False) if exhibit.over == "hours" else ())
    }
    return f" at {hours.pop():g} h" if len(hours) == 1 and None not in hours else ""


def _panel(lines: Sequence[Measured], missing: Mapping[str, str], when: str = "") -> str:
    """A row per algorithm or setting, and for every kind of metric our number, its spread and the paper's.

    Where each line is about something else, as sizes of a data set are, there is a line for each. Rows that were not
    run say why. `when`: what the heads of columns say after the metric's name.
    """
    if len({line.name for line in lines}) == len({line.metric for line in lines}) == len(lines) > 1:
        parts = ["ours", *_beside(lines)]
        return table(("", *parts), [[line.name, *_cells(line, parts)] for line in lines])
    found = {(line.name, short_name(line.metric)): line for line in lines}
    columns = {
        title: ["ours", *_beside([line for (_, other), line in found.items() if other == title])]
        for _, title in found
    }
    rows = []
    for name in dict.fromkeys(line.name for line in lines):
        row = [name]
        for title, parts in columns.items():
            row += _cells(found.get((name, title)), parts)
        rows.append(row)
    heads = [
        f"{title}{when}" if part == "ours" else f"{title}{when}, {part}"
        for title in columns
        for part in columns[title]
    ]
    rows += [[name, why, *[""] * (len(heads) - 1)] for name, why in missing.items()]
    return table(("", *heads), rows)


def _beside(lines: Sequence[Measured]) -> list[str]:
    """Which parts some of these lines have beside our number."""
    return [part for part in ("sd", "paper") if any(getattr(line, part) for line in lines)]


def _cells(line: Measured | None, parts: Sequence[str]) -> list[str]:
    return ["" if line is None else _shown(getattr(line, part)) for part in parts]


def _claim(paper: Paper, claim: Claim, lines: Sequence[Measured]) -> str:
    own = [line for line in lines if line.exhibit == CLAIM + claim.name]
    line = recorded().get((paper.name, claim.name))
    if not own or line is None:
        return ""
    heading = f"**{claim.name}: {claim.text}** ({claim.source}). Counted as holding: {claim.measure}."
    rows = [[one.name, _shown(one.ours)] for one in own]
    told = f"{heading} Found: {line.verdict}; measured with {_when(own)}.\n"
    return "\n".join((told, table(("case", "number"), rows)))


def _when(lines: Sequence[Measured]) -> str:
    return "; ".join(dict.fromkeys(f"{line.version} on {line.measured}" for line in lines))


def _shown(text: str) -> str:
    if not text:
        return ""
    value = float(text)
    return number(value) if abs(value) < 10 and value != int(value) else amount(value)
