"""Significance: paired tests over users between recipes, with Holm's correction for several pairs.

The tests are about the difference D that the table shows, averaged over the seeds. It is a difference of means over
users, or of an error of all test ratings together (RMSE, MAE). A user's part in D is the jackknife's pseudo-value
U D - (U - 1) D'. D' is the difference without that user in any of the seeds. Of a mean over users it is simply the
user's own difference. Seeds are no further users: counting them as such would make every difference look certain.
Users who have no value in either of the two are left out.

The tests are t and Wilcoxon's signed-rank, on the users' parts. A pair counts as different when both say so after
Holm's correction over all pairs of the same metric. The interval is t's, at 95 %. The effect size is the mean of the
users' parts over their standard deviation (Cohen's d of paired values).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy import stats

from tacit.experiment.kinds_of_lists import groups_told_apart
from tacit.experiment.result import Result

LEVEL = 0.05
POOLED = {"rmse": 2, "mae": 1}
"""Metrics of all test ratings together, and the power of an error in them."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PairedTest:
    """What the users' paired values say about two settings."""

    metric: str
    a: str
    b: str
    mean_difference: float
    """What the table shows of a minus what it shows of b, over the users whom both measured."""
    low: float
    high: float
    """The difference's 95 % confidence interval."""
    effect_size: float
    """The difference in standard deviations of the users' parts in it."""
    users: int
    t_p: float
    wilcoxon_p: float
    t_p_holm: float
    wilcoxon_p_holm: float
    significant: bool

    def to_json(self) -> dict[str, Any]:
        """The contract's object."""
        return asdict(self)


def paired_tests(groups: Mapping[str, Sequence[Result]]) -> list[PairedTest]:
    """Every pair of groups on every metric that both measured for single users. A group: one setting's seeds.

    A metric that the users' values do not add up to (a vote of all models) has no test.
    """
    apart = groups_told_apart(groups)
    metrics = dict.fromkeys(name for runs in apart.values() for run in runs for name in run.metrics)
    return [test for metric in metrics for test in _of_metric(apart, metric)]


def _of_metric(groups: Mapping[str, Sequence[Result]], metric: str) -> list[PairedTest]:
    told = {name: [_told(run, metric) for run in runs] for name, runs in groups.items()}
    known = {name: [one for one in frames if one is not None] for name, frames in told.items()}
    pairs = []
    for a, b in combinations(groups, 2):
        if known[a] and known[b] and len(known[a]) == len(told[a]) and len(known[b]) == len(told[b]):
            difference, parts = users_parts(known[a], known[b], metric)
            if len(parts):
                pairs.append((a, b, difference, *_interval(difference, parts), len(parts), *p_values(parts)))
    t_holm, wilcoxon_holm = holm([pair[-2] for pair in pairs]), holm([pair[-1] for pair in pairs])
    return [
        PairedTest(metric, *pair, t, w, t < LEVEL and w < LEVEL)
        for pair, t, w in zip(pairs, t_holm, wilcoxon_holm, strict=True)
    ]


def users_parts(a: Sequence[pl.DataFrame], b: Sequence[pl.DataFrame], metric: str) -> tuple[float, Floats]:
    """The difference of two groups of runs, and each user's part in it; a frame has the columns user, sum, weight."""
    left, right = (pl.concat(side).select("user").unique(maintain_order=True) for side in (a, b))
    both = left.join(right, on="user", how="semi")
    count = both.height
    if not count:
        return float("nan"), np.zeros(0)
    whole, without = np.zeros(2), np.zeros((2, count))
    for side, frames in enumerate((a, b)):
        for frame in frames:
            # A user whom this seed did not measure adds nothing to it.
            there = both.join(frame, on="user", how="left", maintain_order="left").fill_null(0.0)
            sums, weights = there["sum"].to_numpy(), there["weight"].to_numpy()
            whole[side] += _value(sums.sum(), weights.sum(), metric) / len(frames)
            without[side] += _value(sums.sum() - sums, weights.sum() - weights, metric) / len(frames)
    difference = float(whole[0] - whole[1])
    if count == 1:
        return difference, np.array([difference])
    return difference, count * difference - (count - 1) * (without[0] - without[1])


def _told(run: Result, metric: str) -> pl.DataFrame | None:
    """What every measured user adds to a metric, and with which weight; None where that is not what the run shows."""
    shown = run.metrics.get(metric)
    if metric not in run.per_user.columns or shown is None:
        return None
    power = POOLED.get(metric)
    counted = power is not None and "test" in run.per_user.columns
    weight = pl.col("test").cast(pl.Float64) if counted else pl.lit(1.0)
    frame = run.per_user.filter(pl.col("online")) if "online" in run.per_user.columns else run.per_user
    value = pl.col(metric).cast(pl.Float64).fill_nan(None)
    told = frame.select(
        pl.col("user").cast(pl.String), sum=value.pow(power or 1) * weight, weight=weight
    ).drop_nulls()
    made = float(_value(told["sum"].sum(), told["weight"].sum(), metric)) if told.height else None
    return told if made is not None and np.isclose(made, shown, rtol=1e-5, atol=1e-9) else None


def _value(total: Any, weight: Any, metric: str) -> Any:
    """The metric of sums over users. Differences of sums can end a hair below zero."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(weight > 0, total / weight, 0.0)
    return np.sqrt(np.maximum(mean, 0.0)) if POOLED.get(metric) == 2 else mean


def _interval(difference: float, parts: Floats) -> tuple[float, float, float]:
    """The ends of the interval, and the effect size; of a single user all are the difference and nothing."""
    if len(parts) < 2:
        return difference, difference, 0.0
    sd = float(parts.std(ddof=1))
    half = float(stats.t.ppf(0.975, len(parts) - 1)) * sd / len(parts) ** 0.5
    # Without any spread the effect has no size; JSON has no infinity.
    return difference - half, difference + half, difference / sd if sd > 1e-12 * abs(difference) else 0.0


def user_means(runs: Sequence[Result], metric: str) -> pl.DataFrame:
    """Columns `user` and `value`: each user's mean over the seeds in which they have a value."""
    frames = [
        run.per_user.select(pl.col("user").cast(pl.String), pl.col(metric).cast(pl.Float64).alias("value"))
        for run in runs
        if metric in run.per_user.columns
    ]
    if not frames:
        return pl.DataFrame(schema={"user": pl.String, "value": pl.Float64})
    known = pl.concat(frames).with_columns(pl.col("value").fill_nan(None)).drop_nulls()
    return known.group_by("user", maintain_order=True).agg(pl.col("value").mean())


def p_values(difference: Floats) -> tuple[float, float]:
    """Two-sided p of the paired t test and of Wilcoxon's signed-rank test (zeros left out).

    Both are 1 where there is no difference at all, or a single user.
    """
    if len(difference) < 2 or not difference.any():
        return 1.0, 1.0
    # Without any spread the t statistic is infinite; scipy would warn on its way to the same zero.
    spread = float(np.ptp(difference)) > 1e-12 * float(np.abs(difference).max())
    t = float(stats.ttest_1samp(difference, 0.0).pvalue) if spread else 0.0
    return t, float(stats.wilcoxon(difference[difference != 0]).pvalue)


def holm(p: Sequence[float]) -> list[float]:
    """Holm's step-down correction: the smallest times n, the next times n - 1 ..., never falling, at most 1.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        largest = max(largest, min(1.0, (len(p) - rank) * p[place]))
        adjusted[place] = largest
    return adjusted
