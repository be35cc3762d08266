"""Recommendations from an exchanged model: the top n items a person has not rated, and liked items nearest to each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tacit.core.errors import BadInput
from tacit.core.math.similarity import Neighbours
from tacit.core.math.ties import best_first
from tacit.models.score_all import score_all
from tacit.node.catalogue.item_keys import year_of
from tacit.node.catalogue.row_index import NOWHERE
from tacit.node.exchange.disclosure import liked, met, row_names, training_data
from tacit.node.exchange.gossip_learner import GossipLearner
from tacit.node.fold_in import solve
from tacit.node.store.ratings import RatingStore
from tacit.node.store.records import Rating, Recommendation

if TYPE_CHECKING:
    from tacit.node.push_sum.sum_learner import SumLearner

_SELF = 0
"""The person's number where equal scores are put in order: a device has one person."""


def recommend(
    learner: GossipLearner | SumLearner, rating_store: RatingStore, ratings: Sequence[Rating], n: int = 10
) -> list[Recommendation]:
    """For somebody who said `ratings`. Only rows that somebody updated, and whose key is known here."""
    if n < 1:
        raise BadInput("-n", got=n, allowed="a whole number from 1")
    index, s = learner.row_index, learner.state
    if not len(index):
        return []
    score = score_rows(learner, ratings)
    order = best_first(score, n, learner.rules.seed, _SELF)
    likes = index.find(row_names([r for r in ratings if liked(r)]))
    likes = likes[likes != NOWHERE]
    likes = likes[s.ages[likes] > 0]
    wanted = n
    while True:
        items = rating_store.items(index.names[order].tolist())
        known = [p for p in order.tolist() if int(index.names[p]) in items and np.isfinite(score[p])][:n]
        if len(known) == n or wanted >= len(index):
            break
        wanted *= 8  # rows without a key cannot be shown: look further
        order = best_first(score, wanted, learner.rules.seed, _SELF)
    neighbours = Neighbours(s.rows, likes)
    near = {p: index.names[neighbours.nearest(p)].tolist() for p in known}
    liked_items = rating_store.items(name for names in near.values() for name in names)
    found = []
    for p in known:
        item = items[int(index.names[p])]
        because = [liked_items[name].title for name in near[p] if name in liked_items]
        found.append(Recommendation(item.key, item.title, float(score[p]), because, year=year_of(item.key)))
    return found


def score_rows(learner: GossipLearner | SumLearner, ratings: Sequence[Rating]) -> np.ndarray:
    """A person's score of every row, minus infinity where nobody updated it or the person met it."""
    model, index, s = learner.rules.model, learner.row_index, learner.state
    names, values = training_data(ratings, model)
    where = index.find(names)
    use = where != NOWHERE
    use[use] = s.ages[where[use]] > 0
    seen = index.find(row_names(met(ratings)))
    seen = seen[seen != NOWHERE]
    open_ = s.ages > 0
    open_[seen] = False
    private = solve(model, s, where[use], values[use], np.flatnonzero(open_), learner.rules.seed)
    score = score_all(model, s.rows, s.dense, private)
    score[~open_] = -np.inf
    return score
