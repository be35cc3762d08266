"""The best items a person has not met, with titles, and what they are near to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tacit.core.errors import BadInput
from tacit.core.math.similarity import Neighbours
from tacit.models.score_all import score_all
from tacit.node.catalogue.row_index import NOWHERE
from tacit.node.exchange.disclosure import liked, met, names, told
from tacit.node.exchange.gossip_learner import Learner
from tacit.node.fold_in import solve
from tacit.node.store.ratings import Library
from tacit.node.store.records import Rating, Recommendation

if TYPE_CHECKING:
    from tacit.node.push_sum.sum_learner import SumLearner


def recommend(
    learner: Learner | SumLearner, library: Library, ratings: Sequence[Rating], n: int = 10
) -> list[Recommendation]:
    """For somebody who said `ratings`. Only rows that somebody updated, and whose key is known here."""
    if n < 1:
        raise BadInput("-n", got=n, allowed="a whole number from 1")
    places, s = learner.places, learner.state
    if not len(places):
        return []
    score = score_rows(learner, ratings)
    order = best(score, n)
    likes = places.find(names([r for r in ratings if liked(r)]))
    likes = likes[likes != NOWHERE]
    likes = likes[s.ages[likes] > 0]
    wanted = n
    while True:
        items = library.items(places.names[order].tolist())
        known = [p for p in order.tolist() if int(places.names[p]) in items and np.isfinite(score[p])][:n]
        if len(known) == n or wanted >= len(places):
            break
        wanted *= 8  # rows without a key cannot be shown: look further
        order = best(score, wanted)
    neighbours = Neighbours(s.rows, likes)
    near = {p: places.names[neighbours.nearest(p)].tolist() for p in known}
    liked_items = library.items(name for names_ in near.values() for name in names_)
    found = []
    for p in known:
        item = items[int(places.names[p])]
        because = [liked_items[name].title for name in near[p] if name in liked_items]
        found.append(Recommendation(item.key, item.title, float(score[p]), because))
    return found


def score_rows(learner: Learner | SumLearner, ratings: Sequence[Rating]) -> np.ndarray:
    """A person's score of every row, minus infinity where nobody updated it or the person met it."""
    model, places, s = learner.rules.model, learner.places, learner.state
    data = told(ratings, model)
    where = places.find(data.names)
    use = where != NOWHERE
    use[use] = s.ages[where[use]] > 0
    seen = places.find(names(met(ratings)))
    seen = seen[seen != NOWHERE]
    open_ = s.ages > 0
    open_[seen] = False
    private = solve(model, s, where[use], data.values[use], np.flatnonzero(open_), learner.rules.seed)
    score = score_all(model, s.rows, s.dense, private)
    score[~open_] = -np.inf
    return score


def best(score: np.ndarray, n: int) -> np.ndarray:
    """The places of the n largest scores, best first, ties by place."""
    if n < len(score):
        edge = np.partition(score, len(score) - n)[len(score) - n]
        places = np.flatnonzero(score >= edge)
    else:
        places = np.arange(len(score))
    return places[np.argsort(-score[places], kind="stable")][:n]
