"""Figures of papers from our numbers: lines, points with a Pareto front, bars by category (`Chart`)."""

from __future__ import annotations

from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tacit.papers.base import Chart, Series
from tacit.report.figures.style import STYLE, line_style, marked_style

_HATCHES = ("", "////", "....", "\\\\\\\\", "xxxx", "----", "oo", "||||")
"""What tells bars apart in grey print."""
_FRONT: dict[str, Any] = {"color": "#8a8a8a", "linewidth": 1.2, "linestyle": (0, (4, 2))}


def figure_chart(chart: Chart) -> Figure:
    """Draw it, with a legend where there is more than one series."""
    with rc_context(STYLE):
        figure = Figure(figsize=(8.0 if chart.kind == "bars" else 5.4, 4.0), layout="constrained")
        axes = figure.add_subplot()
        for place, series in enumerate(chart.series):
            if chart.kind == "bars":
                _bars(axes, series, place, len(chart.series))
            else:
                _line(axes, series, place, chart.kind == "points")
        if chart.front:
            axes.step(*zip(*chart.front, strict=True), where="post", label="Pareto front", zorder=1, **_FRONT)
        if chart.kind == "bars":
            axes.set_xticks(range(len(chart.categories)), chart.categories, rotation=30, ha="right")
            axes.axhline(0, linewidth=0.8)
        if chart.log:
            axes.set(xscale="log", yscale="log")
        axes.set(xlabel=chart.x, ylabel=chart.y)
        if len(chart.series) > 1:
            figure.legend(loc="outside upper left", ncols=4, fontsize=9)
    return figure


def _line(axes: Axes, series: Series, place: int, points: bool) -> None:
    if not series.points:
        return
    x, y = zip(*series.points, strict=True)
    style = line_style(place)
    every = {} if len(x) >= 20 and not points else {"markevery": 1, "markersize": 4.5}
    axes.plot(x, y, label=series.name, **marked_style(place) | every)
    if series.end:
        axes.plot(x[-1:], y[-1:], "o", markersize=6, markerfacecolor="white", color=style["color"], zorder=4)


def _bars(axes: Axes, series: Series, place: int, count: int) -> None:
    width = 0.8 / count
    places = [x + (place - (count - 1) / 2) * width for x, _ in series.points]
    hatch = _HATCHES[place % len(_HATCHES)] if count > 1 else ""
    axes.bar(
        places, [y for _, y in series.points], width, label=series.name, color=_shade(place), hatch=hatch,
        edgecolor="white", linewidth=0,
    )  # fmt: skip


def _shade(place: int) -> str:
    """More colours than lines need: bars have no dashes to tell them apart."""
    return ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7",
            "#8a8a8a", "#b9a44c", "#5b3a8e", "#7fbf7b", "#8c510a")[place % 11]  # fmt: skip
