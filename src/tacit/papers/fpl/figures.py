"""Figures 3 and 4 and the category bias of FPL: coverage or cost against precision, and bars per category."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tacit.data.categories import TOPS
from tacit.experiment.result import Result
from tacit.papers.base import Chart, Outcomes, Series, mean_of, value_of
from tacit.papers.fpl.runs import ALGORITHMS, DATA, OWN, TABLE_4
from tacit.papers.pairwise_runs import BASELINES, EVERY_PI, TITLES, baseline_run, federated_run
from tacit.protocols.federated_pairs.communication_cost import cce

Point = tuple[float, float]


def coverage_charts(o: Outcomes) -> list[Chart]:
    """Precision over item coverage, pi 0.1 to 1, as in the paper."""
    charts = []
    for place in DATA:
        lines = _lines(o, place, _coverage_and_precision)
        if lines:
            title = f"Item coverage against precision, {TITLES[place]}"
            charts.append(
                Chart(f"coverage-precision-{place}", title, "Item coverage@10", "P@10", lines, "points")
            )
    return charts


def cost_charts(o: Outcomes) -> list[Chart]:
    """Precision over 1/CCE with the Pareto front of all points."""
    charts = []
    for place in DATA:
        lines = _lines(o, place, lambda runs: [(1 / cost(run), run.metrics["precision@10"]) for run in runs])
        if lines:
            title = f"Precision against 1/CCE, {TITLES[place]}"
            front = pareto([point for line in lines for point in line.points])
            charts.append(
                Chart(f"precision-cost-{place}", title, "1/CCE", "P@10", lines, "points", front=front)
            )
    return charts


def cost(run: Result) -> float:
    """The paper's CCE: with as many exchanges per epoch as training interactions, whole rounds or not."""
    positives, users = int(run.split["train"]), int(run.data["users"])
    triples = positives / users if run.recipe.endswith("+") else 1
    return cce(1, positives, int(run.data["items"]), triples, float(run.parameters["pi"]))


def _lines(o: Outcomes, place: str, points_of: Callable[[Sequence[Result]], list[Point]]) -> list[Series]:
    """One line per algorithm, its points at pi 0.1 to 1."""
    lines = []
    for name, recipe in ALGORITHMS.items():
        at = [points_of(o.get(federated_run(o.quick, recipe, place, pi))) for pi in EVERY_PI[1:]]
        points = [point for some in at for point in some]
        if points:
            lines.append(Series(name, points, end=True))
    return lines


def _coverage_and_precision(runs: Sequence[Result]) -> list[Point]:
    wide, right = mean_of(runs, "item_coverage@10"), mean_of(runs, "precision@10")
    return [] if wide is None or right is None else [(wide, right)]


def pareto(points: Sequence[Point]) -> list[Point]:
    """The points that no other beats in both coordinates (more is better), from left to right.

    >>> pareto([(1, 3), (2, 2), (1.5, 1), (3, 1)])
    [(1, 3), (2, 2), (3, 1)]
    """
    front: list[Point] = []
    for x, y in sorted(set(points), key=lambda point: (-point[0], -point[1])):
        if not front or y > front[-1][1]:
            front.append((x, y))
    return front[::-1]


def bias_charts(o: Outcomes) -> list[Chart]:
    """Bias disparity of the nine categories, a bar for each algorithm."""
    charts = []
    for place in DATA:
        bars = []
        for name, known in TABLE_4.items():
            if name in OWN:
                runs = o.get(federated_run(o.quick, OWN[name].recipe, place, OWN[name].pi[place]))
            else:
                runs = o.get(baseline_run(o.quick, BASELINES[known], place))
            values = [value_of(runs[0], f"bias_disparity:{c}") for c in TOPS] if runs else []
            points = [(float(n), value) for n, value in enumerate(values) if value is not None]
            if points:
                bars.append(Series(name, points))
        if bars:
            title = f"Bias disparity, {TITLES[place]} (0: as in training)"
            charts.append(Chart(f"bias-{place}", title, "", "Bias disparity", bars, "bars", categories=TOPS))
    return charts
