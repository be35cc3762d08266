"""Most popular: everybody gets the items in the same order, by the number of users who have them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.scorer import Scorer, Scores


class PopularScorer(Scorer):
    """Scores that do not depend on the user."""

    def __init__(self, train: Interactions) -> None:
        super().__init__(train.users, train.items)
        self._counts = np.bincount(train.item, minlength=train.items)

    def block(self, low: int, high: int, out: Scores) -> None:
        """Fill `out` for the users low .. high."""
        out[:] = self._counts


@dataclass(frozen=True, slots=True)
class Popular:
    """It has no parameters."""

    def fit(self, train: Interactions, seed: int, workers: Workers) -> Scorer:
        """Count."""
        return PopularScorer(train)


baseline = Popular
