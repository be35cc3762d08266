"""Sections of the page with the summary in words and the table of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tacit.experiment.kinds_of_lists import qualified, told_apart
from tacit.experiment.result import Result
from tacit.metrics.higher_is_better import lower_is_better
from tacit.report.formatting import (
    amount,
    by_interest,
    compact,
    duration,
    headline,
    meaning,
    number,
    short_name,
    value_of,
)
from tacit.report.page.render import Html, Marked, render
from tacit.report.run_groups import (
    best,
    bytes_per_node,
    comparable,
    groups,
    labels,
    metric_names,
    nodes,
    one_winner,
    speed,
    tail,
)
from tacit.report.summary_sentences import cautions, summary

_COSTS = [
    "MB sent per device",
    "Messages",
    "Virtual hours",
    "Node-rounds/s of learning",
    "Wall time",
    "Peak MB",
]


def summary_section(results: Sequence[Result]) -> Html:
    """In words first, then the few figures that a glance should catch."""
    warnings = cautions(results)
    first, *others = [line for line in summary(results) if line not in warnings]
    return render("summary.html", warnings=warnings, first=first, others=others, tiles=_glance(results))


def _glance(results: Sequence[Result]) -> list[tuple[str, str, str]]:
    """Name, value and remark of the figures that stand out."""
    everyone = groups(results)
    tiles = []
    for metric in headline(metric_names(results), 1):
        if len(everyone) == 1:
            tiles.append(
                (
                    short_name(qualified(metric, results)),
                    value_of(metric, everyone[0].metric(metric)),
                    meaning(metric),
                )
            )
        elif comparable(results):
            top = best([group.metric(metric) for group in everyone], metric)
            winner = next(group for group in everyone if group.metric(metric) == top)
            tiles.append((f"Best {short_name(qualified(metric, results))}", number(top), winner.label))
    sent = sorted(group.sent() / 1e6 for group in everyone)
    spread = " to ".join(dict.fromkeys([amount(sent[0]), amount(sent[-1])]))
    tiles.append(("Sent per device", f"{spread} MB", "all messages, as encoded"))
    hours = max(result.cost.virtual_hours for result in results)
    took = duration(sum(result.cost.wall_seconds for result in results))
    if hours:
        tiles.append(("Virtual time", f"{amount(hours)} h", f"took {took} to compute"))
    return [*tiles, ("Devices", f"{nodes(results[0]):,}", str(results[0].data.get("name", "")))]


def results_section(results: Sequence[Result], tests: Sequence[Mapping[str, Any]]) -> Html:
    """Every metric and every cost, one row per run, and the statistical tests when there are some."""
    results = told_apart(results)
    metrics = by_interest(metric_names(results))
    full = {metric: qualified(metric, results) for metric in metrics}
    lead = headline(metrics, 1)
    fair = one_winner(results)
    winners = {metric: best([r.metrics.get(metric) for r in results], metric) for metric in metrics}
    rows = []
    for label, result in zip(labels(results), results, strict=True):
        cells: list[object] = [label]
        for metric in metrics:
            value = result.metrics.get(metric)
            wins = fair and value is not None and value == winners[metric]
            cells.append(Marked(value_of(metric, value)) if wins else value_of(metric, value))
        cells += [number(tail(result, metric)) for metric in lead]
        rows.append([*cells, *_costs(result)])
    tails = [f"{short_name(metric)}, worst-off tenth" for metric in lead]
    tested = list(dict.fromkeys(key for test in tests for key in test))
    return render(
        "results.html",
        headers=["Run", *map(_header, full.values()), *tails, *_COSTS],
        rows=rows,
        meanings=[f"{short_name(full[metric])}: {meaning(metric)}" for metric in headline(metrics, 12)],
        tails=tails,
        tested=tested,
        tests=[[test.get(key) for key in tested] for test in tests],
    )


def _costs(result: Result) -> list[str]:
    cost = result.cost
    return [
        amount(bytes_per_node(result) / 1e6),
        f"{cost.messages:,}",
        amount(cost.virtual_hours),
        compact(speed(result)),
        duration(cost.wall_seconds),
        amount(cost.peak_rss_mb or None),
    ]


def _header(metric: str) -> str:
    return f"{short_name(metric)}\u00a0{'↓' if lower_is_better(metric) else '↑'}"
