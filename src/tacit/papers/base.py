"""What a paper is, as data: runs that are wanted, rows with our number beside the paper's, claims to check.

A paper's folder holds a `Paper` under the name `paper` in its paper.py. Its figures come from the paper itself: a
number that the paper does not print is None, never a guess.
"""

from __future__ import annotations

import csv
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tacit.core.settings import Value
from tacit.data.sources.locate import at_hand
from tacit.experiment.result import Result
from tacit.experiment.warnings import RAN_AWAY

Numbers = dict[str, float | None]
"""What a claim rests on, by case."""
NOT_CHECKED = "not checked"
"""The verdict on a claim that our runs cannot decide."""
NOT_AT_HAND = "data not at hand"
"""What a row says instead of agreeing or differing where its data set is not here."""
NOT_FINISHED = "not finished"
"""The same where its runs are still to be made."""
LOST = "learning ran away"
"""The same where a run's numbers mean nothing."""


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
    gigabytes: float = field(default=0.0, compare=False)
    """Memory it cannot run without, where that is much; a machine that has less leaves it out."""


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
class Fact:
    """One line of a table that needs no run: something of a data set, of a recipe or of a formula."""

    panel: str
    name: str
    metric: str
    ours: float | None
    """None where the data set is not at hand."""
    paper: float | None = None
    tolerance: float = 0.1


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
    rows: Callable[[bool], Sequence[Row]] = lambda quick: ()
    over: Literal["hours", "rounds", "bytes"] | None = None
    """For figures: draw each panel's learning curves over this."""
    cdf: Sequence[str] = ()
    """For figures: draw how these metrics are spread over users, in each panel."""
    charts: Callable[[Outcomes], Sequence[Chart]] = lambda outcomes: ()
    """For figures of another kind: what to draw, once everything has run."""
    long: bool = False
    """Too many rows for a terminal; they are in the report."""
    inside: Literal["parts", "biases", "stream"] | None = None
    """For figures: draw what instruments saw in each panel's first run; or how right each run was along its stream."""
    facts: Callable[[bool], Sequence[Fact]] = lambda quick: ()
    """Lines that need no run."""
    covers: Sequence[str] = ()
    """Which tables and figures of the paper it shows; nothing said: the one it is named after."""
    note: str = ""
    """What the page of its recorded numbers says above them."""
    variants: bool = False
    """Whether its panels are settings of ours, each compared with the same printed numbers."""

    @property
    def items(self) -> tuple[str, ...]:
        """The paper's tables and figures in it, as `table-2` or `figure-4b`; none where it is our own."""
        named = (self.name,) if self.name.startswith(("table-", "figure-")) else ()
        return tuple(self.covers) or named

    def printed(self) -> int:
        """How many numbers of the paper it compares ours with, data that are not at hand included."""
        rows = [row for row in self.rows(False) if row.paper is not None]
        facts = [fact for fact in self.facts(False) if fact.paper is not None]
        return len({(row.name, row.metric) for row in rows} if self.variants else rows) + len(facts)


class NotRunError(KeyError):
    """A claim asked for runs, or for a metric of them, that are not there."""


class Outcomes:
    """What was run, by what was wanted; settings that were left out are absent."""

    def __init__(self, quick: bool, results: Mapping[Wanted, list[Result]]) -> None:
        self.quick, self._results = quick, results

    def __contains__(self, wanted: Wanted) -> bool:
        return wanted in self._results

    def __getitem__(self, wanted: Wanted) -> list[Result]:
        """A setting's runs, one per seed; `NotRunError` where there are none yet."""
        try:
            return self._results[wanted]
        except KeyError:
            raise NotRunError(wanted) from None

    def get(self, wanted: Wanted) -> list[Result]:
        """The same; an empty list where it was left out."""
        return self._results.get(wanted, [])

    def every(self) -> list[Result]:
        """All runs."""
        return [result for runs in self._results.values() for result in runs]


