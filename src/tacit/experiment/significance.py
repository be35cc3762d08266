"""Significance: paired tests over users between recipes, with Holm's correction for several pairs.

A user's values are averaged over the seeds first. Seeds are no further users: counting them as such would make every
difference look certain. Users who have no value in either of the two are left out. A pair counts as different when
both tests, t and Wilcoxon's signed-rank, say so after Holm's correction over all pairs of the same metric.
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

from tacit.experiment.result import Result

LEVEL = 0.05
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PairedTest:
    """What the users' paired values say about two settings."""

    metric: str
    a: str
    b: str
    mean_difference: float
    """Mean over users of a's value minus b's."""
    t_p: float
    wilcoxon_p: float
    t_p_holm: float
    wilcoxon_p_holm: float
    significant: bool

    def to_json(self) -> dict[str, Any]:
        """The contract's object."""
        return asdict(self)


def paired_tests(groups: Mapping[str, Sequence[Result]]) -> list[PairedTest]:
    """Every pair of groups on every metric that both measured for single users. A group: one setting's seeds."""
    metrics = dict.fromkeys(name for runs in groups.values() for run in runs for name in run.metrics)
    return [test for metric in metrics for test in _of_metric(groups, metric)]


def _of_metric(groups: Mapping[str, Sequence[Result]], metric: str) -> list[PairedTest]:
    values = {name: user_means(runs, metric) for name, runs in groups.items()}
    pairs = []
    for (a, left), (b, right) in combinations(values.items(), 2):
        both = left.join(right, on="user", suffix="_b").drop_nulls()
        if both.height:
            difference = (both["value"] - both["value_b"]).to_numpy()
            pairs.append((a, b, float(difference.mean()), *p_values(difference)))
    t_holm, wilcoxon_holm = holm([pair[3] for pair in pairs]), holm([pair[4] for pair in pairs])
    return [
        PairedTest(metric, *pair, t, w, t < LEVEL and w < LEVEL)
        for pair, t, w in zip(pairs, t_holm, wilcoxon_holm, strict=True)
    ]


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
