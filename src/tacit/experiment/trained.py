"""`Trained`: the models that a run ended with, and what they can be asked.

Models are in memory after a run without a folder. With a folder they are read from there, and only when something is
asked that needs them. `fit` learns from everything and measures nothing.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.core.node_state import Floats, NodeState
from tacit.core.scorer import Scorer, Scores
from tacit.data.dataset import Data
from tacit.data.given_split import parts_table
from tacit.data.source_rows import saved_rows
from tacit.experiment import run_folder
from tacit.experiment.experiment import Experiment
from tacit.experiment.part_records import with_parts
from tacit.experiment.prepare import prepare
from tacit.experiment.recommend import (
    NOTHING_LEFT,
    NOTHING_YET,
    Recommended,
    check_count,
    favourites,
    position_of,
    recommend,
    suggest,
)
from tacit.metrics.top_k import top_lists
from tacit.simulator.checkpoint import Reader
from tacit.simulator.scoring import scorer_of
from tacit.simulator.simulation import Simulation

Progress = Callable[[int, int | None], None]
Ids = str | int | npt.ArrayLike
"""One id of the source, or several."""


class Trained:
    """The models of a run: recommendations, everybody's lists, scores, item factors, and the split."""

    def __init__(
        self,
        experiment: Experiment | None = None,
        simulation: Simulation | None = None,
        *,
        folder: Path | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._experiment, self._simulation = experiment, simulation
        self._folder, self._progress = folder, progress
        self._places: dict[str, dict[str, int]] = {}

    def __repr__(self) -> str:
        where = "in memory" if self._folder is None else f"in {self._folder}"
        return f"<Trained models {where}>"

    @property
    def experiment(self) -> Experiment:
        """What was run: its data, split and model."""
        if self._experiment is None:
            assert self._folder is not None
            self._experiment = reopen(self._folder, self._progress)
        if self._experiment.images is not None:
            raise BadInput(
                "run", got="one on images", allowed="runs on users and items", where=self._folder or ""
            )
        return self._experiment

    @property
    def simulation(self) -> Simulation:
        """Where it ended."""
        if self._simulation is None:
            assert self._folder is not None
            x = self.experiment
            self._simulation = x.protocol.build(x.scenario(Workers()))
            run_folder.restore(self._folder, self._simulation)
        return self._simulation

    @property
    def scorer(self) -> Scorer:
        """What ranks, as in the evaluation."""
        x = self.experiment
        return scorer_of(x.model, self.simulation, x.settings.learning.lazy, Workers())

    def recommend(self, user: str | int, n: int = 10) -> Recommended:
        """The n best items for a user, by the model that their own node ended with.

        Items of which this node has never heard are left out. The evaluation, and `lists`, rank them too.
        """
        x = self.experiment
        data, train = x.dataset, x.split.train
        who = position_of(user, data.user_ids.tolist())
        if x.model.row_width:
            found = recommend(x.model, self._node(who), train, who, data.items, n, seed=x.seed)
        else:  # a baseline has scores and no rows
            score = np.empty((1, train.items))
            self.scorer.block(who, who + 1, score)
            found = suggest(score[0], train, who, data.items, n, seed=x.seed)
        note = "" if found else NOTHING_YET if x.model.row_width else NOTHING_LEFT
        return Recommended(str(user), x.recipe, favourites(train, who, data.items), found, note)

    def lists(self, k: int = 10) -> pl.DataFrame:
        """Everybody's k best items without those they trained on: user, item, rank (from 1), score.

        They are ranked as in `evaluate=full`, with known places where visits are divided. Every item counts, also
        those the user's node has not heard of.
        """
        check_count("k", k)
        x = self.experiment
        everybody = np.ones(x.split.train.users, np.bool_)
        most = min(k, x.split.train.items)
        lists = top_lists(self.scorer, x.left_out, everybody, most, seed=x.seed, workers=Workers()).lists
        user, place = np.nonzero(lists >= 0)
        item = lists[user, place]
        start = np.concatenate(([0], np.cumsum((lists >= 0).sum(axis=1)))).astype(np.int64)
        return pl.DataFrame(
            [
                x.dataset.ids("user", user),
                x.dataset.ids("item", item),
                pl.Series("rank", place + 1, dtype=pl.Int32),
                pl.Series("score", self.scorer.some(start, np.ascontiguousarray(item))),
            ]
        )

    def score(self, users: Ids, items: Ids) -> Scores:
        """The score of each (user, item) pair: a predicted rating where the model predicts ratings.

        Ids as in the data; one of the two may be a single id and no list. `score(196, [242, 302])` gives two numbers.
        """
        user, item = self._positions("user", users), self._positions("item", items)
        if user.shape != item.shape and () not in (user.shape, item.shape):
            got = f"{user.size} users and {item.size} items"
            raise BadInput(
                "score", got=got, allowed="as many of each in one list, or a single id without a list"
            )
        user, item = np.broadcast_arrays(user, item)
        order = np.argsort(user.ravel(), kind="stable")
        start = np.searchsorted(user.ravel()[order], np.arange(self.experiment.dataset.users + 1))
        out = np.empty(user.size)
        out[order] = self.scorer.some(start.astype(np.int64), item.ravel()[order].astype(np.int32))
        return out.reshape(user.shape)

    def item_factors(self, user: str | int | None = None) -> Floats:
        """One row per item, in the order of `items`: the shared rows of the model (see its `fields`).

        Without a user only where all share one model. Otherwise every user's node has rows of its own.
        """
        x = self.experiment
        if not x.model.row_width:
            rows = getattr(self.scorer, "rows", None)
            if rows is None:
                name = x.parameters.get("baseline", x.model.name)
                raise BadInput("item factors", got=f"none in {name}", allowed="models with a row per item")
            return np.array(rows)
        if user is not None:
            return np.array(self._node(position_of(user, x.dataset.user_ids.tolist())).rows)
        if not self.simulation.one_model:
            users = x.dataset.user_ids
            allowed = f"user=ID: each of {len(users):,} nodes has rows of its own, as user={users[0]}"
            raise BadInput("item factors", got="no user", allowed=allowed)
        return np.array(self._node(0).rows)

    def parts(self) -> pl.DataFrame:
        """The split: user, item, rating, timestamp (where known), split (train, test, validation)."""
        return parts_table(self.experiment.dataset, self.experiment.split)

    @property
    def items(self) -> pl.DataFrame:
        """The catalogue: item (its id), title, category, city, lat, lon, genres, year; null where unknown."""
        data = self.experiment.dataset
        return data.items.with_columns(data.ids("item"))

    def _node(self, user: int) -> NodeState:
        if self._simulation is None and self._folder is not None:
            return node_state(self._folder, user)
        return self.simulation.node(user)

    def _positions(self, what: str, ids: Ids) -> npt.NDArray[np.int64]:
        data = self.experiment.dataset
        known = (data.user_ids if what == "user" else data.item_ids).tolist()
        if what not in self._places:
            self._places[what] = {text: n for n, text in enumerate(known)}
        place, given = self._places[what], np.asarray(ids)
        for one in given.ravel().tolist():
            if str(one) not in place:
                position_of(one, known, what)
        found = [place[str(one)] for one in given.ravel().tolist()]
        return np.array(found, np.int64).reshape(given.shape)


def fit(
    recipe: str,
    data: Data,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> Trained:
    """Learn from everything: no part is held out, and nothing is measured. `best` is not heeded."""
    x = prepare(recipe, data, settings, seed, measured=False)
    simulation = x.protocol.build(x.scenario(Workers(threads)))
    horizon = x.horizon(simulation.period)
    while simulation.now < horizon:
        simulation.advance(min(horizon, simulation.now + simulation.period))
    return Trained(x, simulation)


def reopen(folder: Path, progress: Progress | None = None) -> Experiment:
    """The experiment that a folder's run was: same data, same split, same parameters."""
    if not folder.exists():
        raise BadInput("folder", got=f"{folder}, which does not exist", allowed="the --out of tacit run")
    if not (folder / run_folder.STATE).exists():
        inside = sorted(path.parent.name for path in folder.glob(f"*/{run_folder.STATE}"))
        allowed = (
            f"a run that kept them, here: {', '.join(inside[:9])}" if inside else "the --out of tacit run"
        )
        raise BadInput("models", got="none", allowed=allowed, where=folder)
    result, source = run_folder.read_result(folder)
    try:
        done = run_folder.read_facts(folder).get("done")
    except BadInput:
        raise BadInput("models", got="a damaged file", allowed="run it again", where=folder) from None
    if not done:
        allowed = "a run whose last state was saved: continue it with --resume"
        raise BadInput("models", got="those of a half-done run", allowed=allowed, where=folder)
    data: Data | None = source if source is not None else saved_rows(folder, str(result.data["name"]))
    if data is None:
        allowed = "a run on a known name or a file, or one that wrote its data"
        raise BadInput("data", got="a run on a frame, without its rows", allowed=allowed, where=folder)
    parameters = with_parts(folder, result.parameters)
    alone = result.recipe == result.parameters.get("protocol")  # without a recipe
    name = str(parameters["protocol"]) if alone else result.recipe
    experiment = prepare(name, data, parameters, result.seed, progress, settled=True)
    if experiment.dataset.sha256 != result.data["sha256"]:
        got = f"another {source or 'data.parquet'} than then"
        raise BadInput("data", got=got, allowed=result.data["sha256"], where=folder)
    if experiment.split.kind == "given" and experiment.split.to_json() != result.split:
        raise BadInput("split", got="another split.file than then", allowed=str(result.split), where=folder)
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


def recommend_from(
    folder: Path, user: str | int, n: int = 10, progress: Progress | None = None
) -> Recommended:
    """The n best items for a user of a finished run, by the model that their own node ended with."""
    return Trained(folder=folder, progress=progress).recommend(user, n)
