"""A paper run again, for a terminal and as a page: what it claims, what we found, its figures drawn anew."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tacit.experiment.result import Result
from tacit.papers.base import Exhibit, Row, Wanted
from tacit.papers.reproduce import Reproduction
from tacit.report.figures.curves import figure_cdf, figure_curve, has_curve, to_svg
from tacit.report.figures.paper_figures import figure_chart
from tacit.report.formatting import listing, number, short_name
from tacit.report.instruments import figure_biases, figure_parts, figure_stream
from tacit.report.page.elements import Html, bullets, element, pairs, picture, section, table
from tacit.report.page.figure_sections import swatches
from tacit.report.page.page import assemble, write_page
from tacit.report.page.provenance_sections import command_section, machine_section

_COUNTED = {
    "holds": "held",
    "partly": "held in part",
    "does not hold": "did not hold",
    "not checked": "could not be checked",
}
_STYLES = {"holds": "green", "agrees": "green", "partly": "yellow", "does not hold": "red", "differs": "red"}


def print_reproduction(console: Console, found: Reproduction) -> None:
    """Every row beside the paper's, then every claim with its verdict."""
    for exhibit, told in zip(found.exhibits, found.tables(), strict=True):
        if exhibit.long:
            console.print(Text(f"{exhibit.title}: {len(told['rows'])} rows, in the report (--out DIR)"))
        else:
            console.print(_rows_table(told))
    claims = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, show_lines=True)
    for title in ("", "The paper's claim", "Ours", "Verdict"):
        claims.add_column(title, overflow="fold")
    for claim in found.claims():
        words = claim["verdict"]
        claims.add_row(
            claim["claim"], Text(claim["text"]), Text(claim["ours"]), Text(words, _STYLES.get(words, ""))
        )
    if found.findings:
        console.print(claims)
    for note in found.paper.notes:
        console.print(Text(f"Note: {note}", style="yellow"))


def _rows_table(told: Mapping[str, Any]) -> Table:
    out = Table(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, title=Text(told["title"]), title_justify="left"
    )
    printed = any(row["paper"] is not None for row in told["rows"])
    out.add_column("", overflow="fold", min_width=14)
    for title in ("Metric", *(["Paper"] if printed else []), "Ours", *(["Off by", ""] if printed else [])):
        out.add_column(title, justify="right", no_wrap=title != "Metric")
    for panel, inside in groupby(told["rows"], lambda row: row["panel"]):
        rows = list(inside)
        there = [row for row in rows if _was_run(row)]
        missing = {row["name"]: row["verdict"] for row in rows if not _was_run(row)}
        if not there:
            out.add_row(
                Text.assemble((panel, "bold"), (f": {listing(sorted(set(missing.values())))}", "dim"))
            )
            continue
        out.add_row(Text(panel, style="bold"))
        for row in there:
            cells: list[Text | str] = [Text("  " + row["name"]), _metric(row)]
            cells += [_figure(row["paper"])] if printed else []
            cells.append(_ours(row))
            if printed:
                verdict = row["verdict"] or ""
                cells += [_percent(row), Text(verdict, _STYLES.get(verdict, ""))]
            out.add_row(*cells)
        for name, why in missing.items():
            out.add_row(Text(f"  {name}: {why}", style="dim"))
    return out


def write_reproduction(found: Reproduction, path: Path, command: str, machine: Mapping[str, Any]) -> None:
    """The page."""
    everything = found.outcomes.every()
    subtitle = element("p", found.paper.citation, class_="subtitle")
    sections = {
        "claims": _claims_section(found),
        **{exhibit.name: _exhibit_section(found, exhibit) for exhibit in found.exhibits},
        "data": _data_section(everything),
        "notes": section("notes", "Notes", bullets(found.paper.notes)) if found.paper.notes else Html(""),
        "machine": machine_section(machine),
        "again": command_section(command),
    }
    write_page(assemble(found.paper.title, subtitle, sections), path)


def _claims_section(found: Reproduction) -> Html:
    if not found.findings:
        return Html("")
    claims = found.claims()
    verdicts = [claim["verdict"] for claim in claims]
    counts = listing(f"{verdicts.count(word)} {told}" for word, told in _COUNTED.items() if word in verdicts)
    rows = [[claim["claim"], claim["text"], claim["ours"], _word(claim["verdict"])] for claim in claims]
    numbers = [
        element(
            "details",
            element("summary", f"{claim['claim']}: {claim['measure']}"),
            pairs({name: number(value, 3) for name, value in claim["numbers"].items()}),
        )
        for claim in claims
    ]
    headers = ["Claim", "The paper says", "We find", "Verdict"]
    return section(
        "claims",
        "Claims",
        element("p", f"Of {len(claims)} claims, {counts}.", class_="lead"),
        table("Claims of the paper and what our runs say", headers, rows, numeric=False),
        element("p", "How each was measured, and the numbers:", class_="hint"),
        *numbers,
    )


