"""Results for notebooks: plots as methods, and a summary where a notebook displays them.

    result = tacit.run("hegedus/gossip-10", "ratings.csv")
    result.plot_curve(over="bytes").save("curve.png")

The figures are those of `tacit.report.figures`, the numbers those of `tacit.experiment`. A notebook draws every object
here that is at the end of a cell.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from textwrap import shorten
from typing import Any, Literal, Self

from matplotlib.figure import Figure

from tacit.core.errors import BadInput, unknown
from tacit.experiment import compare, result, sweep
from tacit.experiment.kinds_of_lists import in_brackets, qualified
from tacit.report.comparison import comparison_latex, comparison_section
from tacit.report.figures.curves import Over, figure_cdf, figure_communication, figure_curve, has_curve
from tacit.report.figures.image_files import save, to_svg
from tacit.report.formatting import headline, in_words
from tacit.report.page.render import render
from tacit.report.run_groups import groups, metric_names
from tacit.report.summary_sentences import summary
from tacit.report.sweep import figure_sweep, sweep_section

Labels = Sequence[str] | Mapping[str, str] | None
"""Names of lines: in their order, or name -> other name."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure that a notebook displays, saved under a name that ends in .png, .svg or .pdf."""

    figure: Figure
    label: str

    def save(self, path: str | Path) -> Path:
        """Write the picture; the name's ending chooses the format."""
        try:
            return save(self.figure, path)
        except OSError as problem:
            reason = problem.strerror or str(problem)
            allowed = "a path in a folder that can be written"
            raise BadInput("picture", got=path, allowed=allowed, where=reason) from None

    def _repr_html_(self) -> str:
        return to_svg(self.figure, self.label)


class Plots(ABC):
    """What one run and several have in common: the same figures."""

    __slots__ = ()

    @abstractmethod
    def _runs(self) -> Sequence[result.Result]:
        """The runs to draw."""

    def plot_curve(
        self,
        metric: str | None = None,
        over: Over | None = None,
        *,
        labels: Labels = None,
        xlabel: str | None = None,
        ylabel: str | None = None,
    ) -> Picture:
        """A metric while learning. A line is the mean over seeds, its band one standard deviation.

        Args:
            metric: such as "rmse" or "hr@20". None takes the most important one.
            over: "hours", "rounds" or "bytes". None takes the first of them that moves.
            labels: names of the lines, in their order or by their present names.
            xlabel: the name of the horizontal axis.
            ylabel: the name of the vertical axis.

        Returns:
            A picture that a notebook shows. `save("curve.pdf")` writes it.
        """
        runs, name = labelled(self._runs(), labels), self._metric(metric)
        axes: list[Over] = ["hours", "rounds", "bytes"]
        if over is not None and over not in axes:
            raise unknown("over", over, axes)
        moving = [axis for axis in axes if has_curve(runs, name, axis)]
        along: Over = over or (moving[0] if moving else "hours")
        figure = _with_axes(figure_curve(runs, name, along), xlabel, ylabel)
        return Picture(figure, f"{in_words(qualified(name, runs))} over {along}")

    def plot_cdf(
        self,
        metric: str | None = None,
        *,
        labels: Labels = None,
        xlabel: str | None = None,
        ylabel: str | None = None,
    ) -> Picture:
        """How a metric is spread over users.

        Args:
            metric: such as "rmse" or "hr@20". None takes the most important one.
            labels: names of the lines, in their order or by their present names.
            xlabel: the name of the horizontal axis.
            ylabel: the name of the vertical axis.

        Returns:
            A picture that a notebook shows. `save("users.pdf")` writes it.
        """
        runs, name = labelled(self._runs(), labels), self._metric(metric)
        figure = _with_axes(figure_cdf(runs, name), xlabel, ylabel)
        return Picture(figure, f"{in_words(qualified(name, runs))} over users")

    def plot_communication(self, *, labels: Labels = None, xlabel: str | None = None) -> Picture:
        """What each device sent on average."""
        figure = _with_axes(figure_communication(labelled(self._runs(), labels)), xlabel, None)
        return Picture(figure, "MB sent per device")

    def _metric(self, metric: str | None) -> str:
        known = metric_names(self._runs())
        if metric is None:
            return headline(known, 1)[0]
        if metric not in known:
            raise unknown("metric", metric, known)
        return metric

    def _repr_html_(self) -> str:
        return f"{render('bullets.html', lines=summary(self._runs()))}{self.plot_curve()._repr_html_()}"


