"""What is expected of a metric on errors: a finite number, whatever the order, None where nothing is."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints
from tacit.core.rng import Stream, normals, permutation
from tacit.testing.expect import expect

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
        found.shape == (len(start) - 1,), f"{name} per user: shape {found.shape}; allowed: one value a user"
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
