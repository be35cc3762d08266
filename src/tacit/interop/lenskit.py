"""A recipe as a component of LensKit's: it is trained on a data set and scores items in a pipeline.

    from lenskit.pipeline import topn_pipeline
    pipeline = topn_pipeline(TacitScorer(recipe="tacit/best", settings={"rounds": 20}))
    pipeline.train(data)

It learns from all of the data set that it is trained on. What it keeps is everybody's scores (users x items numbers of
four bytes), so that LensKit can send it to other processes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from lenskit.data import Dataset, ItemList, QueryInput, RecQuery, Vocabulary
from lenskit.pipeline import Component
from lenskit.training import Trainable, TrainingOptions
from pydantic import BaseModel, Field

from tacit.core.scorer import blocks
from tacit.experiment.trained import fit


class TacitConfig(BaseModel):
    """What can be set."""

    recipe: str = "tacit/best"
    settings: dict[str, Any] = Field(default_factory=dict)
    """What to change, by the names that `tacit show RECIPE` lists."""
    seed: int = 0


class TacitScorer(Component[ItemList], Trainable):
    """Scores items by a recipe. A user or an item that it was not trained on has no score (NaN)."""

    config: TacitConfig
    users_: Vocabulary
    items_: Vocabulary
    scores_: npt.NDArray[np.float32]
    """Users x items, NaN where there is no score."""

    def train(self, data: Dataset, options: TrainingOptions = TrainingOptions()) -> None:  # noqa: B008 - as LensKit's
        """Run the recipe on everything."""
        if hasattr(self, "scores_") and not options.retrain:
            return
        settings = {"data.min_user": 0, "data.min_item": 0, **self.config.settings}
        trained = fit(self.config.recipe, data, settings, self.config.seed)
        found = trained.experiment.dataset
        user = data.users.numbers(found.ids("user").to_list())
        item = data.items.numbers(found.ids("item").to_list())
        scores = np.full((len(data.users), len(data.items)), np.nan, np.float32)
        for low, high in blocks(len(user), len(item)):
            part = np.empty((high - low, len(item)))
            trained.scorer.block(low, high, part)
            scores[np.ix_(user[low:high], item)] = part
        scores[~np.isfinite(scores)] = np.nan
        self.users_, self.items_, self.scores_ = data.users, data.items, scores

    def __call__(self, query: QueryInput, items: ItemList) -> ItemList:
        """The same items with scores."""
        user = RecQuery.create(query).user_id
        row = None if user is None else self.users_.number(user, missing=None)
        scores = np.full(len(items), np.nan, np.float32)
        if row is not None:
            number = items.numbers(vocabulary=self.items_, missing="negative")
            scores[number >= 0] = self.scores_[row, number[number >= 0]]
        return ItemList(items, scores=scores)
