"""A reproduced paper on a terminal and as a page: its rows beside ours, its claims, its figures drawn anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import polars as pl
from matplotlib.figure import Figure
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tacit.core.atomic_files import atomic_write
from tacit.experiment.result import Result
from tacit.experiment.run_folder import write_json, writing
from tacit.papers.base import Exhibit, Row, Wanted, kind_of
from tacit.papers.reproduce import Reproduction
from tacit.report.figures.curves import figure_cdf, figure_curve, has_curve
from tacit.report.figures.image_files import file_name, save_all, to_svg
from tacit.report.figures.paper_figures import figure_chart
from tacit.report.formatting import listing, number, short_name
from tacit.report.instruments import figure_biases, figure_parts, figure_stream
from tacit.report.latex import latex_table
from tacit.report.machine import this_machine
from tacit.report.page.page import assemble, write_page
from tacit.report.page.provenance_sections import machine_section
from tacit.report.page.render import Drawing, Html, Marked, render

_COUNTED = {
    "holds": "held",
    "holds in most cases": "held in most cases",
    "does not hold": "did not hold",
    "not checked": "could not be checked",
}
_STYLES = {
    "holds": "green",
    "agrees": "green",
    "holds in most cases": "yellow",
    "does not hold": "red",
    "differs": "red",
}
_ROUNDING = 1e-6
"""A tolerance below it asks for the very number."""


def print_reproduction(console: Console, found: Reproduction) -> None:
    """Every row beside the paper's, then every claim with its verdict."""
    for exhibit, table in zip(found.exhibits, found.tables(), strict=True):
        if not table["rows"]:
            console.print(Text(f"{exhibit.title}: drawn in the report (--out DIR)"))
        elif exhibit.long:
            console.print(Text(f"{exhibit.title}: {len(table['rows'])} rows, in the report (--out DIR)"))
        else:
            console.print(_rows_table(table))
    claims = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, show_lines=True)
    for title in ("", "The paper's claim", "Ours", "Verdict"):
        claims.add_column(title, overflow="fold")
    for claim in found.claims():
        words = claim["verdict"]
        told = Text.assemble(claim["text"], (f" ({claim['source']})", "dim"))
        claims.add_row(
            claim["claim"], told, Text(claim["ours"]), Text(words, _STYLES.get(kind_of(words), ""))
        )
    if found.findings:
        console.print(claims)
    for note in found.paper.notes_of(found.quick):
        console.print(Text(f"Note: {note}", style="yellow"))


def _rows_table(table: Mapping[str, Any]) -> Table:
    out = Table(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, title=Text(table["title"]), title_justify="left"
    )
    printed = any(row["paper"] is not None for row in table["rows"])
    out.add_column("", overflow="fold", min_width=14)
    compared = ["Off by", ""] if printed else []
    for title in ("Metric", *(["Paper"] if printed else []), "Ours", *compared):
        out.add_column(title, justify="right", no_wrap=title != "Metric")
    for panel, inside in groupby(table["rows"], lambda row: row["panel"]):
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
                cells += [_percent(row), Text(_agreement(row), _STYLES.get(row["verdict"] or "", ""))]
            out.add_row(*cells)
        for name, why in missing.items():
            out.add_row(Text(f"  {name}: {why}", style="dim"))
    lists = dict.fromkeys((short_name(row["metric"]), row["list"]) for row in table["rows"] if row["list"])
    kinds = {kind: [name for name, of in lists if of == kind] for _, kind in lists}
    out.caption = "; ".join(f"{listing(names)}: {kind}" for kind, names in kinds.items()) or None
    out.caption_justify = "left"
    return out


def write_reproduction(found: Reproduction, folder: Path, command: str) -> None:
    """result.json, report.html, tables/ (csv and LaTeX), figures/ (PNG, PDF and SVG)."""
    write_json(folder / "result.json", found.to_json())
    with writing(folder):
        write_page(reproduction_page(found, command, this_machine()), folder / "report.html")
        write_tables(found, folder / "tables")
        save_all(figures_of(found), folder / "figures")


