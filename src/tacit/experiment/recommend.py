"""Recommend to a user: the best items of their own node's model, and what they liked before.

`recommend` needs no run, only a node's state; `suggest` only scores. `trained.py` asks a run's models.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
import polars as pl

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.math.similarity import nearest
from tacit.core.math.ties import best_first
from tacit.core.node_state import Floats, NodeState
from tacit.core.scorer import Scores
from tacit.models.base import Model
from tacit.models.score_all import score_all

NOTHING_YET = "nothing to recommend yet: no item that is new to this user has reached their node"
NOTHING_LEFT = "nothing to recommend: no item that is new to this user has a score"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One recommended item."""

    key: str
    """The item's id in the data, as text."""
    title: str
    score: float
    because: list[str]
    """Titles the user liked whose rows are nearest to this item's."""


@dataclass(frozen=True, slots=True)
class Recommended:
    """What one user gets, and what they liked before."""

    user: str
    """The user's id in the data, as text."""
    recipe: str
    liked: list[str]
    items: list[Suggestion]
    note: str = ""
    """Why there is nothing to recommend; empty where there is something."""

    def __repr__(self) -> str:
        titles = "; ".join(item.title for item in self.items[:3])
        more = f"; {len(self.items) - 3} more" if len(self.items) > 3 else ""
        return f"<Recommended to user {self.user} by {self.recipe}: {titles or self.note or 'nothing'}{more}>"

    def to_json(self) -> dict[str, Any]:
        """The contract's object."""
        return {
            "user": self.user,
            **({"note": self.note} if self.note else {}),
            "liked": self.liked,
            "items": [
                {"key": s.key, "title": s.title, "score": s.score, "because": s.because} for s in self.items
            ],
        }


def recommend(
    model: Model,
    state: NodeState,
    train: Interactions,
    user: int,
    items: pl.DataFrame,
    n: int = 10,
    *,
    seed: int,
) -> list[Suggestion]:
    """The n best items that the user does not have, best first.

    Ties stand in random order, as the run with this seed ranks them. Only items whose row this node has ever seen
    updated are recommended; nothing is known about the others.
    """
    score = score_all(model, state.rows, state.dense, state.private)
    score[state.ages == 0] = -np.inf
    return suggest(score, train, user, items, n, seed=seed, rows=state.rows)


def suggest(
    score: Scores,
    train: Interactions,
    user: int,
    items: pl.DataFrame,
    n: int = 10,
    *,
    seed: int,
    rows: Floats | None = None,
) -> list[Suggestion]:
    """The n items with the highest scores that the user does not have.

    With `rows` each has similar items that the user liked. Ties stand in random order, as the run with this seed ranks
    them.
    """
    check_count("-n", n)
    own, ratings = train.of(user)
    score[own] = -np.inf
    best = best_first(score, n, seed, user)
    liked = own[ratings >= np.median(ratings)] if len(own) else own
    title = titles(items)
    return [
        Suggestion(
            str(items["item"][int(i)]),
            title[i],
            float(score[i]),
            [title[near] for near in nearest(rows, int(i), liked)] if rows is not None else [],
        )
        for i in best
        if np.isfinite(score[i])
    ]


def favourites(train: Interactions, user: int, items: pl.DataFrame, n: int = 5) -> list[str]:
    """Titles this user rated highest, the most recent first among equals."""
    own, ratings = train.of(user)
    when = train.order[train.start[user] : train.start[user + 1]]
    title = titles(items)
    return [title[own[place]] for place in np.lexsort((-when, -ratings))[:n]]


def titles(items: pl.DataFrame) -> list[str]:
    """Every item's title, with its year where that is known and not in the title; its id where there is no title."""
    found = []
    for row in items.iter_rows(named=True):
        title = row.get("title") or str(row["item"])
        year = row.get("year")
        found.append(f"{title} ({year})" if year and f"({year})" not in title else title)
    return found


def check_count(what: str, n: object) -> None:
    """Refuse what is no whole number from 1."""
    if not isinstance(n, int | np.integer) or n < 1:
        raise BadInput(what, got=repr(n), allowed="a whole number from 1")


def position_of(name: str | int, ids: list[str], what: str = "user") -> int:
    """A user's (an item's) position. An unknown id is an error that names similar ids."""
    text = str(name)
    if text in ids:
        return ids.index(text)
    near = get_close_matches(text, ids, n=5, cutoff=0.5) or ids[:5]
    raise BadInput(what, got=text, allowed=f"one of {len(ids):,} ids such as {', '.join(near)}")
