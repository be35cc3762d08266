"""What came out, in pictures: learning curves, how users fare, what was sent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacit.experiment.result import Result
from tacit.report.figures.curves import (
    Over,
    figure_cdf,
    figure_communication,
    figure_curve,
    has_curve,
    to_svg,
)
from tacit.report.figures.style import line_style
from tacit.report.formatting import MISSING, amount, headline, in_words, listing, number, short_name
from tacit.report.page.elements import Html, element, picture, section, table
from tacit.report.run_groups import groups, labels, metric_names, nodes, per_user

_OVER: dict[Over, str] = {"hours": "virtual hours", "rounds": "rounds", "bytes": "MB sent per device"}
_QUANTILES = (0.05, 0.1, 0.5, 0.9, 0.95)


def curves_section(results: Sequence[Result]) -> Html:
    """The leading metrics over virtual time, rounds and bytes."""
    rows = []
    for metric in headline(metric_names(results), 2):
        figures = [_curve(results, metric, over) for over in _OVER if has_curve(results, metric, over)]
        if figures:
            rows.append(element("div", *figures, class_="figures three"))
    if not rows:
        return section("curves", "Learning curves", element("p", "No curve was recorded for these runs."))
    return section("curves", "Learning curves", legend(results), *rows)


def _curve(results: Sequence[Result], metric: str, over: Over) -> Html:
    everyone = groups(results)
    label = f"{in_words(metric)} over {_OVER[over]}, for {listing(group.label for group in everyone)}"
    level = [group.label for group in everyone if not has_curve(group.results, metric, over)]
    remark = f" {listing(level)}: final value, as a dotted line." if level else ""
    svg = to_svg(figure_curve(results, metric, over, legend=False), label)
    return picture(svg, f"{short_name(metric)} over {_OVER[over]}.{remark}")


def users_section(results: Sequence[Result]) -> Html:
    """How single users fare: a mean hides those for whom it works badly."""
    measured = [m for m in headline(metric_names(results), 2) if any(len(per_user(r, m)) for r in results)]
    if not measured:
        return section("users", "User by user", element("p", "No values of single users were recorded."))
    parts = []
    for metric in measured:
        name = short_name(metric)
        svg = to_svg(
            figure_cdf(results, metric, legend=False), f"Distribution of {in_words(metric)} over users"
        )
        caption = f"How {name} is spread over users. Dotted: the 10th, 50th and 90th of 100 users."
        parts.append(element("div", picture(svg, caption), _tails(results, metric), class_="figures two"))
    return section("users", "User by user", legend(results), *parts)


def _tails(results: Sequence[Result], metric: str) -> Html:
    rows = []
    for label, result in zip(labels(results), results, strict=True):
        values = per_user(result, metric)
        cells = [MISSING] * (len(_QUANTILES) + 1)
        if len(values):
            cells = [number(float(cell), 3) for cell in (*np.quantile(values, _QUANTILES), values.mean())]
        rows.append([label, *cells, f"{len(values):,}"])
    percentiles = [f"p{round(100 * share)}" for share in _QUANTILES]
    caption = f"{short_name(metric)} of users: percentiles"
    return table(caption, ["Run", *percentiles, "Mean", "Users"], rows)


def communication_section(results: Sequence[Result]) -> Html:
    """What was sent, altogether and by one device on average."""
    if not any(result.cost.bytes_sent for result in results):
        nothing = element("p", "No bytes were counted as sent in these runs.")
        return section("communication", "Communication", nothing)
    rows = []
    for name, result in zip(labels(results), results, strict=True):
        cost = result.cost
        size = amount(cost.bytes_sent / cost.messages / 1e3) if cost.messages else None
        each = amount(cost.messages / nodes(result))
        rows.append([name, amount(cost.bytes_sent / 1e6), f"{cost.messages:,}", each, size])
    headers = ["Run", "MB altogether", "Messages", "Messages per device", "kB per message"]
    label = "MB sent per device: " + listing(f"{g.label} {amount(g.sent() / 1e6)}" for g in groups(results))
    bars = picture(
        to_svg(figure_communication(results), label), "Bytes as encoded, shared out evenly over devices."
    )
    both = element("div", bars, table("What was sent", headers, rows), class_="figures two")
    return section("communication", "Communication", both)


def legend(results: Sequence[Result]) -> Html:
    """Which line is which, once for all figures of a section; nothing when there is one line only."""
    return swatches([group.label for group in groups(results)])


def swatches(labels: Sequence[str]) -> Html:
    """A legend with these names, in the order the lines are drawn."""
    if len(labels) == 1:
        return Html("")
    entries = [element("li", _swatch(place), element("span", label)) for place, label in enumerate(labels)]
    return element("ul", *entries, class_="legend")


def _swatch(place: int) -> Html:
    style = line_style(place)
    solid = style["linestyle"] == "solid"
    dashes = None if solid else ",".join(f"{2 * length:g}" for length in style["linestyle"][1])
    line = element(
        "line", x1=1, y1=5, x2=27, y2=5, stroke=style["color"], stroke_width=3, stroke_dasharray=dashes
    )
    return element("svg", line, class_="swatch", viewBox="0 0 28 10", aria_hidden="true")
