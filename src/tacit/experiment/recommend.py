"""Recommend to a user of a finished run: the best items of their own node's model, and what they liked before.

`recommend_from` opens a run's folder again. `recommend` needs no folder, only a node's state.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.math.similarity import nearest
from tacit.core.node_state import NodeState
from tacit.experiment import run_folder
from tacit.experiment.experiment import Experiment
from tacit.experiment.part_records import with_parts
from tacit.experiment.prepare import prepare
from tacit.models.base import Model
from tacit.models.score_all import score_all
from tacit.simulator.checkpoint import Reader


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One recommended item."""

    key: str
    title: str
    score: float
    because: list[str]
    """Titles the user liked whose rows are nearest to this item's."""


@dataclass(frozen=True, slots=True)
class Recommended:
    """What one user gets, and what they liked before."""

    user: str
    recipe: str
    liked: list[str]
    items: list[Suggestion]

    def to_json(self) -> dict[str, Any]:
        """The contract's object."""
        return {
            "user": self.user,
            "liked": self.liked,
            "items": [
                {"key": s.key, "title": s.title, "score": s.score, "because": s.because} for s in self.items
            ],
        }


def recommend_from(
    folder: Path, user: str, n: int = 10, progress: Callable[[int, int | None], None] | None = None
) -> Recommended:
    """The n best items for a user, by the model that their own node ended with."""
    if n < 1:
        raise BadInput("-n", got=n, allowed="a whole number from 1")
    experiment = reopen(folder, progress)
    if experiment.images is not None:
        raise BadInput("run", got="one on images", allowed="runs on users and items", where=folder)
    data, train = experiment.dataset, experiment.split.train
    who = position_of(user, data.user_ids.tolist())
    suggestions = recommend(experiment.model, node_state(folder, who), train, who, data.items, n)
    return Recommended(user, experiment.recipe, favourites(train, who, data.items), suggestions)


def recommend(
    model: Model, state: NodeState, train: Interactions, user: int, items: pl.DataFrame, n: int = 10
) -> list[Suggestion]:
    """The n best items the user has not met, best first; ties by item order.

    Only items whose row this node has ever seen updated are recommended; nothing is known about the others.
    """
    if n < 1:
        raise BadInput("-n", got=n, allowed="a whole number from 1")
    own, ratings = train.of(user)
    score = score_all(model, state.rows, state.dense, state.private)
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


def reopen(folder: Path, progress: Callable[[int, int | None], None] | None = None) -> Experiment:
    """The experiment that a folder's run was: same data, same split, same parameters."""
    if not (folder / run_folder.STATE).exists():
        inside = sorted(path.parent.name for path in folder.glob(f"*/{run_folder.STATE}"))
        allowed = (
            f"a run that kept them, here: {', '.join(inside[:9])}" if inside else "the --out of tacit run"
        )
        raise BadInput("models", got="none", allowed=allowed, where=folder)
    result, source = run_folder.read_result(folder)
    if source is None:
        raise BadInput("data", got="a run on a frame", allowed="runs on a known name or a file", where=folder)
    parameters = with_parts(folder, result.parameters)
    alone = result.recipe == result.parameters.get("protocol")  # without a recipe
    name = str(parameters["protocol"]) if alone else result.recipe
    experiment = prepare(name, source, parameters, result.seed, progress)
    if experiment.dataset.sha256 != result.data["sha256"]:
        raise BadInput("data", got=f"another {source} than then", allowed=result.data["sha256"], where=folder)
    return experiment


def node_state(folder: Path, node: int) -> NodeState:
    """One node's last model, without reading everybody else's into memory."""
    path = folder / run_folder.STATE
    try:
        with Reader(path) as arrays:
            slot = int(arrays.row("slot", node))
            rows, ages, dense = (arrays.row(name, slot) for name in ("rows", "ages", "dense"))
            if rows.dtype == np.float16:  # kernels have no half precision
                rows = rows.astype(np.float32)
            return NodeState(rows, ages, dense, int(arrays.row("clock", slot)), arrays.row("private", node))
    except KeyError as missing:
        raise BadInput("models", got=f"no {missing}", allowed="models of items", where=path) from None
    except (ValueError, IndexError, OSError, EOFError, zipfile.BadZipFile):
        raise BadInput("models", got="a damaged file", allowed="run it again", where=path) from None


def position_of(user: str, ids: list[str]) -> int:
    """A user's position. An unknown id is an error that names similar ids."""
    if user in ids:
        return ids.index(user)
    near = get_close_matches(user, ids, n=5, cutoff=0.5) or ids[:5]
    raise BadInput("user", got=user, allowed=f"one of {len(ids):,} ids such as {', '.join(near)}")