def reproduction_page(found: Reproduction, command: str, machine: Mapping[str, Any]) -> str:
    """The page."""
    data = {
        str(result.data["sha256"]): {**result.data, "sha256": Marked(result.data["sha256"], "code")}
        for result in found.outcomes.every()
    }
    sections = {
        "claims": _claims_section(found),
        **{exhibit.name: _exhibit_section(found, exhibit) for exhibit in found.exhibits},
        "data": render("data.html", entries=data.values()),
        "notes": render("notes.html", notes=dict.fromkeys(found.paper.notes_of(found.quick))),
        "machine": machine_section(machine),
        "again": render("again.html", command=command),
    }
    return assemble(found.paper.title, found.paper.citation, sections)


def write_tables(found: Reproduction, folder: Path) -> list[Path]:
    """Every table as csv and LaTeX, named after it."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for table in found.tables():
        texts = {
            ".csv": pl.DataFrame(table["rows"], infer_schema_length=None).write_csv(),
            ".tex": _latex(table),
        }
        for kind, text in texts.items():
            paths.append(folder / f"{table['name']}{kind}")
            with atomic_write(paths[-1]) as scratch:
                scratch.write_text(text, encoding="utf-8")
    return paths


def _latex(table: Mapping[str, Any]) -> str:
    printed = any(row["paper"] is not None for row in table["rows"])
    rows = []
    for row in table["rows"]:
        cells = [f"{row['panel']}: {row['name']}", _metric(row)]
        cells += [_figure(row["paper"])] if printed else []
        cells.append(_ours(row))
        rows.append(cells + ([_percent(row)] if printed else []))
    headers = ["", "Metric", *(["Paper"] if printed else []), "Ours", *(["Off by"] if printed else [])]
    return latex_table(headers, rows, table["title"])


def figures_of(found: Reproduction) -> dict[str, Figure]:
    """Every figure by the name of its file, each with a legend of its own."""
    figures = {chart.name: figure_chart(chart) for charts in found.charts().values() for chart in charts}
    for exhibit in found.exhibits:
        for panel, rows in _rows_by_panel(found, exhibit).items():
            for title, _, figure in _panel_figures(found, exhibit, panel, rows):
                name = file_name(f"{exhibit.name} {title}")
                figures[f"{name}-{len(figures)}" if name in figures else name] = figure
    return figures


def _claims_section(found: Reproduction) -> Html:
    claims = found.claims()
    verdicts = [kind_of(claim["verdict"]) for claim in claims]
    marked = [Marked(c["verdict"], "strong" if c["verdict"] == "holds" else "b") for c in claims]
    return render(
        "claims.html",
        counts=listing(
            f"{verdicts.count(word)} {words}" for word, words in _COUNTED.items() if word in verdicts
        ),
        rows=[
            [c["claim"], f"{c['text']} ({c['source']})", c["ours"], verdict]
            for c, verdict in zip(claims, marked, strict=True)
        ],
        measured=[
            (
                f"{c['claim']}: {c['measure']}",
                {name: number(value, 3) for name, value in c["numbers"].items()},
            )
            for c in claims
        ],
    )


def _exhibit_section(found: Reproduction, exhibit: Exhibit) -> Html:
    table = next(table for table in found.tables() if table["name"] == exhibit.name)
    printed = any(row["paper"] is not None for row in table["rows"])
    headers = ["", "Where", "Metric", *(["Paper"] if printed else []), "Ours"]
    headers += ["Difference", "Verdict"] if printed else []
    cells = []
    for row in table["rows"]:
        line: list[object] = [row["name"], row["panel"], _metric(row, full=True)]
        line += [_figure(row["paper"])] if printed else []
        line.append(_ours(row))
        cells.append(line + ([_difference(row), _agreement(row)] if printed else []))
    charts = exhibit.charts(found.outcomes)
    return render(
        "exhibit.html",
        name=exhibit.name,
        title=exhibit.title,
        panels=_panels(found, exhibit),
        charts=[_drawing(figure_chart(chart), chart.title) for chart in charts],
        headers=headers,
        rows=cells,
        ran=bool(exhibit.rows(found.quick)),
    )


def _panels(found: Reproduction, exhibit: Exhibit) -> dict[tuple[str, ...], list[Drawing]]:
    """The figures of every panel; those whose lines have the same names share a legend."""
    drawn: dict[tuple[str, ...], list[Drawing]] = {}
    for panel, rows in _rows_by_panel(found, exhibit).items():
        for title, names, figure in _panel_figures(found, exhibit, panel, rows, legend=False):
            drawn.setdefault(tuple(names.values()), []).append(_drawing(figure, title))
    return drawn


def _rows_by_panel(found: Reproduction, exhibit: Exhibit) -> dict[str, list[Row]]:
    panels: dict[str, list[Row]] = {}
    for row in exhibit.rows(found.quick):
        panels.setdefault(row.panel, []).append(row)
    return panels


def _names(rows: Iterable[Row]) -> dict[Wanted, str]:
    """What each run of a panel is called in the paper."""
    names: dict[Wanted, str] = {}
    for row in rows:
        if row.wanted not in names:
            again = sum(name.split(" #")[0] == row.name for name in names.values())
            names[row.wanted] = f"{row.name} #{again + 1}" if again else row.name
    return names


def _panel_figures(
    found: Reproduction, exhibit: Exhibit, panel: str, rows: Sequence[Row], *, legend: bool = True
) -> list[tuple[str, Mapping[Wanted, str], Figure]]:
    """What is drawn for a panel, each with its title and the names of its lines."""
    drawn: list[tuple[str, Mapping[Wanted, str], Figure]] = []
    for metric in exhibit.cdf:
        names = _names(row for row in rows if row.metric == metric)
        results = _labelled(found, names)
        if any(metric in result.per_user.columns for result in results):
            title = panel if len(exhibit.cdf) == 1 else f"{panel}: {short_name(metric)}"
            drawn.append((title, names, figure_cdf(results, metric, legend=legend)))
    names, metric = _names(rows), rows[0].metric
    results = _labelled(found, names)
    if exhibit.over is not None and has_curve(results, metric, exhibit.over):
        drawn.append((panel, names, figure_curve(results, metric, exhibit.over, legend=legend)))
    elif exhibit.inside is not None and results:
        firsts = {name: runs[0] for wanted, name in names.items() if (runs := found.outcomes[wanted])}
        drawn.append((f"{panel}, seed {results[0].seed}", {}, _inside(exhibit.inside, firsts)))
    return drawn


def _labelled(found: Reproduction, names: Mapping[Wanted, str]) -> list[Result]:
    return [
        replace(result, label=name) for wanted, name in names.items() for result in found.outcomes[wanted]
    ]


def _drawing(figure: Figure, title: str) -> Drawing:
    return Drawing(to_svg(figure, title), title)


def _inside(kind: str, runs: Mapping[str, Result]) -> Figure:
    if kind == "stream":
        return figure_stream(runs)
    only = next(iter(runs.values()))
    return figure_parts(only) if kind == "parts" else figure_biases(only)


def _was_run(row: Mapping[str, Any]) -> bool:
    return row["ours"] is not None or row["verdict"] is None


def _metric(row: Mapping[str, Any], full: bool = False) -> str:
    """The metric's name, in full with the kind of list it is of; nothing where the row is named after it."""
    if row["metric"] == row["name"]:
        return ""
    metric, _, where = row["metric"].partition(" ")
    words = [
        short_name(metric).replace("_", " "),
        *([where] if where else []),
        *(["ratio"] if row["ratio"] else []),
    ]
    name = " ".join(words)
    return f"{name}, {row['list']}" if full and row["list"] else name


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


def _agreement(row: Mapping[str, Any]) -> str:
    """Whether a number is the paper's, with how far it may be off: every row has its own tolerance."""
    if row["verdict"] not in ("agrees", "differs"):
        return row["verdict"] or ""
    near = f"± {100 * row['tolerance']:.3g} %" if row["tolerance"] > _ROUNDING else "exactly"
    return f"{row['verdict']} ({near})"


def _percent(row: Mapping[str, Any]) -> str:
    """How far from the paper's figure."""
    if row["difference"] is None or not row["paper"]:
        return ""
    percent = round(100 * row["difference"] / row["paper"])
    return f"{percent:+d} %" if percent else "0 %"