@dataclass(frozen=True, slots=True)
class Finding:
    """What our runs say about a claim: in a word, in a sentence, in numbers."""

    verdict: str
    """As `verdict` makes it."""
    ours: str
    numbers: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Claim:
    """Something the paper says, how we measure it, and the measurement."""

    name: str
    text: str
    """The paper's claim, in our words."""
    source: str
    """Where the paper says so: section, equation, table."""
    measure: str
    """What is counted as holding; thresholds are ours."""
    needs: tuple[str, ...]
    """Names of the exhibits whose runs it looks at."""
    check: Callable[[Outcomes], Finding]
    quick: bool = False
    """Whether the runs of --quick decide it. Those that stop before anything is learned do not."""
    cites: tuple[str, ...] = ()
    """Exhibits that it is also about. Their runs are among those of `needs`."""

    def judge(self, outcomes: Outcomes) -> Finding:
        """What our runs say. A quick look at unfinished learning shows numbers and gives no verdict."""
        try:
            finding = self.check(outcomes)
        except NotRunError:
            return Finding(NOT_CHECKED, "runs that it needs are not finished")
        if not outcomes.quick or self.quick or finding.verdict == NOT_CHECKED:
            return finding
        return replace(finding, verdict=NOT_CHECKED, ours=f"{finding.ours} (--quick: too short to decide)")


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
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Tables and figures of the paper that no exhibit shows, as `figure-1`, and why."""
    quick_notes: tuple[str, ...] = ()
    """What else differs with --quick, and is said with --quick only."""

    def notes_of(self, quick: bool) -> list[str]:
        """What a reproduction says beside its numbers."""
        return [*self.notes, *(self.quick_notes if quick else ())]


def verdict(holding: Sequence[bool]) -> str:
    """In words: `holds` in every case, in more than half of them, or not. Equal halves do not hold.

    >>> verdict([True, True]), verdict([True, True, False]), verdict([True, False])
    ('holds', 'holds in 2 of 3', 'does not hold (1 of 2)')
    >>> verdict([False]), verdict([])
    ('does not hold', 'not checked')
    """
    held, cases = sum(holding), len(holding)
    if not cases:
        return NOT_CHECKED
    if held == cases:
        return "holds"
    if 2 * held > cases:
        return f"holds in {held} of {cases}"
    return f"does not hold ({held} of {cases})" if cases > 1 else "does not hold"


def tell(what: str, holding: Iterable[bool]) -> str:
    """A sentence about cases.

    >>> tell("gossip is ahead", [True, False])
    'gossip is ahead in 1 of 2 cases'
    """
    cases = list(holding)
    return f"{what} in {sum(cases)} of {len(cases)} cases"


def listed(numbers: Numbers) -> str:
    """Numbers without their names.

    >>> listed({"now": 0.5, "then": None})
    '0.50, none'
    """
    return ", ".join("none" if number is None else f"{number:.2f}" for number in numbers.values())


def kind_of(words: str) -> str:
    """A verdict without its count: `holds`, `holds in most cases`, `does not hold`, `not checked`.

    >>> kind_of("holds in 9 of 16"), kind_of("does not hold (1 of 16)")
    ('holds in most cases', 'does not hold')
    """
    if words.startswith("holds in "):
        return "holds in most cases"
    return words.partition(" (")[0]


def value_of(run: Result, metric: str) -> float | None:
    """A metric of a run; `bias_disparity:CATEGORY` is looked up among its biases, `aggregate:WHAT` beside them.

    `apart:COLUMN` says how far a count of items is from all alike.
    """
    family, _, category = metric.partition(":")
    if family == "aggregate":
        beside: float | None = run.more.get("aggregate", {}).get(category)
        return beside
    if family == "apart":
        return from_all_alike(shares_of(run, category))
    if family != "bias_disparity":
        return final(run, metric)
    biases: Mapping[str, Any] = next((t for name, t in run.more.items() if name.startswith("bias@")), {})
    found: float | None = biases.get(category, {}).get("disparity")
    return found


def shares_of(run: Result, column: str) -> npt.NDArray[np.float64]:
    """What share each item has of a count (updates, recommendations), largest first; empty where not counted."""
    if column not in run.per_item.columns:
        return np.zeros(0)
    counts = np.sort(run.per_item[column].to_numpy().astype(np.float64))[::-1]
    total = counts.sum()
    return counts / total if total else np.zeros(0)


def from_all_alike(shares: npt.NDArray[np.float64]) -> float | None:
    """Total variation between items' shares and equal ones; None where there are none.

    >>> from_all_alike(np.array([0.75, 0.25]))
    0.25
    """
    return float(np.abs(shares - 1 / len(shares)).sum() / 2) if len(shares) else None


def mean_of(runs: Sequence[Result], metric: str) -> float | None:
    """Over the seeds in which it could be measured."""
    values = [value for run in runs if (value := value_of(run, metric)) is not None]
    return statistics.fmean(values) if values else None


def measured(row: Row, runs: Sequence[Result], below: Sequence[Result] = ()) -> dict[str, Any]:
    """A row with our figure beside the paper's; `below`: the runs of what it is divided by."""
    unit = (mean_of(below, row.metric) or float("nan")) if row.over is not None else 1.0
    values = [value / unit for run in runs if (value := value_of(run, row.metric)) is not None]
    told = _beside(row, statistics.fmean(values) if values else None)
    told |= {"seeds": len(values), "ratio": row.over is not None}
    told["list"] = runs[0].list_of(row.metric) if runs else ""
    told["sd"] = statistics.stdev(values) if len(values) > 1 else None
    if not runs:
        told["verdict"] = missing(row.wanted)
    if any(ran_away(run) for run in runs):
        told["verdict"] = LOST
    return told


