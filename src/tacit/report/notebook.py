"""Results for notebooks: plots as methods, and a summary where a notebook displays them.

    result = tacit.run("hegedus/gossip-10", "ratings.csv")
    result.plot_curve(over="bytes").save("curve.png")

The figures are those of `tacit.report.figures`, the numbers those of `tacit.experiment`. A notebook draws every object
here that is at the end of a cell.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

from matplotlib.figure import Figure

from tacit.core.errors import BadInput, unknown
from tacit.experiment import compare, result, sweep
from tacit.experiment.kinds_of_lists import qualified
from tacit.report.comparison import comparison_section
from tacit.report.figures.curves import Over, figure_cdf, figure_communication, figure_curve, has_curve
from tacit.report.figures.image_files import to_png, to_svg
from tacit.report.formatting import headline, in_words
from tacit.report.page.render import render
from tacit.report.run_groups import metric_names
from tacit.report.summary_sentences import summary
from tacit.report.sweep import figure_sweep, sweep_section

_FORMATS = (".png", ".svg", ".pdf")


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure that a notebook displays, saved under a name that ends in .png, .svg or .pdf."""

    figure: Figure
    label: str

    def save(self, path: str | Path) -> Path:
        """Write the picture; the name's ending chooses the format."""
        path = Path(path)
        if path.suffix.lower() not in _FORMATS:
            raise BadInput("picture", got=path.name, allowed=f"a name that ends in {', '.join(_FORMATS)}")
        if path.suffix.lower() == ".png":
            return to_png(self.figure, path)
        self.figure.savefig(path, format=path.suffix.lower()[1:])
        return path

    def _repr_html_(self) -> str:
        return to_svg(self.figure, self.label)


class Plots(ABC):
    """What one run and several have in common: the same figures."""

    __slots__ = ()

    @abstractmethod
    def _runs(self) -> Sequence[result.Result]:
        """The runs to draw."""

    def plot_curve(self, metric: str | None = None, over: Over | None = None) -> Picture:
        """A metric while learning, over "hours", "rounds" or "bytes"; by default what moves, and what matters most."""
        runs, name = self._runs(), self._metric(metric)
        axes: list[Over] = ["hours", "rounds", "bytes"]
        if over is not None and over not in axes:
            raise unknown("over", over, axes)
        moving = [axis for axis in axes if has_curve(runs, name, axis)]
        along: Over = over or (moving[0] if moving else "hours")
        return Picture(figure_curve(runs, name, along), f"{in_words(qualified(name, runs))} over {along}")

    def plot_cdf(self, metric: str | None = None) -> Picture:
        """How a metric is spread over users."""
        runs, name = self._runs(), self._metric(metric)
        return Picture(figure_cdf(runs, name), f"{in_words(qualified(name, runs))} over users")

    def plot_communication(self) -> Picture:
        """What each device sent on average."""
        return Picture(figure_communication(self._runs()), "MB sent per device")

    def _metric(self, metric: str | None) -> str:
        known = metric_names(self._runs())
        if metric is None:
            return headline(known, 1)[0]
        if metric not in known:
            raise unknown("metric", metric, known)
        return metric

    def _repr_html_(self) -> str:
        return f"{render('bullets.html', lines=summary(self._runs()))}{self.plot_curve()._repr_html_()}"


@dataclass(frozen=True, slots=True, repr=False)
class Result(Plots, result.Result):
    """One finished run, with pictures."""

    @classmethod
    def of(cls, found: result.Result) -> Self:
        """The same figures, with plots."""
        return cls(**_values(found))

    def _runs(self) -> Sequence[result.Result]:
        return [self]


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Plots, compare.Comparison):
    """Several recipes on the same ground, with pictures."""

    @classmethod
    def of(cls, found: compare.Comparison) -> Self:
        """The same figures, with plots."""
        return cls(**{**_values(found), "results": [Result.of(one) for one in found.results]})

    def __repr__(self) -> str:
        groups = self.groups()
        name = self._metric(None)
        best = self.table().filter(metric=name, best=True)
        leads = f"; best {name} {best['mean'][0]:.4f} by {best[best.columns[0]][0]}" if len(best) else ""
        seeds = max(len(runs) for runs in groups.values())
        data = self.results[0].data["name"]
        return f"<Comparison of {len(groups)} recipes on {data}, {seeds} seed{'s' * (seeds > 1)}{leads}>"

    def _runs(self) -> Sequence[result.Result]:
        return self.results

    def _repr_html_(self) -> str:
        return f"{comparison_section(self)}{self.plot_curve()._repr_html_()}"


@dataclass(frozen=True, slots=True, repr=False)
class Sweep(sweep.Sweep):
    """What was tried, with pictures."""

    @classmethod
    def of(cls, found: sweep.Sweep) -> Self:
        """The same figures, with plots."""
        return cls(**{**_values(found), "test": [Result.of(one) for one in found.test]})

    def __repr__(self) -> str:
        chosen = ", ".join(f"{key}={value}" for key, value in self.best.setting.items())
        value = self.tested()[0]
        test = "none" if value is None else f"{value:.4f}"
        tried = f"{len(self.tried)} settings: {chosen} is best"
        return f"<Sweep of {self.recipe}, {tried}, {self.metric} {test} on the test part>"

    def plot(self) -> Picture:
        """A curve over one varied key, a heat map over two."""
        figure = figure_sweep(self)
        if figure is None:
            raise BadInput("sweep", got=f"{len(self.best.setting)} varied keys", allowed="one or two to draw")
        return Picture(figure, f"{in_words(qualified(self.metric, self.test))} on the validation part")

    def _repr_html_(self) -> str:
        return sweep_section(self)


def _values(found: Any) -> dict[str, Any]:
    return {field.name: getattr(found, field.name) for field in fields(found)}
