"""What a user would be shown: the best items of their own node's model, and what they liked before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.likeness import nearest
from tacit.core.state import NodeState
from tacit.hosts.sim.simulation import scores
from tacit.models.base import Model


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One recommended item."""

    key: str
    title: str
    score: float
    because: list[str]
    """Titles the user liked whose rows are nearest to this item's."""


def recommend(
    model: Model, state: NodeState, train: Interactions, user: int, items: pl.DataFrame, n: int = 10
) -> list[Suggestion]:
    """The n best items the user has not met, best first; ties by item order.

    Only items whose row this node has ever seen updated are shown: nobody said anything about the others.
    """
    if n < 1:
        raise BadInput("-n", got=n, allowed="a whole number from 1")
    own, ratings = train.of(user)
    score = scores(model, state)
    score[own] = -np.inf
    score[state.ages == 0] = -np.inf
    best = np.argsort(-score, kind="stable")[:n]
    liked = own[ratings >= np.median(ratings)] if len(own) else own
    title = titles(items)
    return [
        Suggestion(
            str(items["item"][int(i)]),
            title[i],
            float(score[i]),
            [title[near] for near in nearest(state.rows, int(i), liked)],
        )
        for i in best
        if np.isfinite(score[i])
    ]


def titles(items: pl.DataFrame) -> list[str]:
    """Every item's title, with its year where that is known and not in the title; its id where there is no title."""
    shown = []
    for row in items.iter_rows(named=True):
        title = row.get("title") or str(row["item"])
        year = row.get("year")
        shown.append(f"{title} ({year})" if year and f"({year})" not in title else title)
    return shown


def favourites(train: Interactions, user: int, items: pl.DataFrame, n: int = 5) -> list[str]:
    """Titles this user rated highest, the most recent first among equals."""
    own, ratings = train.of(user)
    when = train.order[train.start[user] : train.start[user + 1]]
    title = titles(items)
    return [title[own[place]] for place in np.lexsort((-when, -ratings))[:n]]