def _exhibit_section(found: Reproduction, exhibit: Exhibit) -> Html:
    told = next(told for told in found.tables() if told["name"] == exhibit.name)
    pictures = _pictures(found, exhibit)
    printed = any(row["paper"] is not None for row in told["rows"])
    headers = ["", "Where", "Metric", *(["Paper"] if printed else []), "Ours"]
    headers += ["Difference", "Verdict"] if printed else []
    cells = []
    for row in told["rows"]:
        line: list[object] = [row["name"], row["panel"], _metric(row)]
        line += [_figure(row["paper"])] if printed else []
        line.append(_ours(row))
        cells.append(line + ([_difference(row), row["verdict"]] if printed else []))
    drawn = [
        picture(to_svg(figure_chart(chart), chart.title), chart.title)
        for chart in exhibit.charts(found.outcomes)
    ]
    return section(
        exhibit.name,
        exhibit.title,
        *pictures,
        element("div", *drawn, class_="figures two") if drawn else "",
        element(
            "details", element("summary", "Final values"), table("At the end of each run", headers, cells)
        ),
    )


def _pictures(found: Reproduction, exhibit: Exhibit) -> list[Html]:
    """A figure a panel; panels whose lines have the same names share a legend."""
    drawn: dict[tuple[str, ...], list[Html]] = {}
    panels: dict[str, list[Row]] = {}
    for row in exhibit.rows(found.quick):
        panels.setdefault(row.panel, []).append(row)
    for panel, rows in panels.items():
        names: dict[Wanted, str] = {}
        for row in rows:
            names.setdefault(row.wanted, row.name)
        results = [result for wanted in names for result in found.outcomes[wanted]]
        if exhibit.over is not None and has_curve(results, rows[0].metric, exhibit.over):
            figure = figure_curve(results, rows[0].metric, exhibit.over, legend=False)
            drawn.setdefault(tuple(names.values()), []).append(picture(to_svg(figure, panel), panel))
        elif exhibit.cdf and any(rows[0].metric in result.per_user.columns for result in results):
            figure = figure_cdf(results, rows[0].metric, legend=False)
            drawn.setdefault(tuple(names.values()), []).append(picture(to_svg(figure, panel), panel))
        elif exhibit.inside is not None and results:
            firsts = {name: found.outcomes[wanted][0] for wanted, name in names.items()}
            svg = to_svg(_inside(exhibit.inside, firsts), panel)
            drawn.setdefault((panel,), []).append(picture(svg, f"{panel}, seed {results[0].seed}"))
    if exhibit.inside is not None:
        return [element("div", *(one for many in drawn.values() for one in many), class_="figures three")]
    return [
        part
        for lines, figures in drawn.items()
        for part in (swatches(lines), element("div", *figures, class_="figures three"))
    ]


def _inside(kind: str, runs: Mapping[str, Result]) -> Figure:
    if kind == "stream":
        return figure_stream(runs)
    only = next(iter(runs.values()))
    return figure_parts(only) if kind == "parts" else figure_biases(only)


def _word(verdict: str) -> Html:
    return element("strong" if verdict == "holds" else "b", verdict)


def _data_section(results: list[Result]) -> Html:
    seen = {
        str(result.data["sha256"]): {**result.data, "sha256": element("code", result.data["sha256"])}
        for result in results
    }
    return section("data", "Data", *(pairs(data) for data in seen.values()))


def _was_run(row: Mapping[str, Any]) -> bool:
    return bool(row["seeds"]) or row["verdict"] is None


def _metric(row: Mapping[str, Any]) -> str:
    return short_name(row["metric"]).replace("_", " ") + (" ratio" if row["ratio"] else "")


def _figure(value: float | None) -> str:
    """Counts of items without decimals."""
    counted = value is not None and abs(value) >= 10 and value == int(value)
    return f"{value:,.0f}" if counted else number(value)


def _ours(row: Mapping[str, Any]) -> str:
    if not _was_run(row):
        return str(row["verdict"])
    return _figure(row["ours"]) + (f" ± {number(row['sd'])}" if row["sd"] is not None else "")


def _difference(row: Mapping[str, Any]) -> str:
    if row["difference"] is None:
        return number(None)
    if not row["paper"]:
        return ""
    apart = row["difference"]
    size = f"{apart:+,.0f}" if apart and apart == int(apart) else f"{apart:+.4f}"
    return f"{size} ({_percent(row)})"


def _percent(row: Mapping[str, Any]) -> str:
    """How far from the paper's figure."""
    return (
        f"{100 * row['difference'] / row['paper']:+.0f} %"
        if row["difference"] is not None and row["paper"]
        else ""
    )