def ran_away(run: Result) -> bool:
    """Whether its numbers mean nothing: the models' were not finite."""
    return any(note.startswith(RAN_AWAY) for note in run.notes)


def missing(wanted: Wanted) -> str:
    """What a row says instead of a number: which package, memory or data its run lacks here."""
    if wanted.needs and find_spec(wanted.needs) is None:
        return f"needs {wanted.needs}"
    if wanted.optional and not at_hand(wanted.data):
        return NOT_AT_HAND
    return f"needs {wanted.gigabytes:.0f} GB of memory" if wanted.gigabytes else NOT_FINISHED


def stated(fact: Fact) -> dict[str, Any]:
    """The same for a line that needs no run."""
    told = _beside(fact, fact.ours) | {"seeds": 0, "ratio": False, "list": "", "sd": None}
    return told | ({"verdict": NOT_AT_HAND} if fact.ours is None else {})


def _beside(row: Row | Fact, ours: float | None) -> dict[str, Any]:
    """Our number and the paper's, how far they are apart, and whether that is near enough."""
    apart = None if ours is None or row.paper is None else ours - row.paper
    told: dict[str, Any] = {"panel": row.panel, "name": row.name, "metric": row.metric, "paper": row.paper}
    told |= {"ours": ours, "difference": apart, "tolerance": row.tolerance, "verdict": None}
    if apart is not None and row.paper:
        told["verdict"] = "agrees" if abs(apart) <= row.tolerance * abs(row.paper) else "differs"
    return told


def final(run: Result, name: str) -> float | None:
    """A metric, or what an instrument saw, at the end.

    `hr@20 p10` and `hr@20 zero` say how a metric is spread over users. A column of the per-user table gives its mean,
    such as `rounds_to_convergence`, or its percentile: `rounds_to_convergence p99`.
    """
    value = run.metrics.get(name)
    if value is None and run.curve:
        value = run.curve[-1].get(name)
    if value is not None:
        return value
    metric, _, where = name.partition(" ")
    if where:
        found: float | None = run.more.get("spread", {}).get(metric, {}).get(where)
        if found is None and metric in run.per_user.columns and where[1:].isdigit():
            found = run.per_user[metric].quantile(int(where[1:]) / 100, "linear")
        return found
    mean = run.per_user[name].mean() if name in run.per_user.columns else None
    return float(mean) if isinstance(mean, int | float) else None


def reference(name: str) -> list[dict[str, str]]:
    """A paper's printed numbers: the rows of NAME.csv in this package, lines that begin with # left out."""
    text = files("tacit.papers").joinpath(f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
