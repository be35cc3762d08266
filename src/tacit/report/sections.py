"""What came out: the sections of the page that show figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tacit.experiment.results import Result
from tacit.report.markup import Html, best_cell, bullets, element, pairs, picture, section, table
from tacit.report.plots import Over, figure_cdf, figure_communication, figure_curve, has_curve, line_style, to_svg
from tacit.report.runs import best, bytes_per_node, comparable, groups, labels, metric_names, nodes, per_user, speed, tail
from tacit.report.summary import cautions, summary
from tacit.report.words import amount, by_interest, compact, duration, headline, in_words, lower_is_better, number
from tacit.report.words import listing, short_name

_OVER: dict[Over, str] = {"hours": "virtual hours", "rounds": "rounds", "bytes": "MB sent per device"}
_QUANTILES = (0.05, 0.1, 0.5, 0.9, 0.95)


def summary_section(results: Sequence[Result]) -> Html:
    """In words first, then the few figures that a glance should catch."""
    warnings = cautions(results)
    first, *others = [line for line in summary(results) if line not in warnings]
    return section(
        "summary",
        "Summary",
        *(element("p", line, class_="warning", role="note") for line in warnings),
        element("p", first, class_="lead"),
        bullets(others) if others else "",
        _tiles(results),
    )


def _tiles(results: Sequence[Result]) -> Html:
    everyone = groups(results)
    tiles: list[tuple[str, str, str]] = []
    for metric in headline(metric_names(results), 1):
        if len(everyone) == 1:
            tiles.append((short_name(metric), number(everyone[0].metric(metric)), in_words(metric)))
        elif comparable(results):
            top = best([group.metric(metric) for group in everyone], metric)
            winner = next(group for group in everyone if group.metric(metric) == top)
            tiles.append((f"Best {short_name(metric)}", number(top), winner.label))
    sent = sorted({amount(group.sent() / 1e6): group.sent() for group in everyone}.items(), key=lambda pair: pair[1])
    spread = f"{sent[0][0]} – {sent[-1][0]}" if len(sent) > 1 else sent[0][0]
    tiles.append(("Sent per device", f"{spread} MB", "all messages, as encoded"))
    hours = max(result.cost.virtual_hours for result in results)
    if hours:
        tiles.append(("Virtual time", f"{amount(hours)} h", f"took {_took(results)} to compute"))
    tiles.append(("Devices", f"{nodes(results[0]):,}", str(results[0].data.get("name", ""))))
    return element(
        "div",
        *(
            element("div", element("span", name), element("b", value), element("small", remark), class_="tile")
            for name, value, remark in tiles
        ),
        class_="tiles",
    )


def _took(results: Sequence[Result]) -> str:
    return duration(sum(result.cost.wall_seconds for result in results))


def results_section(results: Sequence[Result], tests: Sequence[Mapping[str, Any]] | None) -> Html:
    """Every metric and every cost, one row a run, and the statistical tests when there are some."""
    metrics = by_interest(metric_names(results))
    fair = len(results) > 1 and comparable(results)
    winners = {metric: best([r.metrics.get(metric) for r in results], metric) for metric in metrics}
    lead = headline(metrics, 1)
    rows = []
    for label, result in zip(labels(results), results, strict=True):
        cells: list[object] = [label]
        for metric in metrics:
            value = result.metrics.get(metric)
            wins = fair and value is not None and value == winners[metric]
            cells.append(best_cell(number(value)) if wins else number(value))
        cells += [number(tail(result, metric)) for metric in lead]
        cost = result.cost
        rows.append([*cells, amount(bytes_per_node(result) / 1e6), f"{cost.messages:,}", amount(cost.virtual_hours),
                     compact(speed(result)), duration(cost.wall_seconds), amount(cost.peak_rss_mb or None)])  # fmt: skip
    headers = ["Run", *(_header(metric) for metric in metrics)]
    headers += [f"{short_name(metric)}, worst-off tenth" for metric in lead]
    headers += ["MB sent per device", "Messages", "Virtual hours", "Node-rounds per second", "Wall time", "Peak MB"]
    parts = [table("Figures at the end of each run", headers, rows)]
    meanings = "; ".join(f"{short_name(metric)}: {in_words(metric)}" for metric in lead)
    parts.append(element("p", f"↓ smaller is better, ↑ larger is better. {meanings}. Worst-off tenth: the value that "
                         "nine users in ten reach or surpass. Wall time is learning and exchange only.", class_="hint"))  # fmt: skip
    if tests:
        columns = list(dict.fromkeys(key for test in tests for key in test))
        parts.append(table("Paired tests", columns, [[test.get(key) for key in columns] for test in tests]))
    return section("results", "Results", *parts)


def _header(metric: str) -> str:
    return f"{short_name(metric)} {'↓' if lower_is_better(metric) else '↑'}"


def curves_section(results: Sequence[Result]) -> Html:
    """The leading metrics over virtual time, rounds and bytes."""
    metrics = [metric for metric in headline(metric_names(results), 2) if has_curve(results, metric)]
    if not metrics:
        return section("curves", "Learning curves", element("p", "No curve was recorded for these runs."))
    rows = [legend(results)]
    for metric in metrics:
        figures = []
        for over in _OVER:
            if has_curve(results, metric, over):
                label = f"{in_words(metric)} over {_OVER[over]}, for {listing(group.label for group in groups(results))}"
                svg = to_svg(figure_curve(results, metric, over, legend=False), label)
                level = [g.label for g in groups(results) if not has_curve(g.results, metric, over)]
                remark = f" {listing(level)}: final value, as a dotted line." if level else ""
                figures.append(picture(svg, f"{short_name(metric)} over {_OVER[over]}.{remark}"))
        rows.append(element("div", *figures, class_="figures three"))
    return section("curves", "Learning curves", *rows)


def users_section(results: Sequence[Result]) -> Html:
    """How single users fare: a mean hides those for whom it works badly."""
    metrics = [m for m in headline(metric_names(results), 2) if any(len(per_user(r, m)) for r in results)]
    if not metrics:
        return section("users", "User by user", element("p", "No values of single users were recorded."))
    parts: list[Html] = [legend(results)]
    for metric in metrics:
        names = [f"p{round(100 * q)}" for q in _QUANTILES]
        rows = []
        for label, result in zip(labels(results), results, strict=True):
            values = per_user(result, metric)
            cells = [number(float(q)) for q in np.quantile(values, _QUANTILES)] if len(values) else ["–"] * 5
            rows.append([label, *cells, number(float(values.mean()) if len(values) else None), f"{len(values):,}"])
        svg = to_svg(figure_cdf(results, metric, legend=False), f"Distribution of {in_words(metric)} over users")
        caption = f"How {short_name(metric)} is spread over users. Dotted: the 10th, 50th and 90th of 100 users."
        tails = table(f"{short_name(metric)} of users: percentiles", ["Run", *names, "Mean", "Users"], rows)
        parts.append(element("div", picture(svg, caption), tails, class_="figures two"))
    return section("users", "User by user", *parts)


def communication_section(results: Sequence[Result]) -> Html:
    """What was sent, on average by one device."""
    if not any(result.cost.bytes_sent for result in results):
        return section("communication", "Communication", element("p", "No bytes were counted as sent in these runs."))
    label = "MB sent per device: " + listing(f"{g.label} {amount(g.sent() / 1e6)}" for g in groups(results))
    rows = []
    for name, result in zip(labels(results), results, strict=True):
        cost, each = result.cost, result.cost.messages / nodes(result)
        size = amount(cost.bytes_sent / cost.messages / 1e3) if cost.messages else None
        rows.append([name, amount(cost.bytes_sent / 1e6), f"{cost.messages:,}", amount(each), size])
    headers = ["Run", "MB altogether", "Messages", "Messages per device", "kB per message"]
    return section(
        "communication",
        "Communication",
        element(
            "div",
            picture(to_svg(figure_communication(results), label), "Bytes as encoded, shared out evenly over devices."),
            table("What was sent", headers, rows),
            class_="figures two",
        ),
    )


def legend(results: Sequence[Result]) -> Html:
    """Which line is which, once for all figures of a section."""
    entries = []
    for place, group in enumerate(groups(results)):
        style = line_style(place)
        dashes = "" if style["linestyle"] == "solid" else ",".join(f"{2 * part:g}" for part in style["linestyle"][1])
        line = f'<line x1="1" y1="5" x2="27" y2="5" stroke="{style["color"]}" stroke-width="3" stroke-dasharray="{dashes}"/>'
        swatch = Html(f'<svg class="swatch" viewBox="0 0 28 10" aria-hidden="true">{line}</svg>')
        entries.append(Html(swatch + element("span", group.label)))
    return element("ul", *(element("li", entry) for entry in entries), class_="legend")


def data_section(results: Sequence[Result]) -> Html:
    """What the runs learned from, with counts and a checksum to recognise it by."""
    seen: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for result in results:
        entry = (dict(result.data), {f"split {k}" if k != "kind" else "split": v for k, v in result.split.items()})
        if entry not in seen:
            seen.append(entry)
    return section("data", "Data", *(pairs({k: _counted(v) for k, v in (data | split).items()}) for data, split in seen))


def _counted(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return element("code", value) if isinstance(value, str) and len(value) > 40 else value
