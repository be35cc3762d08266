"""A comparison as a table: recipes side by side with mean, spread over seeds, and significance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
from rich import box
from rich.table import Table
from rich.text import Text

from tacit.core.errors import unknown
from tacit.experiment.compare import Comparison
from tacit.experiment.kinds_of_lists import qualified
from tacit.experiment.result import Result
from tacit.experiment.significance import LEVEL, PairedTest
from tacit.metrics.higher_is_better import lower_is_better
from tacit.report.formatting import brief, by_interest, column_title, headline, megabytes, number, short_name
from tacit.report.latex import Strong, latex_table
from tacit.report.page.render import Html, Marked, render
from tacit.report.run_groups import bytes_per_node, comparable, mean, metric_names

BEST, LEVEL_WITH_BEST = "*", "="


def comparison_table(comparison: Comparison) -> Table:
    """For a terminal of 80 columns: one row per recipe, the two metrics that matter most."""
    standing = comparison.table()
    leading = headline(standing["metric"], 2)
    fair = comparable(comparison.results)
    seeds = max(len(runs) for runs in comparison.groups().values())
    out = Table(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1), collapse_padding=True,
        caption_justify="left",
    )  # fmt: skip
    out.add_column("Recipe", overflow="fold", min_width=max(map(len, comparison.groups())))
    for metric in leading:
        title = column_title(qualified(metric, comparison.results)) + ("\n± sd" if seeds > 1 else "")
        out.add_column(title, justify="right", no_wrap=True)
    for title in ("MB per\ndevice", "Wall\ntime"):
        out.add_column(title, justify="right", no_wrap=True)
    for name, runs in comparison.groups().items():
        cells: list[str | Text] = [Text(name)]
        for metric in leading:
            row = _row(standing, name, metric)
            mark = "" if row is None or not fair else BEST if row["best"] else LEVEL_WITH_BEST * row["level"]
            cells.append(
                Text(f"{_value(row).replace(chr(0xA0), '')}{mark or ' '}", style="bold green" if mark else "")
            )
        sent = mean([bytes_per_node(run) for run in runs])
        spent = sum(run.cost.wall_seconds for run in runs)
        out.add_row(*cells, megabytes(sent or 0.0), brief(spent))
    remarks = [f"{BEST} best; {LEVEL_WITH_BEST} not significantly worse than the best"] if fair else []
    remarks.append(f"mean over {seeds} seeds" if seeds > 1 else "one seed")
    out.caption = f"{'; '.join(remarks)}; tests of these differences are paired over users"
    return out


def comparison_section(comparison: Comparison) -> Html:
    """For the page: every metric, one row per recipe."""
    standing, fair = comparison.table(), comparable(comparison.results)
    metrics = by_interest(standing["metric"])
    rows = []
    for name in comparison.groups():
        cells: list[object] = [name]
        for metric in metrics:
            row = _row(standing, name, metric)
            if row is None or not fair or not row["level"]:
                cells.append(_value(row))
            else:
                cells.append(Marked(_value(row)) if row["best"] else Marked(f"≈ {_value(row)}", "strong"))
        rows.append(cells)
    headers = [_header(qualified(metric, comparison.results)) for metric in metrics]
    seeds = max(len(runs) for runs in comparison.groups().values())
    return render("comparison.html", headers=["Recipe", *headers], rows=rows, seeds=seeds, level=LEVEL)


def comparison_latex(comparison: Comparison, metrics: Sequence[str] | None = None) -> str:
    """For a paper: one row per arm; by default the four metrics that matter most. The best is set in bold."""
    standing, fair = comparison.table(), comparable(comparison.results)
    names = metric_names(comparison.results)
    for metric in metrics or ():
        if metric not in names:
            raise unknown("metric", metric, names)
    chosen = list(metrics) if metrics else headline(names, 4)
    rows = []
    for name in comparison.groups():
        cells: list[str] = [name]
        for metric in chosen:
            row = _row(standing, name, metric)
            value = _value(row)
            if row is None or not fair or not row["level"]:
                cells.append(value)
            else:
                cells.append(Strong(value) if row["best"] else f"{value} {LEVEL_WITH_BEST}")
        rows.append(cells)
    seeds = max(len(runs) for runs in comparison.groups().values())
    remark = f"mean ± standard deviation over {seeds} seeds" if seeds > 1 else "one seed"
    if fair:
        remark += (
            f"; bold: best; {LEVEL_WITH_BEST} not significantly worse than the best (paired tests over users)"
        )
    return latex_table(
        ["Recipe", *(_header(qualified(metric, comparison.results)) for metric in chosen)], rows, remark
    )


def significance_rows(tests: Sequence[PairedTest], results: Sequence[Result]) -> list[dict[str, Any]]:
    """The tests of these runs as the report's table shows them; p after Holm's correction."""
    return [
        {
            "Metric": short_name(qualified(test.metric, results)),
            "A": test.a,
            "B": test.b,
            "A minus B": f"{test.mean_difference:+.4f}",
            "95 % interval": f"{test.low:+.4f} to {test.high:+.4f}",
            "Effect size": f"{test.effect_size:+.2f}",
            "t: p": _p(test.t_p_holm),
            "Wilcoxon: p": _p(test.wilcoxon_p_holm),
            "Different": test.significant,
        }
        for test in tests
    ]


def _header(metric: str) -> str:
    return f"{short_name(metric)} {'↓' if lower_is_better(metric) else '↑'}"


def _row(standing: pl.DataFrame, name: str, metric: str) -> dict[str, Any] | None:
    found = standing.filter((pl.col("arm") == name) & (pl.col("metric") == metric))
    return found.row(0, named=True) if found.height else None


def _value(row: dict[str, Any] | None) -> str:
    if row is None:
        return number(None)
    return number(row["mean"]) + ("" if row["sd"] is None else f" ±\u00a0{number(row['sd'])}")


def _p(value: float) -> str:
    return f"{value:.4f}" if value >= 0.0001 else "< 0.0001"
