"""Rounds to convergence: when a learning curve first reaches its own plateau, of each user and of the network.

A curve's plateau is the mean of the last fifth of its measurements. The curve is smoothed (the mean of the measurements
up to half a window of rounds before and after). It has converged at the first measurement at which the smoothed curve
is at most a tolerance below the plateau. A curve that still rises when the run ends converges at its last. A plateau
is noisy, and a longer run gives noise more chances. So a rule that asks when a curve leaves a band for the last time
grows with the run. First reach does not.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints

Floats = npt.NDArray[np.float64]

WINDOW = 30.0
"""Rounds that are averaged."""
TOLERANCE = 0.05
"""How far below its plateau a user's curve counts as there."""
NEARLY = 0.99
"""The part of its plateau at which the network's mean counts as there."""
_PLATEAU = 5
"""The plateau is the last of this many equal parts of a run."""


def converged_at(
    rounds: npt.ArrayLike, values: npt.ArrayLike, *, window: float = WINDOW, tolerance: float = TOLERANCE
) -> Ints:
    """Which measurement it is for each user (a column of `values`, measured at `rounds`); -1 where one is missing.

    >>> converged_at([10, 20, 30], [[0.1], [0.5], [0.5]], window=1).tolist()
    [1]
    """
    table = np.asarray(values, np.float64)
    plateau = table[-_last_part(len(table)) :].mean(axis=0)
    return _first(_smoothed(rounds, table, window), plateau - tolerance)


def rounds_to_convergence(
    rounds: npt.ArrayLike, values: npt.ArrayLike, *, window: float = WINDOW, tolerance: float = TOLERANCE
) -> Floats:
    """The round for each user; NaN where there is nothing to measure.

    >>> rounds_to_convergence([10, 20, 30], [[0.1], [0.5], [0.5]], window=1).tolist()
    [20.0]
    """
    return reading(rounds, converged_at(rounds, values, window=window, tolerance=tolerance))


def network_rounds(rounds: npt.ArrayLike, means: npt.ArrayLike, *, window: float = WINDOW) -> float:
    """The round at which the mean over users first has 99 % of its plateau; NaN where there is nothing to measure.

    >>> network_rounds([10, 20, 30], [0.1, 0.5, 0.5], window=1)
    20.0
    """
    curve = np.asarray(means, np.float64)[:, None]
    plateau = curve[-_last_part(len(curve)) :].mean(axis=0)
    return float(reading(rounds, _first(_smoothed(rounds, curve, window), NEARLY * plateau))[0])


def reading(values: npt.ArrayLike, place: Ints) -> Floats:
    """What a list of measurements, or a column for each user, shows at each user's own measurement; NaN for -1.

    >>> reading([[1.0, 2.0], [3.0, 4.0]], np.array([1, 0])).tolist()
    [3.0, 2.0]
    """
    found = np.asarray(values, np.float64)
    each = found[place] if found.ndim == 1 else found[place, np.arange(len(place))]
    return np.where(place < 0, np.nan, each)


def _last_part(measurements: int) -> int:
    return max(1, measurements // _PLATEAU)


def _smoothed(rounds: npt.ArrayLike, table: Floats, window: float) -> Floats:
    at = np.asarray(rounds, np.float64)
    total = np.concatenate([np.zeros((1, table.shape[1])), np.cumsum(table, axis=0)])
    first = np.searchsorted(at, at - window / 2, side="left")
    end = np.searchsorted(at, at + window / 2, side="right")
    smooth: Floats = (total[end] - total[first]) / (end - first)[:, None]
    return smooth


def _first(smooth: Floats, level: Floats) -> Ints:
    """The first measurement at or above the level; the last where a curve is still rising when the run ends.

    Rounding must not make a flat curve miss its own mean.
    """
    there = smooth >= level - 1e-9
    place = np.where(there.any(axis=0), there.argmax(axis=0), len(smooth) - 1)
    return np.where(np.isnan(level), -1, place).astype(np.int64)
