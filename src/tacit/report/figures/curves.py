"""Figures of one or several runs: learning curves, the distribution over users, bytes sent.

Every function returns a `matplotlib.figure.Figure` and leaves no state behind. `to_svg` and `to_png` write it.

    to_png(figure_curve(results, "rmse", over="bytes"), "curve.png")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tacit.experiment.kinds_of_lists import one_kind
from tacit.experiment.result import Result
from tacit.metrics.higher_is_better import lower_is_better
from tacit.report.figures.image_files import INK, file_name
from tacit.report.figures.style import STYLE, canvas, line_style, marked_style
from tacit.report.formatting import amount, headline, number, short_name
from tacit.report.run_groups import Group, groups, metric_names, nodes, per_user

Over = Literal["hours", "rounds", "bytes"]
Floats = npt.NDArray[np.float64]

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
    """The metric while learning: one line per setting, the mean over its seeds, with a band of one standard deviation.

    A run without a curve (nothing sent, one evaluation) is a level line.
    """
    with rc_context(STYLE):
        figure, axes = canvas()
        everyone = groups(results)
        drawn: list[Floats] = []
        levels: list[float] = []
        ends: list[float] = []
        for place, group in enumerate(everyone):
            x, y, sd = _mean_curve(group, metric, over)
            if len(x) > 1:
                axes.plot(x, y, **(marked_style(place) if len(everyone) > 1 else line_style(place)))
                _band(axes, x, y, sd, place)
                drawn += [y - sd, y + sd]
                ends.append(float(x[-1]))
            elif (level := group.metric(metric)) is not None:
                _level(axes, level, group.spread(metric) or 0.0, place)
                levels.append(level)
        axes.set(xlabel=_AXES[over][1], ylabel=short_name(one_kind(metric, results)))
        if not drawn:
            axes.text(0.5, 0.5, "no curve was recorded", transform=axes.transAxes, ha="center", alpha=0.7)
        elif over == "bytes" and max(ends) > 30 * min(ends):
            axes.set_xscale("log")
        else:
            axes.set_xlim(left=0)
        _show_what_matters(axes, drawn, levels)
        if len(everyone) == 1 and ends:
            _tell_end(axes, x[-1], y[-1], line_style(0)["color"])
        elif legend:
            _legend(figure, everyone)
    return figure


def study_figures(results: Sequence[Result]) -> dict[str, Figure]:
    """The figures of a study by the names of their files: the leading metric while learning, and over users."""
    figures: dict[str, Figure] = {}
    for metric in headline(metric_names(results), 1):
        for over in _AXES:
            if has_curve(results, metric, over):
                figures[file_name(f"{metric} over {over}")] = figure_curve(results, metric, over)
        if any(len(per_user(result, metric)) for result in results):
            figures[file_name(f"{metric} of users")] = figure_cdf(results, metric)
    return figures


def figure_cdf(results: Sequence[Result], metric: str, *, legend: bool = True) -> Figure:
    """Which share of the users has at most this value: the whole truth behind a mean."""
    with rc_context(STYLE):
        figure, axes = canvas()
        everyone = groups(results)
        for place, group in enumerate(everyone):
            x, share, sd = _mean_cdf([per_user(result, metric) for result in group.results])
            if len(x):
                style = marked_style(place) if len(everyone) > 1 else line_style(place)
                axes.step(x, 100 * share, where="post", **style)
                _band(axes, x, 100 * share, 100 * sd, place, step="post")
        better = "left" if lower_is_better(metric) else "right"
        axes.set(
            xlabel=f"{short_name(one_kind(metric, results))} of a user (further {better} is better)",
            ylabel="% of users at most here",
        )
        axes.set_ylim(0, 100)
        for level in (10, 50, 90):
            axes.axhline(level, color=INK, linewidth=0.8, alpha=0.35, linestyle=(0, (1, 2)))
        if legend and len(everyone) > 1:
            _legend(figure, everyone)
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


def _mean_curve(group: Group, metric: str, over: Over) -> tuple[Floats, Floats, Floats]:
    """The mean of a group's curves and its standard deviation over the seeds (zeros for one), point by point.

    Seeds are measured at the same instants. Where one has other points, all are read where every one has a value.
    """
    curves = [(x, y) for result in group.results if len((found := _points(result, metric, over))[0]) > 1
              for x, y in [found]]  # fmt: skip
    if not curves:
        return np.empty(0), np.empty(0), np.empty(0)
    if len({len(x) for x, _ in curves}) == 1:
        places = np.mean([x for x, _ in curves], axis=0)
        values = np.array([y for _, y in curves])
    else:
        low, high = max(x[0] for x, _ in curves), min(x[-1] for x, _ in curves)
        places = np.unique(np.concatenate([x[(x >= low) & (x <= high)] for x, _ in curves]))
        values = np.array([np.interp(places, x, y) for x, y in curves])
    return places, values.mean(axis=0), _spread(values)


def _mean_cdf(users: Sequence[Floats]) -> tuple[Floats, Floats, Floats]:
    """The mean over seeds of the share of users at most at each value, and its standard deviation."""
    known = [values for values in users if len(values)]
    x, share = _cdf(np.sort(np.concatenate(known)) if known else np.empty(0))
    if len(known) < 2:
        return x, share, np.zeros(len(x))
    shares = np.array([np.searchsorted(values, x, side="right") / len(values) for values in known])
    shares[:, 0] = 0.0  # where the line rises from nobody
    return x, shares.mean(axis=0), _spread(shares)


def _spread(values: Floats) -> Floats:
    spread: Floats = values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1])
    return spread


def _band(axes: Axes, x: Floats, y: Floats, sd: Floats, place: int, **more: Any) -> None:
    """One standard deviation over the seeds either side of the mean."""
    if sd.any():
        axes.fill_between(x, y - sd, y + sd, color=line_style(place)["color"], alpha=0.2, linewidth=0, **more)


def _level(axes: Axes, level: float, sd: float, place: int) -> None:
    """A run without a curve: its final value, dotted, with its marker twice."""
    style = marked_style(place)
    axes.axhline(level, color=style["color"], linewidth=1.3, linestyle=(0, (2, 2)))
    if sd:
        axes.axhspan(level - sd, level + sd, color=style["color"], alpha=0.2, linewidth=0)
    across = axes.get_yaxis_transform()
    dots = {key: style[key] for key in ("color", "marker", "markersize", "markeredgewidth")}
    left = 0.05 + 0.055 * (place % 8)  # so that markers of equal lines do not cover each other
    axes.plot([left, left + 0.5], [level, level], linestyle="none", transform=across, **dots)


def _points(result: Result, metric: str, over: Over) -> tuple[Floats, Floats]:
    """The curve's finite points; none when they do not move along the axis."""
    key = _AXES[over][0]
    pairs = [(point[key], point[metric]) for point in result.curve if key in point and metric in point]
    table = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    table = table[np.isfinite(table).all(axis=1)]
    if len(table) == 0 or table[0, 0] == table[-1, 0]:
        return np.empty(0), np.empty(0)
    scale = 1e6 * nodes(result) if over == "bytes" else 1.0
    return table[:, 0] / scale, table[:, 1]


