"""Tables of results for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tacit.experiment.kinds_of_lists import qualified, told_apart
from tacit.experiment.result import Result
from tacit.report.formatting import (
    MISSING,
    amount,
    brief,
    by_interest,
    column_title,
    compact,
    headline,
    in_words,
    listing,
    megabytes,
    number,
    short_name,
    value_of,
)
from tacit.report.run_groups import (
    best,
    bytes_per_node,
    labels,
    metric_names,
    one_winner,
    per_user,
    speed,
    tail,
)
from tacit.report.summary_sentences import cautions

MARK = "*"
_COSTS = ("MB per\ndevice", "Messages", "Virtual\nhours", "Node-\nrounds\n/s", "Wall\ntime")
_DISPENSABLE = {_COSTS[3]: "node-rounds per second", _COSTS[2]: "virtual hours", _COSTS[1]: "messages"}
"""Columns that make room for long names, the first one first."""


def summary_table(results: Sequence[Result], metrics: Sequence[str] | None = None, width: int = 80) -> Table:
    """One row per run. `metrics`: which to show; by default the two that matter most, to fit `width` columns.

    The best value is marked when the runs were measured on the same ground. Names stay whole: where there is no room,
    the least important columns are left out.
    """
    results = told_apart(results)
    names = metric_names(results)
    leading = list(metrics) if metrics is not None else headline(names, 2)
    fair = one_winner(results)
    winners = {metric: best([r.metrics.get(metric) for r in results], metric) for metric in leading}
    runs = [_folded(label) for label in labels(results)]
    columns: dict[str, list[str | Text]] = {
        column_title(qualified(metric, results)): [
            _value(r.metrics.get(metric), winners[metric], fair) for r in results
        ]
        for metric in leading
    }
    if leading:
        columns["Worst\ntenth"] = [number(tail(r, leading[0]), 3) for r in results]
    for title, cells in zip(_COSTS, zip(*map(_costs, results), strict=True), strict=True):
        columns[title] = list(cells)
    longest = max(len(line) for run in runs for line in run.splitlines()[:1])
    left_out = []
    for title, words in _DISPENSABLE.items():
        if longest + sum(1 + _width(title, cells) for title, cells in columns.items()) <= width:
            break
        del columns[title]
        left_out.append(words)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0, caption_justify="left")
    table.add_column("Run", overflow="fold", min_width=longest)
    for title in columns:
        table.add_column(title, justify="right", no_wrap=True)
    for run, *row in zip(runs, *columns.values(), strict=True):
        table.add_row(Text(run), *row)
    table.caption = _caption(leading, len(names) - len(leading), left_out, fair)
    return table


def _value(value: float | None, winner: float | None, fair: bool) -> str | Text:
    wins = fair and value is not None and value == winner
    return Text(number(value) + MARK, style="bold green") if wins else number(value) + " " * fair


def _width(title: str, cells: Sequence[str | Text]) -> int:
    return max(len(line) for line in (*title.splitlines(), *cells))


def result_table(result: Result) -> Table:
    """One run, every metric: the mean over users, the median user and where the worst-off tenth begins."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=Text(result.recipe), title_justify="left")
    table.add_column("Metric", overflow="fold")
    for title in ("Value", "Median user", "Worst tenth"):
        table.add_column(title, justify="right")
    metrics = by_interest(result.metrics)
    for kind in dict.fromkeys(map(result.list_of, metrics)):
        if kind:
            table.add_row(Text(f"{kind}:", style="italic"))
        for metric in metrics:
            if result.list_of(metric) == kind:
                values = per_user(result, metric)
                median = float(np.median(values)) if len(values) else None
                table.add_row(
                    in_words(metric),
                    value_of(metric, result.metrics[metric]),
                    number(median),
                    number(tail(result, metric)),
                )
    table.add_section()
    titles = ("MB sent per device", "Messages", "Virtual hours", "Node-rounds/s of learning", "Wall time")
    for title, cell in zip(titles, _costs(result), strict=True):
        table.add_row(title, cell)
    return table


def print_summary(console: Console, *results: Result) -> None:
    """One run in full, or several side by side, with what must be known to read them."""
    one = len(results) == 1
    console.print(result_table(results[0]) if one else summary_table(results, width=console.width))
    print_notes(console, results)


def print_notes(console: Console, results: Sequence[Result]) -> None:
    """What must be known to read the figures. A note about some of the runs says about which."""
    about: dict[str, list[str]] = {}
    for label, result in zip(labels(results), results, strict=True):
        for note in dict.fromkeys(result.notes):
            about.setdefault(note, []).append(label)
    notes = []
    for note, names in about.items():
        named = len(names) == len(results) or any(
            name in note for name in {result.recipe for result in results}
        )
        notes.append(note if named else f"{listing(names)}: {note}")
    for line in dict.fromkeys([*cautions(results), *notes]):
        console.print(Text(f"Note: {line}", style="yellow"))


def _costs(result: Result) -> list[str]:
    cost = result.cost
    return [
        megabytes(bytes_per_node(result)),
        compact(cost.messages),
        amount(cost.virtual_hours),
        compact(speed(result)),
        brief(cost.wall_seconds) if cost.wall_seconds else MISSING,
    ]


def _folded(label: str) -> str:
    """A long name with its parameters on a line of their own."""
    return label if len(label) <= 20 else label.replace(" (", "\n (", 1)


def _caption(leading: Sequence[str], more: int, left_out: Sequence[str], fair: bool) -> str | None:
    lines = [f"{MARK} best"] if fair and leading else []
    if leading:
        lines.append(f"worst tenth: {short_name(leading[0])} of the user at the edge of the worst-off 10 %")
    if more > 0:
        lines.append(f"{more} more in the report")
    if left_out:
        lines.append(f"no room for {listing(left_out)}")
    return "; ".join(lines) or None
