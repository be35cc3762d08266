"""Check a metric: an error is a finite number whatever the order, a ranking metric gives one value per user."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints
from tacit.core.part_checks import check_made
from tacit.core.rng import Stream, normals, permutation, uniforms
from tacit.metrics.top_k import Hits
from tacit.testing.expect import expect, kit

Errors = npt.NDArray[np.float64]


def check_metric(
    metric: Callable[[Errors], float | None], per_user: Callable[[Errors, Ints], Errors] | None = None
) -> None:
    """Check a metric of prediction errors, and its form that gives every user their own value.

    >>> from tacit.metrics.rmse import rmse, rmse_per_user
    >>> check_metric(rmse, per_user=rmse_per_user)
    """
    name = getattr(metric, "__name__", str(metric))
    errors = normals(7, Stream.SYNTHETIC, 0, 1, 200)[0]
    before = errors.copy()
    value = metric(errors)
    expect(type(value) is float, f"{name}: got a {type(value).__name__}; allowed: a Python float, or None")
    expect(value is not None and np.isfinite(value), f"{name}: {value} on ordinary errors")
    expect(np.array_equal(errors, before), f"{name}: changes its input")
    expect(metric(errors) == value, f"{name}: another value when asked again")
    for seed in range(3):
        shuffled = metric(errors[permutation(seed, Stream.SYNTHETIC, 0, 0, len(errors))])
        close = shuffled is not None and value is not None and np.isclose(shuffled, value, rtol=1e-12)
        expect(close, f"{name}: depends on the order: {shuffled} after shuffling, {value} before")
    expect(
        metric(errors[:0]) is None, f"{name}: got {metric(errors[:0])} for no errors at all; allowed: None"
    )
    one = metric(errors[:1])
    expect(one is not None and np.isfinite(one), f"{name}: {one} for a single error")
    if per_user is not None:
        _check_per_user(name, metric, per_user, errors)


def _check_per_user(
    name: str,
    metric: Callable[[Errors], float | None],
    per_user: Callable[[Errors, Ints], Errors],
    errors: Errors,
) -> None:
    start = np.array([0, 0, 1, 50, 50, 120, len(errors), len(errors)])
    found = per_user(errors, start)
    expect(
        found.shape == (len(start) - 1,), f"{name} per user: shape {found.shape}; allowed: one value per user"
    )
    for u, (low, high) in enumerate(pairwise(start)):
        alone = metric(errors[low:high])
        if alone is None:
            expect(
                np.isnan(found[u]),
                f"{name} per user: {found[u]} for a user without test ratings; allowed: NaN",
            )
        else:
            expect(
                np.isclose(found[u], alone, rtol=1e-9), f"{name} per user: {found[u]}, alone it is {alone}"
            )
    nobody = per_user(errors[:0], np.zeros(3, np.int64))
    expect(
        nobody.shape == (2,) and np.isnan(nobody).all(),
        f"{name} per user: no test ratings at all gives {nobody}",
    )


@kit
def check_ranking(metric: Callable[[Hits, Ints], Errors]) -> None:
    """Check a metric of recommended lists: metric(hits, relevant), one value per user.

    >>> from tacit.metrics.precision import precision
    >>> check_ranking(precision)
    """
    name = getattr(metric, "__name__", str(metric))
    check_made("ranking", metric, f"metric {name}")
    hits = uniforms(7, Stream.SYNTHETIC, 0, 40, 10) < 0.3
    hits[0], hits[1], hits[2] = False, True, False
    relevant = hits.sum(axis=1) + np.arange(40) % 4
    relevant[2] = 0
    before = hits.copy(), relevant.copy()
    found = metric(hits, relevant)
    expect(found.shape == (40,), f"{name}: shape {found.shape}; allowed: one value per user")
    kept = np.array_equal(hits, before[0]) and np.array_equal(relevant, before[1])
    expect(kept, f"{name}: changes its input")
    expect(bool(np.isnan(found[2])), f"{name}: {found[2]} for a user without held-out items; allowed: NaN")
    measured = relevant > 0
    expect(
        bool(np.isfinite(found[measured]).all()), f"{name}: a user with held-out items has no finite value"
    )
    order = permutation(5, Stream.SYNTHETIC, 0, 0, 40)
    again = metric(hits[order], relevant[order])
    expect(
        np.array_equal(again, found[order], equal_nan=True), f"{name}: a user's value depends on the others"
    )
    better = metric(np.ones_like(hits), np.maximum(relevant, 10))[measured]
    worse = metric(np.zeros_like(hits), np.maximum(relevant, 10))[measured]
    expect(bool((better > worse).all()), f"{name}: a list of hits is no better than a list of misses")
