"""The mean rating and biases of users and items, by alternating least squares: `BaselineOnly` of the Surprise library.

A bias is the mean of what is left of its ratings, shrunk: their sum divided by their number and `reg`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.scorer import Scorer, Scores
from tacit.core.settings import Count, Positive, setting


class BiasScorer(Scorer):
    """Ratings that a mean and two biases predict; the scale does not limit them."""

    def __init__(self, mean: float, users: npt.NDArray[np.float64], items: npt.NDArray[np.float64]) -> None:
        super().__init__(len(users), len(items))
        self._of_users, self._of_items = mean + users, items

    def block(self, low: int, high: int, out: Scores) -> None:
        """Fill `out` for the users low .. high."""
        out[:] = self._of_users[low:high, None] + self._of_items


@dataclass(frozen=True, slots=True)
class Biases:
    """The parameters, with Surprise's defaults."""

    epochs: Count = setting(10, "how often each side is solved (Surprise's default)")
    reg_i: Positive = setting(10.0, "added to the number of an item's ratings (Surprise's default)")
    reg_u: Positive = setting(15.0, "added to the number of a user's ratings (Surprise's default)")

    predicts_ratings: ClassVar[bool] = True

    def fit(self, train: Interactions, seed: int, workers: Workers) -> Scorer:
        """Solve for items, then for users, `epochs` times."""
        mean = float(np.mean(train.value, dtype=np.float64)) if len(train) else 0.0
        left = train.value.astype(np.float64) - mean
        users, items = np.zeros(train.users), np.zeros(train.items)
        by_item = self.reg_i + np.bincount(train.item, minlength=train.items)
        by_user = self.reg_u + np.bincount(train.user, minlength=train.users)
        for _ in range(self.epochs):
            items = np.bincount(train.item, left - users[train.user], train.items) / by_item
            users = np.bincount(train.user, left - items[train.item], train.users) / by_user
        return BiasScorer(mean, users, items)


baseline = Biases