def labelled(runs: Sequence[result.Result], labels: Labels) -> list[result.Result]:
    """The runs under other names: one per line, one per run, or by the names they have now."""
    if labels is None:
        return list(runs)
    everyone = groups(runs)
    if isinstance(labels, Mapping):
        names = [group.label for group in everyone]
        for name in labels:
            if name not in names:
                raise unknown("labels", name, names)
        return [replace(run, label=labels.get(g.label, g.label)) for g in everyone for run in g.results]
    given = [labels] if isinstance(labels, str) else list(labels)
    if len(given) == len(everyone):
        return [
            replace(run, label=name) for name, g in zip(given, everyone, strict=True) for run in g.results
        ]
    if len(given) == len(runs):
        return [replace(run, label=name) for name, run in zip(given, runs, strict=True)]
    raise BadInput("labels", got=len(given), allowed=f"one for each of {len(everyone)} lines")


def _with_axes(figure: Figure, xlabel: str | None, ylabel: str | None) -> Figure:
    axes = figure.axes[0]
    if xlabel is not None:
        axes.set_xlabel(xlabel)
    if ylabel is not None:
        axes.set_ylabel(ylabel)
    return figure


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
        leads = "".join(
            f"; best {name} {row['mean']:.4f}{in_brackets(row['list'] or '')} by {row['arm']}"
            for row in best.iter_rows(named=True)
        )
        seeds = max(len(runs) for runs in groups.values())
        data = self.results[0].data["name"]
        return f"<Comparison of {len(groups)} recipes on {data}, {seeds} seed{'s' * (seeds > 1)}{leads}>"

    def _runs(self) -> Sequence[result.Result]:
        return self.results

    def to_latex(self, metrics: Sequence[str] | None = None) -> str:
        """The table for a paper (package booktabs), with the given metrics or the four that matter most."""
        return comparison_latex(self, metrics)

    def to_csv(self) -> str:
        """Every metric of every arm: mean, standard deviation, whether best, kind of list."""
        return self.table().write_csv()

    def _repr_html_(self) -> str:
        return f"{comparison_section(self)}{self.plot_curve()._repr_html_()}"


@dataclass(frozen=True, slots=True)
class Runs(Plots):
    """Any runs, to be drawn together."""

    results: list[result.Result]

    def _runs(self) -> Sequence[result.Result]:
        return self.results


def plot(
    runs: Plots | Sequence[Plots],
    metric: str | None = None,
    *,
    kind: Literal["curve", "cdf"] = "curve",
    over: Over | None = None,
    labels: Labels = None,
    xlabel: str | None = None,
    ylabel: str | None = None,
) -> Picture:
    """Draw results and comparisons in one picture. Those under the same label are seeds of one line.

        tacit.plot([one, other], "rmse", over="bytes", labels=["gossip", "federated"]).save("both.pdf")

    Args:
        runs: results and comparisons.
        metric: such as "rmse" or "hr@20". None takes the most important one.
        kind: "curve" while learning, or "cdf" over users.
        over: "hours", "rounds" or "bytes", for a curve.
        labels: names of the lines, in their order or by their present names.
        xlabel: the name of the horizontal axis.
        ylabel: the name of the vertical axis.

    Returns:
        A picture that a notebook shows. `save` writes it.
    """
    given = list(runs) if isinstance(runs, Iterable) else [runs]
    for one in given:
        if not isinstance(one, Plots):
            allowed = "results and comparisons, one or several in a list"
            raise BadInput("plot", got=shorten(repr(one), 60), allowed=allowed)
    together = Runs([run for one in given for run in one._runs()])
    if not together.results:
        raise BadInput("plot", got="no results", allowed="at least one")
    if kind == "curve":
        return together.plot_curve(metric, over, labels=labels, xlabel=xlabel, ylabel=ylabel)
    if kind != "cdf":
        raise unknown("kind", kind, ["curve", "cdf"])
    return together.plot_cdf(metric, labels=labels, xlabel=xlabel, ylabel=ylabel)


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
        kind = in_brackets(self.test[0].list_of(self.metric))
        return f"<Sweep of {self.recipe}, {tried}, {self.metric} {test}{kind} on the test part>"

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
