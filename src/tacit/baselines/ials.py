"""Centralized implicit ALS: user and item factors are solved exactly, in turn. The ceiling for `tacit/best`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.math.als_solver import Doubles, alternate, by_rule
from tacit.core.rng import Stream, normals
from tacit.core.scorer import Scorer, Scores
from tacit.core.settings import Count, Positive, setting


@kernel
def _products(low: int, high: int, people: Doubles, columns: Doubles, out: Scores) -> None:
    for u in range(low, high):
        out[u] = 0
        for f in range(len(columns)):
            for i in range(out.shape[1]):
                out[u, i] += people[u, f] * columns[f, i]


class FactorScorer(Scorer):
    """p_u.q_j, added up in one order: in a matrix product equal rows could differ in the last bit by where they stand.

    Items that the same people have are equal rows, and only equal scores are ties.
    """

    def __init__(self, people: Doubles, items: Doubles, workers: Workers) -> None:
        super().__init__(len(people), len(items))
        self.factors, self.rows = people, items
        self._columns, self._workers = np.ascontiguousarray(items.T), workers

    def block(self, low: int, high: int, out: Scores) -> None:
        """Fill `out` for the users low .. high."""
        self._workers.run(_products, high - low, self.factors[low:high], self._columns, out)


@dataclass(frozen=True, slots=True)
class ImplicitLeastSquares:
    """The parameters."""

    k: Count = setting(16, "number of latent factors")
    w0: Positive | None = setting(None, "weight of an item one does not have; none: by rule")
    reg: Positive | None = setting(None, "regularization; none: by rule")
    sweeps: Count = setting(16, "how often each side is solved")
    spread: Positive = setting(0.1, "standard deviation of the factors at the start")

    def fit(self, train: Interactions, seed: int, workers: Workers) -> Scorer:
        """Solve for users, then for items, `sweeps` times; at the end for users once more."""
        rule = by_rule(len(train) / max(1, train.users), train.items)
        w0, reg = self.w0 or rule[0], self.reg or rule[1]
        rows = self.spread * normals(seed, Stream.INIT_ROWS, 0, train.items, self.k)
        people = alternate(train, rows, w0, reg, self.sweeps, workers)
        return FactorScorer(people, rows, workers)


baseline = ImplicitLeastSquares
