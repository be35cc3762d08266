"""Values read off a run's learning curve: RMSE at an hour and at the end, bytes until a target."""

from __future__ import annotations

import math
import statistics

from tacit.experiment.result import Result


def points(result: Result) -> list[tuple[float, float]]:
    """(hours, RMSE) where somebody was online to be measured."""
    return [(point["hours"], point["rmse"]) for point in result.curve if point.get("rmse") is not None]


def at(result: Result, hour: float) -> float:
    """RMSE around an hour: the mean of half an hour before and after, for under churn single points jump."""
    near = [y for x, y in points(result) if abs(x - hour) <= 0.5]
    return statistics.fmean(near) if near else min(points(result), key=lambda p: abs(p[0] - hour))[1]


def ending(result: Result, until: float = math.inf) -> float:
    """RMSE over the last two virtual hours, or over the two before `until`."""
    curve = [point for point in points(result) if point[0] <= until]
    return statistics.fmean(y for x, y in curve if x >= curve[-1][0] - 2)


def best(result: Result, until: float = math.inf) -> float:
    """The lowest RMSE up to an hour."""
    return min(y for x, y in points(result) if x <= until)


def bytes_until(result: Result, target: float) -> float | None:
    """Bytes sent when RMSE first was no worse than `target`."""
    for point in result.curve:
        if point.get("rmse") is not None and point["rmse"] <= target:
            return point["bytes"]
    return None


def mean_ending(runs: list[Result], until: float = math.inf) -> float:
    """Over the seeds."""
    return statistics.fmean(ending(run, until) for run in runs)
