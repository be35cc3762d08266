"""A recipe with the methods of `implicit`'s models: fit, recommend, similar_items.

    model = Recommender("tacit/best", settings={"rounds": 20})
    model.fit(user_items)                                       # a SciPy sparse matrix, users x items
    ids, scores = model.recommend(0, user_items[0])

It learns from the whole matrix, as `implicit` does: nothing is held out. Users and items are numbers of rows and
columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.errors import BadInput
from tacit.core.interactions import Ints, Positions
from tacit.core.math.ties import best_first
from tacit.core.node_state import Floats
from tacit.core.scorer import Scores
from tacit.data.foreign_tables import SparseMatrix
from tacit.experiment.trained import Trained, fit

NOBODY = -1
"""The id in a place for which there is no item."""


class Recommender:
    """One recipe, fitted to a matrix."""

    def __init__(
        self,
        recipe: str = "tacit/best",
        settings: Mapping[str, Any] | None = None,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        self.recipe, self.seed, self._threads = recipe, seed, threads
        # Every row and column of the matrix counts, unless somebody says otherwise.
        self.settings = {"data.min_user": 0, "data.min_item": 0, **(settings or {})}
        self.trained: Trained | None = None
        self._shape = (0, 0)
        self._users: Ints = np.zeros(0, np.int64)
        self._items: Ints = np.zeros(0, np.int64)

    def __repr__(self) -> str:
        fitted = f"fitted to {self._shape[0]:,} x {self._shape[1]:,}" if self.trained else "not fitted"
        return f"<Recommender {self.recipe}, {fitted}>"

    def fit(self, user_items: SparseMatrix, show_progress: bool = False) -> None:
        """Learn from a sparse matrix, users x items. `show_progress` is there because `implicit` has it."""
        shape = getattr(user_items, "shape", None)
        if not hasattr(user_items, "tocoo") or shape is None:
            raise BadInput("user_items", got=type(user_items).__name__, allowed="a SciPy sparse matrix")
        trained = fit(self.recipe, user_items, self.settings, self.seed, self._threads)
        data = trained.experiment.dataset
        self.trained, self._shape = trained, (int(shape[0]), int(shape[1]))
        self._items = data.item_ids.astype(np.int64)
        self._users = np.full(self._shape[0], NOBODY)
        self._users[data.user_ids.astype(np.int64)] = np.arange(data.users)

    def recommend(
        self,
        userid: npt.ArrayLike,
        user_items: Any = None,
        N: int = 10,
        filter_already_liked_items: bool = True,
        filter_items: npt.ArrayLike | None = None,
        items: npt.ArrayLike | None = None,
    ) -> tuple[Positions, Scores]:
        """The N best items of a user, or of several, and their scores: one row per user where several are asked for.

        `user_items` has one row per user asked for; without it those are left out that the user was fitted with. A
        list that is too short ends in -1, with a score of minus infinity; so does all of it where a row was empty.
        """
        trained = self._fitted()
        who = np.atleast_1d(np.asarray(userid))
        if who.dtype.kind not in "iu" or who.ndim != 1 or ((who < 0) | (who >= self._shape[0])).any():
            raise BadInput("userid", got=userid, allowed=f"numbers of rows, 0 to {self._shape[0] - 1}")
        if user_items is not None and user_items.shape != (len(who), self._shape[1]):
            allowed = f"one row per user asked for, {len(who)} x {self._shape[1]}"
            raise BadInput("user_items", got=" x ".join(map(str, user_items.shape)), allowed=allowed)
        if N < 1:
            raise BadInput("N", got=N, allowed="a whole number from 1")
        ids, scores = np.full((len(who), N), NOBODY, np.int32), np.full((len(who), N), -np.inf)
        for n, user in enumerate(who.tolist()):
            score = self._scores(user)
            if filter_already_liked_items:
                score[self._liked(user, None if user_items is None else user_items[[n]])] = -np.inf
            if filter_items is not None:
                score[np.asarray(filter_items)] = -np.inf
            ids[n], scores[n] = _best(score, N, items, trained.experiment.seed, user)
        return (ids[0], scores[0]) if np.ndim(userid) == 0 else (ids, scores)

    def similar_items(
        self,
        itemid: int,
        N: int = 10,
        filter_items: npt.ArrayLike | None = None,
        items: npt.ArrayLike | None = None,
        userid: int | None = None,
    ) -> tuple[Positions, Scores]:
        """The N items whose rows are nearest to this one's, by cosine; the item itself comes first.

        Item-kNN has no rows. Its neighbours are those that it found, at most `baseline.k`.

        `userid`: by the rows of that user's node. It can be left out where all share one model.
        """
        trained = self._fitted()
        if not 0 <= itemid < self._shape[1]:
            raise BadInput("itemid", got=itemid, allowed=f"the number of a column, 0 to {self._shape[1] - 1}")
        score = (
            self._neighbours(itemid) if hasattr(trained.scorer, "similar") else self._cosines(itemid, userid)
        )
        if np.isfinite(score[itemid]):
            score[itemid] = np.nextafter(1, 2)  # before others with a row of the same direction
        if filter_items is not None:
            score[np.asarray(filter_items)] = -np.inf
        return _best(score, N, items, trained.experiment.seed, itemid)

    def _cosines(self, itemid: int, userid: int | None) -> Scores:
        rows = self.item_factors(userid).astype(np.float64)
        length = np.linalg.norm(rows, axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            score = rows @ rows[itemid] / (length * length[itemid])
        # An empty column is like nothing.
        return np.where(np.isfinite(score), np.clip(score, -1, 1), -np.inf)

    def _neighbours(self, itemid: int) -> Scores:
        """What a model without rows, but with neighbours of items, has found."""
        score = np.full(self._shape[1], -np.inf)
        if itemid in self._items:
            scorer: Any = self._fitted().scorer
            score[self._items] = scorer.similar(int(np.searchsorted(self._items, itemid)))
            score[itemid] = 1
        return score

    def item_factors(self, userid: int | None = None) -> Floats:
        """One row per column of the matrix; zeros for those that were empty."""
        trained = self._fitted()
        found = trained.item_factors(userid)
        rows = np.zeros((self._shape[1], found.shape[1]), found.dtype)
        rows[self._items] = found
        return rows

    def _fitted(self) -> Trained:
        if self.trained is None:
            raise BadInput("the model is not fitted: call fit(user_items) first")
        return self.trained

    def _scores(self, user: int) -> Scores:
        """A user's scores of every column."""
        trained = self._fitted()
        score = np.full(self._shape[1], -np.inf)
        at = int(self._users[user])
        if at != NOBODY:
            own = np.empty((1, len(self._items)))
            trained.scorer.block(at, at + 1, own)
            score[self._items] = own[0]
        return score

    def _liked(self, user: int, row: Any) -> Ints:
        if row is not None:
            return np.asarray(row.tocoo().col, np.int64)
        at = int(self._users[user])
        train = self._fitted().experiment.split.train
        return self._items[train.of(at)[0]] if at != NOBODY else np.zeros(0, np.int64)


def _best(
    score: Scores, n: int, items: npt.ArrayLike | None, seed: int, who: int
) -> tuple[Positions, Scores]:
    """The n best of these items (of all), best first; equal scores in the random order of (seed, who, item)."""
    if items is not None:
        outside = np.ones(len(score), np.bool_)
        outside[np.asarray(items, np.int64)] = False
        score = np.where(outside, -np.inf, score)
    order = best_first(score, n, seed, who)
    there = np.isfinite(score[order])
    ids, scores = np.full(n, NOBODY, np.int32), np.full(n, -np.inf)
    ids[: len(order)] = np.where(there, order, NOBODY)
    scores[: len(order)] = np.where(there, score[order], -np.inf)
    return ids, scores
