"""Sections of the page with figures: learning curves, users, communication."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacit.experiment.kinds_of_lists import qualified, told_apart
from tacit.experiment.result import Result
from tacit.report.figures.curves import Over, figure_cdf, figure_communication, figure_curve, has_curve
from tacit.report.figures.image_files import to_svg
from tacit.report.formatting import MISSING, amount, headline, in_words, listing, number, short_name
from tacit.report.page.render import Drawing, Html, render
from tacit.report.run_groups import groups, labels, metric_names, nodes, per_user

_OVER: dict[Over, str] = {"hours": "virtual hours", "rounds": "rounds", "bytes": "MB sent per device"}
_QUANTILES = (0.05, 0.1, 0.5, 0.9, 0.95)


def curves_section(results: Sequence[Result]) -> Html:
    """The leading metrics over virtual time, rounds and bytes."""
    results = told_apart(results)
    curves = [
        [_curve(results, metric, over) for over in _OVER if has_curve(results, metric, over)]
        for metric in headline(metric_names(results), 2)
    ]
    return render("curves.html", labels=_lines(results), curves=[drawn for drawn in curves if drawn])


def _curve(results: Sequence[Result], metric: str, over: Over) -> Drawing:
    everyone = groups(results)
    full = qualified(metric, results)
    label = f"{in_words(full)} over {_OVER[over]}, for {listing(group.label for group in everyone)}"
    level = [group.label for group in everyone if not has_curve(group.results, metric, over)]
    remark = f" {listing(level)}: final value, as a dotted line." if level else ""
    seeds = max(len(group.results) for group in everyone)
    remark += f" Mean over {seeds} seeds; shaded: one standard deviation." if seeds > 1 else ""
    svg = to_svg(figure_curve(results, metric, over, legend=False), label)
    return Drawing(svg, f"{short_name(full)} over {_OVER[over]}.{remark}")


def users_section(results: Sequence[Result]) -> Html:
    """How single users fare: a mean hides those for whom it works badly."""
    results = told_apart(results)
    measured = [m for m in headline(metric_names(results), 2) if any(len(per_user(r, m)) for r in results)]
    metrics = []
    for metric in measured:
        full = qualified(metric, results)
        name, label = short_name(full), f"Distribution of {in_words(full)} over users"
        caption = f"How {name} is spread over users. Dotted: the 10th, 50th and 90th of 100 users."
        drawing = Drawing(to_svg(figure_cdf(results, metric, legend=False), label), caption)
        metrics.append((name, drawing, _tails(results, metric)))
    headers = ["Run", *(f"p{round(100 * share)}" for share in _QUANTILES), "Mean", "Users"]
    return render("users.html", labels=_lines(results), metrics=metrics, headers=headers)


def _tails(results: Sequence[Result], metric: str) -> list[list[str]]:
    rows = []
    for label, result in zip(labels(results), results, strict=True):
        values = per_user(result, metric)
        cells = [MISSING] * (len(_QUANTILES) + 1)
        if len(values):
            cells = [number(float(cell), 3) for cell in (*np.quantile(values, _QUANTILES), values.mean())]
        rows.append([label, *cells, f"{len(values):,}"])
    return rows


def communication_section(results: Sequence[Result]) -> Html:
    """What was sent, altogether and by one device on average."""
    if not any(result.cost.bytes_sent for result in results):
        return render("communication.html", drawing=None)
    rows = []
    for name, result in zip(labels(results), results, strict=True):
        cost = result.cost
        size = amount(cost.bytes_sent / cost.messages / 1e3) if cost.messages else None
        each = amount(cost.messages / nodes(result))
        rows.append([name, amount(cost.bytes_sent / 1e6), f"{cost.messages:,}", each, size])
    label = "MB sent per device: " + listing(f"{g.label} {amount(g.sent() / 1e6)}" for g in groups(results))
    svg = to_svg(figure_communication(results), label)
    drawing = Drawing(svg, "Bytes as encoded, shared out evenly over devices.")
    return render("communication.html", drawing=drawing, rows=rows)


def _lines(results: Sequence[Result]) -> list[str]:
    """What a legend names."""
    return [group.label for group in groups(results)]
