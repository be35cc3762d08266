"""Mean absolute error: sum of |prediction - rating| / number of ratings, over all test ratings together."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Ints

Floats = npt.NDArray[np.float64]


@np.errstate(over="ignore", invalid="ignore")  # a score may be infinite: a note says so
def mae(errors: Floats) -> float | None:
    """Of all errors together; None when there are none.

    >>> mae(np.array([1.0, -1.0, 2.0, 0.0]))
    1.0
    """
    return float(np.mean(np.abs(errors))) if len(errors) else None


@np.errstate(over="ignore", invalid="ignore")
def mae_per_user(errors: Floats, start: Ints) -> Floats:
    """Of each user's own errors; NaN for a user without test ratings."""
    counts = np.diff(start)
    total = np.concatenate(([0.0], np.cumsum(np.abs(errors))))
    mean: Floats = np.divide(
        total[start[1:]] - total[start[:-1]], counts, out=np.full(len(counts), np.nan), where=counts > 0
    )
    return mean
