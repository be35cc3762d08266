"""Which items are alike: rows whose factors point the same way."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.state import Floats


def nearest(rows: Floats, item: int, among: npt.NDArray[np.integer], n: int = 2) -> list[int]:
    """Up to n of the rows `among`, nearest to `item` by cosine first; the last column is a bias, not a direction.

    >>> nearest(np.array([[1, 0, 9], [2, 0.1, 0], [0, 1, 9]]), 0, np.array([1, 2]), 1)
    [1]
    """
    if len(among) == 0 or rows.shape[1] < 2:
        return []
    factors = rows[among, :-1].astype(np.float64)
    own = rows[item, :-1].astype(np.float64)
    norm = np.linalg.norm(factors, axis=1) + 1e-12
    likeness = factors @ own / (norm * (np.linalg.norm(own) + 1e-12))
    return [int(among[place]) for place in np.argsort(-likeness, kind="stable")[:n]]
