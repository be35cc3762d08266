"""A sweep on a terminal and a page: the settings that were tried, drawn over one or two of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from rich import box
from rich.table import Table
from rich.text import Text

from tacit.core.settings import Value
from tacit.experiment.kinds_of_lists import qualified
from tacit.experiment.sweep import Sweep, Tried
from tacit.metrics.higher_is_better import lower_is_better
from tacit.report.figures.image_files import file_name, to_svg
from tacit.report.figures.style import STYLE, canvas, line_style
from tacit.report.formatting import in_words, number, short_name
from tacit.report.page.render import Drawing, Html, Marked, render

_MOST_ROWS = 12


def setting_words(setting: Mapping[str, Value]) -> str:
    """`model.k=5, epochs=1`."""
    return ", ".join(f"{key}={value}" for key, value in setting.items())


def sweep_table(found: Sweep) -> Table:
    """The best settings first."""
    out = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, caption_justify="left")
    out.add_column("Setting", overflow="fold")
    out.add_column(f"{short_name(_name(found))}, validation", justify="right")
    ranking = found.ranking()
    for one in ranking[:_MOST_ROWS]:
        chosen = one is found.best
        style = "bold green" if chosen else ""
        out.add_row(
            Text(setting_words(one.setting), style), Text(_value(one) + ("*" if chosen else " "), style)
        )
    more = f"; {len(ranking) - _MOST_ROWS} more in the report" if len(ranking) > _MOST_ROWS else ""
    values = " ± ".join(number(v) for v in found.tested() if v is not None)
    out.caption = f"* chosen by validation; on the test part it has {short_name(_name(found))} {values}{more}"
    return out


def sweep_section(found: Sweep) -> Html:
    """Every setting with its figure on the validation part, and a picture where one or two keys vary."""
    figure, keys = figure_sweep(found), list(found.best.setting)
    label = f"{in_words(_name(found))} on the validation part over {', '.join(keys)}"
    rows = []
    for place, one in enumerate(found.ranking()):
        value = Marked(_value(one)) if one is found.best else _value(one)
        rows.append([str(place + 1), *(one.setting[key] for key in keys), value])
    return render(
        "sweep.html",
        drawing=figure and Drawing(to_svg(figure, label), f"{label}. The chosen setting is marked."),
        headers=["Place", *keys, f"{short_name(_name(found))}, validation"],
        rows=rows,
    )


def sweep_figures(found: Sweep) -> dict[str, Figure]:
    """The picture of what was tried, by the name of its file."""
    figure = figure_sweep(found)
    name = file_name(f"{found.metric} over {' and '.join(found.best.setting)}")
    return {} if figure is None else {name: figure}


def figure_sweep(found: Sweep) -> Figure | None:
    """A curve over one varied key, a heat map over two; nothing for more."""
    keys = [key for key in found.best.setting if len({str(one.setting[key]) for one in found.tried}) > 1]
    if len(keys) == 1:
        return _curve(found, keys[0])
    return _heat_map(found, *keys) if len(keys) == 2 else None


def _curve(found: Sweep, key: str) -> Figure:
    known = [one for one in found.tried if one.mean is not None]
    numbers = all(isinstance(one.setting[key], int | float) for one in known)
    if numbers:
        known.sort(key=lambda one: float(one.setting[key] or 0))
    x: list[Any] = [one.setting[key] if numbers else str(one.setting[key]) for one in known]
    with rc_context(STYLE):
        figure, axes = canvas()
        y, spread = [one.mean or 0.0 for one in known], [one.sd or 0.0 for one in known]
        axes.errorbar(x, y, yerr=spread if any(spread) else None, marker="o", capsize=3, **line_style(0))
        best = known.index(found.best)
        axes.plot(x[best : best + 1], y[best : best + 1], "o", color=line_style(3)["color"], markersize=9)
        if numbers and min(x) > 0 and max(x) >= 20 * min(x):
            axes.set_xscale("log")
        axes.set(xlabel=key, ylabel=f"{short_name(_name(found))}, validation")
    return figure


def _heat_map(found: Sweep, down: str, across: str) -> Figure:
    rows, columns = _values(found, down), _values(found, across)
    grid = np.full((len(rows), len(columns)), np.nan)
    for one in found.tried:
        if one.mean is not None:
            grid[rows.index(one.setting[down]), columns.index(one.setting[across])] = one.mean
    with rc_context({**STYLE, "axes.grid": False}):
        figure, axes = canvas(height=1.4 + 0.45 * len(rows))
        better = "viridis_r" if lower_is_better(found.metric) else "viridis"
        image = axes.imshow(grid, aspect="auto", cmap=better)
        middle = float(np.nanmean([np.nanmin(grid), np.nanmax(grid)]))
        for place in np.argwhere(np.isfinite(grid)):
            row, column = int(place[0]), int(place[1])
            value = grid[row, column]
            light = (value < middle) != lower_is_better(found.metric)
            axes.text(column, row, f"{value:.3f}", ha="center", va="center", color="white" if light else "black",
                      fontsize=9)  # fmt: skip
        best = (columns.index(found.best.setting[across]), rows.index(found.best.setting[down]))
        axes.plot(*best, "s", markersize=26, markerfacecolor="none", markeredgecolor=line_style(3)["color"])
        axes.set(xlabel=across, ylabel=down)
        axes.set_xticks(range(len(columns)), [str(value) for value in columns])
        axes.set_yticks(range(len(rows)), [str(value) for value in rows])
        figure.colorbar(image, label=f"{short_name(_name(found))}, validation")
    return figure


def _values(found: Sweep, key: str) -> list[Value]:
    """A key's values: numbers in order, words as they came."""
    seen = list(dict.fromkeys(one.setting[key] for one in found.tried))
    if all(isinstance(value, int | float) for value in seen):
        seen.sort(key=lambda value: float(value or 0))
    return seen


def _name(found: Sweep) -> str:
    return qualified(found.metric, found.test)


def _value(one: Tried) -> str:
    return number(one.mean) + (f" ± {number(one.sd)}" if one.sd is not None else "")
