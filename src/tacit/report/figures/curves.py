"""Figures of one or several runs: learning curves, the distribution over users, bytes sent.

Every function returns a `matplotlib.figure.Figure` and leaves no state behind. `to_svg` and `to_png` write it.

    to_png(figure_curve(results, "rmse", over="bytes"), "curve.png")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tacit.experiment.kinds_of_lists import one_kind
from tacit.experiment.result import Result
from tacit.metrics.higher_is_better import lower_is_better
from tacit.report.figures.image_files import INK
from tacit.report.figures.style import STYLE, canvas, line_style
from tacit.report.formatting import amount, number, short_name
from tacit.report.run_groups import Group, exists, groups, nodes, per_user

Over = Literal["hours", "rounds", "bytes"]

_CDF_POINTS = 300
_AXES: dict[Over, tuple[str, str]] = {
    "hours": ("hours", "Virtual hours"),
    "rounds": ("round", "Rounds"),
    "bytes": ("bytes", "MB sent per device"),
}


def has_curve(results: Sequence[Result], metric: str, over: Over = "hours") -> bool:
    """Whether any run has at least two points to draw a line through."""
    return any(len(_points(result, metric, over)[0]) > 1 for result in results)


def figure_curve(
    results: Sequence[Result], metric: str, over: Over = "hours", *, legend: bool = True
) -> Figure:
    """The metric while learning. A run without a curve (nothing sent, one evaluation) is a level line."""
    with rc_context(STYLE):
        figure, axes = canvas()
        everyone = groups(results)
        drawn: list[npt.NDArray[np.float64]] = []
        levels: list[float] = []
        ends: list[float] = []
        for place, group in enumerate(everyone):
            style = line_style(place)
            for result in group.results:
                x, y = _points(result, metric, over)
                if len(x) > 1:
                    axes.plot(x, y, **style)
                    axes.plot(x[-1:], y[-1:], "o", color=style["color"], markersize=4.5)
                    drawn.append(y)
                    ends.append(float(x[-1]))
                elif exists(result.metrics.get(metric)):
                    axes.axhline(
                        result.metrics[metric], color=style["color"], linewidth=1.3, linestyle=(0, (2, 2))
                    )
                    levels.append(result.metrics[metric])
        axes.set(xlabel=_AXES[over][1], ylabel=short_name(one_kind(metric, results)))
        if not drawn:
            axes.text(0.5, 0.5, "no curve was recorded", transform=axes.transAxes, ha="center", alpha=0.7)
        elif over == "bytes" and max(ends) > 30 * min(ends):
            axes.set_xscale("log")
        else:
            axes.set_xlim(left=0)
        _show_what_matters(axes, drawn, levels)
        if len(everyone) == 1 and len(drawn) == 1:
            _tell_end(axes, ends[0], float(drawn[0][-1]), metric)
        elif legend:
            _legend(figure, everyone, metric)
    return figure


def figure_cdf(results: Sequence[Result], metric: str, *, legend: bool = True) -> Figure:
    """Which share of the users has at most this value: the whole truth behind a mean."""
    with rc_context(STYLE):
        figure, axes = canvas()
        everyone = groups(results)
        for place, group in enumerate(everyone):
            for result in group.results:
                x, share = _cdf(per_user(result, metric))
                if len(x):
                    axes.step(x, 100 * share, where="post", **line_style(place))
        better = "left" if lower_is_better(metric) else "right"
        axes.set(
            xlabel=f"{short_name(one_kind(metric, results))} of a user (further {better} is better)",
            ylabel="% of users at most here",
        )
        axes.set_ylim(0, 100)
        for level in (10, 50, 90):
            axes.axhline(level, color=INK, linewidth=0.8, alpha=0.35, linestyle=(0, (1, 2)))
        if legend and len(everyone) > 1:
            _legend(figure, everyone, metric)
    return figure


def figure_communication(results: Sequence[Result]) -> Figure:
    """How much each device sent on average, one bar per setting."""
    with rc_context(STYLE):
        everyone = groups(results)
        figure, axes = canvas(height=0.9 + 0.62 * len(everyone))
        widths = [group.sent() / 1e6 for group in everyone]
        axes.barh(
            range(len(everyone)),
            widths,
            height=0.34,
            color=[line_style(i)["color"] for i in range(len(everyone))],
        )
        room = max(widths) or 1.0
        for place, (group, width) in enumerate(zip(everyone, widths, strict=True)):
            axes.text(0, place - 0.24, group.label, va="bottom", fontsize=10.5)
            axes.text(width + 0.015 * room, place, f"{amount(width)} MB", va="center", fontsize=10.5)
        axes.set(
            xlabel="MB sent per device", xlim=(0, 1.25 * room), ylim=(len(everyone) - 0.6, -0.72), yticks=[]
        )
        axes.spines["left"].set_visible(False)
        axes.grid(axis="y", visible=False)
    return figure


def _points(
    result: Result, metric: str, over: Over
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The curve's finite points; none when they do not move along the axis."""
    key = _AXES[over][0]
    pairs = [(point[key], point[metric]) for point in result.curve if key in point and metric in point]
    table = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    table = table[np.isfinite(table).all(axis=1)]
    if len(table) == 0 or table[0, 0] == table[-1, 0]:
        return np.empty(0), np.empty(0)
    scale = 1e6 * nodes(result) if over == "bytes" else 1.0
    return table[:, 0] / scale, table[:, 1]


def _cdf(values: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Sorted values to (value, share of users at most there), thinned evenly over the users."""
    if not len(values):
        return values, values
    x, counts = np.unique(values, return_counts=True)
    share = np.cumsum(counts) / len(values)
    x, share = np.r_[x[0], x], np.r_[0.0, share]
    keep = np.unique(np.linspace(0, len(x) - 1, min(len(x), _CDF_POINTS)).round().astype(np.int64))
    return x[keep], share[keep]


def _show_what_matters(axes: Axes, drawn: list[npt.NDArray[np.float64]], levels: list[float]) -> None:
    """First guesses are far off and would flatten all that follows: leave them out, and say so."""
    if not drawn:
        return
    late = np.concatenate([y[len(y) // 6 :] for y in drawn] + [np.array(levels)])
    low, high = float(late.min()), float(late.max())
    first = float(max(y.max() for y in drawn))
    margin = 0.06 * (high - low) or 0.05 * abs(high) or 0.05
    if first - low > 1.6 * (high - low) and first > high + margin:
        axes.set_ylim(low - margin, high + margin)
        axes.text(0.99, 0.98, f"early values up to {amount(first)} not shown", transform=axes.transAxes,
                  ha="right", va="top", fontsize=9.5, alpha=0.75)  # fmt: skip


def _tell_end(axes: Axes, x: float, y: float, metric: str) -> None:
    above = lower_is_better(metric)
    axes.annotate(
        number(y), (x, y), (0, 8 if above else -8), textcoords="offset points", ha="right",
        va="bottom" if above else "top", fontweight="bold",
    )  # fmt: skip


def _legend(figure: Figure, everyone: list[Group], metric: str) -> None:
    """Above the axes, with the final value beside the name."""
    axes = figure.axes[0]
    handles = [
        axes.plot([], [], **line_style(place), label=f"{group.label}  {number(group.metric(metric))}")[0]
        for place, group in enumerate(everyone)
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=1 if len(everyone) < 7 else 2)
