"""What instruments recorded, drawn: the parts of predictions while learning, and the biases of chosen items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure

from tacit.experiment.instruments import MEAN, PART, SPREAD
from tacit.experiment.result import Result
from tacit.report.figures.image_files import to_svg
from tacit.report.figures.style import STYLE, canvas, line_style
from tacit.report.page.render import Drawing, Html, render
from tacit.report.run_groups import labels

_WORDS = {"factors": "taste (x·Y)", "user_bias": "user bias b", "item_bias": "item bias c"}


def inside_section(results: Sequence[Result]) -> Html:
    """Figures of every run that had instruments; nothing when none had."""
    drawings = []
    for label, result in zip(labels(results), results, strict=True):
        if _columns(result, PART):
            svg = to_svg(figure_parts(result), f"Parts of a prediction while learning, {label}")
            drawings.append(Drawing(svg, f"{label}: mean absolute size of a prediction's parts."))
        if _columns(result, MEAN):
            svg = to_svg(figure_biases(result), f"Biases of single items while learning, {label}")
            caption = f"{label}: item biases, mean over nodes; shaded: standard deviation."
            drawings.append(Drawing(svg, caption))
    return render("inside.html", drawings=drawings)


def figure_parts(result: Result) -> Figure:
    """Mean absolute size of each part of a prediction, over virtual hours."""
    with rc_context(STYLE):
        figure, axes = canvas()
        for place, (name, values) in enumerate(_columns(result, PART).items()):
            axes.plot(_hours(result), values, label=_WORDS.get(name, name), **line_style(place))
        axes.set(xlabel="Virtual hours", ylabel="Mean absolute size")
        axes.set_xlim(left=0)
        figure.legend(loc="outside upper left", ncols=3)
    return figure


def figure_biases(result: Result) -> Figure:
    """Chosen items' biases: mean over nodes with one standard deviation either side."""
    with rc_context(STYLE):
        figure, axes = canvas()
        spreads = _columns(result, SPREAD)
        for place, (item, mean) in enumerate(_columns(result, MEAN).items()):
            style = line_style(place)
            axes.plot(_hours(result), mean, label=item, **style)
            low, high = mean - spreads[item], mean + spreads[item]
            axes.fill_between(_hours(result), low, high, color=style["color"], alpha=0.2, linewidth=0)
        axes.set(xlabel="Virtual hours", ylabel="Item bias c")
        axes.set_xlim(left=0)
        figure.legend(loc="outside upper left", ncols=6)
    return figure


def figure_stream(results: Mapping[str, Result]) -> Figure:
    """Accuracy along a stream of test cases: a moving average, one line per name."""
    with rc_context(STYLE):
        figure, axes = canvas()
        for place, (name, result) in enumerate(results.items()):
            stream = result.more.get("stream", {"image": [], "accuracy": []})
            axes.plot(stream["image"], stream["accuracy"], label=name, **line_style(place))
        axes.set(xlabel="Test image", ylabel="Accuracy, moving average")
        axes.set_xlim(left=0)
        figure.legend(loc="outside upper left", ncols=2)
    return figure


def _hours(result: Result) -> np.ndarray:
    return np.array([point["hours"] for point in result.curve])


def _columns(result: Result, prefix: str) -> dict[str, np.ndarray]:
    """The curve's columns that begin so, by the rest of their names."""
    names = [name for name in (result.curve[0] if result.curve else {}) if name.startswith(prefix)]
    return {name.removeprefix(prefix): np.array([p[name] for p in result.curve]) for name in names}
