"""Results as tables for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tacit.experiment.results import Result
from tacit.report.runs import best, bytes_per_node, labels, metric_names, one_winner, per_user, speed, tail
from tacit.report.summary import cautions
from tacit.report.words import (
    MISSING,
    amount,
    by_interest,
    compact,
    duration,
    headline,
    in_words,
    number,
    short_name,
)

MARK = "*"


def summary_table(results: Sequence[Result], metrics: Sequence[str] | None = None) -> Table:
    """One row a run. `metrics`: which to show; by default the two that matter most, to fit 80 columns.

    The best value is marked when the runs were measured on the same ground.
    """
    names = metric_names(results)
    shown = list(metrics) if metrics is not None else headline(names, 2)
    fair = one_winner(results)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0, caption_justify="left")
    table.add_column("Run", overflow="fold")
    for metric in shown:
        table.add_column(short_name(metric), justify="right", no_wrap=True)
    if shown:
        table.add_column("Worst\ntenth", justify="right", no_wrap=True)
    for title in ("MB per\ndevice", "Messages", "Virtual\nhours", "Node-\nrounds\n/s", "Wall\ntime"):
        table.add_column(title, justify="right", no_wrap=True)
    winners = {metric: best([r.metrics.get(metric) for r in results], metric) for metric in shown}
    for label, result in zip(labels(results), results, strict=True):
        cells: list[str | Text] = [Text(_folded(label))]
        for metric in shown:
            value = result.metrics.get(metric)
            wins = fair and value is not None and value == winners[metric]
            cells.append(
                Text(number(value) + MARK, style="bold green") if wins else number(value) + " " * fair
            )
        cells += [number(tail(result, metric), 3) for metric in shown[:1]]
        table.add_row(*cells, *_costs(result))
    table.caption = _caption(shown, len(names) - len(shown), fair)
    return table


def result_table(result: Result) -> Table:
    """One run, every metric: the mean over users, the median user and where the worst-off tenth begins."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=Text(result.recipe), title_justify="left")
    table.add_column("Metric", overflow="fold")
    for title in ("Value", "Median user", "Worst tenth"):
        table.add_column(title, justify="right")
    for metric in by_interest(result.metrics):
        values = per_user(result, metric)
        median = float(np.median(values)) if len(values) else None
        table.add_row(
            in_words(metric), number(result.metrics[metric]), number(median), number(tail(result, metric))
        )
    table.add_section()
    titles = ("MB sent per device", "Messages", "Virtual hours", "Node-rounds per second", "Wall time")
    for title, cell in zip(titles, _costs(result), strict=True):
        table.add_row(title, cell)
    return table


def print_summary(console: Console, *results: Result) -> None:
    """One run in full, or several side by side, with what must be known to read them."""
    console.print(result_table(results[0]) if len(results) == 1 else summary_table(results))
    print_notes(console, results)


def print_notes(console: Console, results: Sequence[Result]) -> None:
    """What must be known to read the figures."""
    notes = [note for result in results for note in result.notes]
    for line in dict.fromkeys([*cautions(results), *notes]):
        console.print(Text(f"Note: {line}", style="yellow"))


def _costs(result: Result) -> list[str]:
    cost = result.cost
    return [
        amount(bytes_per_node(result) / 1e6),
        compact(cost.messages),
        amount(cost.virtual_hours),
        compact(speed(result)),
        duration(cost.wall_seconds) if cost.wall_seconds else MISSING,
    ]


def _folded(label: str) -> str:
    """A long name goes on where it has a joint, not in the middle of a word."""
    return label if len(label) <= 20 else label.replace("/", "/\n ", 1)


def _caption(shown: Sequence[str], more: int, fair: bool) -> str | None:
    lines = [f"{MARK} best"] if fair and shown else []
    if shown:
        lines.append(f"worst tenth: {short_name(shown[0])} of the user at the edge of the worst-off 10 %")
    if more > 0:
        lines.append(f"{more} more in the report")
    return "; ".join(lines) or None
