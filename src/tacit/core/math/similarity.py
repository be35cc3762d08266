"""Similarity of items: the nearest item rows by the cosine of their factors."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.math.ties import best_first
from tacit.core.node_state import Floats


class Neighbours:
    """Some rows, to find the nearest of them to many others."""

    def __init__(self, rows: Floats, among: npt.NDArray[np.integer]) -> None:
        self._rows, self._among = rows, among
        self._factors = rows[among, :-1].astype(np.float64)
        self._norm = np.linalg.norm(self._factors, axis=1) + 1e-12

    def nearest(self, item: int, n: int = 2) -> list[int]:
        """Up to n of the rows, nearest to `item` by cosine first; the last column is a bias, not a direction.

        Rows that are equally near stand in random order, which depends on `item`.
        """
        if not self._factors.size:
            return []
        own = self._rows[item, :-1].astype(np.float64)
        similarity = self._factors @ own / (self._norm * (np.linalg.norm(own) + 1e-12))
        return [int(self._among[place]) for place in best_first(similarity, n, seed=0, user=item)]


def nearest(rows: Floats, item: int, among: npt.NDArray[np.integer], n: int = 2) -> list[int]:
    """Up to n of the rows `among`, nearest to `item` first.

    >>> nearest(np.array([[1, 0, 9], [2, 0.1, 0], [0, 1, 9]]), 0, np.array([1, 2]), 1)
    [1]
    """
    return Neighbours(rows, among).nearest(item, n)