def _cdf(values: Floats) -> tuple[Floats, Floats]:
    """Sorted values to (value, share of users at most there), thinned evenly over the users."""
    if not len(values):
        return values, values
    x, counts = np.unique(values, return_counts=True)
    share = np.cumsum(counts) / len(values)
    x, share = np.r_[x[0], x], np.r_[0.0, share]
    keep = np.unique(np.linspace(0, len(x) - 1, min(len(x), _CDF_POINTS)).round().astype(np.int64))
    return x[keep], share[keep]


def _show_what_matters(axes: Axes, drawn: list[Floats], levels: list[float]) -> None:
    """Leave out first guesses, which are far off and would flatten the rest of the curve, and say so."""
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


def _tell_end(axes: Axes, x: float, y: float, colour: str) -> None:
    """The final value, to the right of the line, where nothing is drawn."""
    axes.plot([x], [y], "o", color=colour, markersize=4.5)
    axes.annotate(
        number(y), (x, y), (7, 0), textcoords="offset points", ha="left", va="center", fontweight="bold"
    )


def _legend(figure: Figure, everyone: list[Group]) -> None:
    """Above the axes."""
    axes = figure.axes[0]
    handles = [
        axes.plot([], [], **{**marked_style(place), "markevery": None}, label=group.label)[0]
        for place, group in enumerate(everyone)
    ]
    longest = max(len(group.label) for group in everyone)
    columns = 2 if len(everyone) > 6 and longest <= 24 else 1
    rows = -(-len(everyone) // columns)
    figure.set_figheight(figure.get_figheight() + 0.22 * max(0, rows - 3))  # the axes keep their height
    size = 10 if longest <= 50 else 8
    figure.legend(handles=handles, loc="outside upper left", ncols=columns, fontsize=size)
