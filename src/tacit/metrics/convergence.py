"""Rounds to convergence of each user: when the smoothed learning curve stays near its end.

A user's curve is smoothed (the mean of the last `window` measurements); it has converged at the first measurement from
which on the smoothed curve stays within `tolerance` of where it ends.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def rounds_to_convergence(
    rounds: npt.ArrayLike, values: npt.ArrayLike, *, window: int = 5, tolerance: float = 0.05
) -> Floats:
    """The round for each user (a column of `values`, measured at `rounds`); NaN where there is nothing to measure.

    >>> rounds_to_convergence([10, 20, 30], [[0.1], [0.5], [0.5]], window=1).tolist()
    [20.0]
    """
    at, table = np.asarray(rounds, np.float64), np.asarray(values, np.float64)
    total = np.concatenate([np.zeros((1, table.shape[1])), np.cumsum(table, axis=0)])
    end = np.arange(1, len(table) + 1)
    first = np.maximum(0, end - window)
    smooth = (total[end] - total[first]) / (end - first)[:, None]
    away = np.abs(smooth - smooth[-1]) > tolerance
    # The measurement after the last one that was still away.
    place = np.where(away.any(axis=0), len(table) - away[::-1].argmax(axis=0), 0)
    found: Floats = np.where(np.isnan(table).any(axis=0), np.nan, at[place])
    return found
