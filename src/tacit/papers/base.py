"""What a paper is, as data: runs that are wanted, rows with our number beside the paper's, claims to check.

A paper's folder holds a `Paper` under the name `paper` in its paper.py. Its figures come from the paper itself: a
number that the paper does not print is None, never a guess.
"""

from __future__ import annotations

import csv
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, Literal

from tacit.core.settings import Value
from tacit.experiment.result import Result

Verdict = Literal["holds", "partly", "does not hold", "not checked"]
NOT_AT_HAND = "data not at hand"
"""What a row says instead of agreeing or differing where its data set is not here."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A setting to run, with seeds 0 .. seeds - 1."""

    recipe: str
    data: str
    settings: tuple[tuple[str, Value], ...] = ()
    seeds: int = 1
    seconds: float = field(default=1.0, compare=False)
    """About how long one seed takes on two cores."""
    optional: bool = field(default=False, compare=False)
    """Whether to leave it out where the data set is not at hand (it cannot be fetched, or is large)."""
    needs: str = field(default="", compare=False)
    """A package it cannot run without; where that is missing, it is left out."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table, or the end of one curve in a figure."""

    panel: str
    """The part of the table or figure that it is in."""
    name: str
    wanted: Wanted
    metric: str
    paper: float | None = None
    """The paper's own number, where it prints one."""
    tolerance: float = 0.1
    """How far from the paper's number, relative to it, still counts as the same."""
    over: Wanted | None = None
    """Where only ratios can be compared: what the figure is divided by (`paper` is a ratio too)."""


@dataclass(frozen=True, slots=True)
class Series:
    """One line, one cloud of points or one bar per category."""

    name: str
    points: Sequence[tuple[float, float]]
    """In the order they are joined; for bars the first number is the category's place."""
    end: bool = False
    """Whether to mark the last point: which way a parameter grows."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure of the paper drawn from our numbers."""

    name: str
    """Of its file."""
    title: str
    x: str
    y: str
    series: Sequence[Series]
    kind: Literal["lines", "points", "bars"] = "lines"
    categories: Sequence[str] = ()
    """For bars."""
    log: bool = False
    """Both axes, for counts that span magnitudes."""
    front: Sequence[tuple[float, float]] = ()
    """A Pareto front, where there is one."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A table or a figure of the paper: `rows(quick)` says what is in it."""

    name: str
    title: str
    rows: Callable[[bool], Sequence[Row]]
    over: Literal["hours", "rounds", "bytes"] | None = None
    """For figures: draw each panel's learning curves over this."""
    cdf: bool = False
    """For figures: draw how the first row's metric of each panel is spread over users."""
    charts: Callable[[Outcomes], Sequence[Chart]] = lambda outcomes: ()
    """For figures of another kind: what to draw, once everything has run."""
    long: bool = False
    """Too many rows for a terminal; they are in the report."""
    inside: Literal["parts", "biases", "stream"] | None = None
    """For figures: draw what instruments saw in each panel's first run; or how right each run was along its stream."""


class Outcomes:
    """What was run, by what was wanted; settings that were left out are absent."""

    def __init__(self, quick: bool, results: Mapping[Wanted, list[Result]]) -> None:
        self.quick, self._results = quick, results

    def __contains__(self, wanted: Wanted) -> bool:
        return wanted in self._results

    def __getitem__(self, wanted: Wanted) -> list[Result]:
        """A setting's runs, one per seed."""
        return self._results[wanted]

    def get(self, wanted: Wanted) -> list[Result]:
        """The same; an empty list where it was left out."""
        return self._results.get(wanted, [])

    def every(self) -> list[Result]:
        """All runs."""
        return [result for runs in self._results.values() for result in runs]


@dataclass(frozen=True, slots=True)
class Finding:
    """What our runs say about a claim: in a word, in a sentence, in numbers."""

    verdict: Verdict
    ours: str
    numbers: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Claim:
    """Something the paper says, how we measure it, and the measurement."""

    name: str
    text: str
    """The paper's claim, in our words."""
    measure: str
    """What is counted as holding; thresholds are ours."""
    needs: tuple[str, ...]
    """Names of the exhibits whose runs it looks at."""
    check: Callable[[Outcomes], Finding]


@dataclass(frozen=True, slots=True)
class Paper:
    """Everything of a paper that can be run again."""

    name: str
    title: str
    citation: str
    exhibits: tuple[Exhibit, ...]
    claims: tuple[Claim, ...]
    notes: tuple[str, ...] = ()
    """In what our setting differs from the paper's."""


def verdict(holding: Sequence[bool]) -> Verdict:
    """`holds` if it holds in every case, `partly` if in some.

    >>> verdict([True, False])
    'partly'
    """
    if not holding:
        return "not checked"
    return "holds" if all(holding) else "partly" if any(holding) else "does not hold"


def value_of(run: Result, metric: str) -> float | None:
    """A metric of a run; `bias_disparity:CATEGORY` is looked up among its biases."""
    family, _, category = metric.partition(":")
    if family != "bias_disparity":
        return final(run, metric)
    biases: Mapping[str, Any] = next((t for name, t in run.more.items() if name.startswith("bias@")), {})
    found: float | None = biases.get(category, {}).get("disparity")
    return found


def mean_of(runs: Sequence[Result], metric: str) -> float | None:
    """Over the seeds in which it could be measured."""
    values = [value for run in runs if (value := value_of(run, metric)) is not None]
    return statistics.fmean(values) if values else None


def measured(row: Row, runs: Sequence[Result], below: Sequence[Result] = ()) -> dict[str, Any]:
    """A row with our figure beside the paper's; `below`: the runs of what it is divided by."""
    unit = (mean_of(below, row.metric) or float("nan")) if row.over is not None else 1.0
    values = [value / unit for run in runs if (value := value_of(run, row.metric)) is not None]
    ours = statistics.fmean(values) if values else None
    measurement: dict[str, Any] = {"panel": row.panel, "name": row.name, "metric": row.metric}
    measurement |= {"paper": row.paper, "ours": ours, "seeds": len(values), "ratio": row.over is not None}
    measurement["list"] = runs[0].list_of(row.metric) if runs else ""
    measurement["tolerance"] = row.tolerance if row.paper else None
    measurement["sd"] = statistics.stdev(values) if len(values) > 1 else None
    measurement["difference"] = None if ours is None or row.paper is None else ours - row.paper
    measurement["verdict"] = None
    if measurement["difference"] is not None and row.paper:
        near = abs(measurement["difference"]) <= row.tolerance * abs(row.paper)
        measurement["verdict"] = "agrees" if near else "differs"
    if not runs:
        needs = row.wanted.needs
        measurement["verdict"] = f"needs {needs}" if needs and find_spec(needs) is None else NOT_AT_HAND
    return measurement


def final(run: Result, name: str) -> float | None:
    """A metric, or what an instrument saw, at the end.

    Also `hr@20 p10` and `hr@20 zero`, how a metric is spread over users; and the mean of a column of the per-user
    table, such as `rounds_to_convergence`.
    """
    value = run.metrics.get(name)
    if value is None and run.curve:
        value = run.curve[-1].get(name)
    if value is not None:
        return value
    metric, _, where = name.partition(" ")
    if where:
        found: float | None = run.more.get("spread", {}).get(metric, {}).get(where)
        return found
    mean = run.per_user[name].mean() if name in run.per_user.columns else None
    return float(mean) if isinstance(mean, int | float) else None


def reference(name: str) -> list[dict[str, str]]:
    """A paper's printed numbers: the rows of NAME.csv in this package, lines that begin with # left out."""
    text = files("tacit.papers").joinpath(f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
