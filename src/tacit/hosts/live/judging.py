"""How good a received model is for this node's people, from 0 to 1, before it is merged."""

from __future__ import annotations

from functools import cache
from types import ModuleType

import numpy as np

from tacit.core.compiling import specialize
from tacit.core.interactions import Positions
from tacit.core.state import Floats
from tacit.core.update import Update
from tacit.hosts.live.choices import ranks
from tacit.hosts.live.learner import Learner
from tacit.hosts.sim import evaluate_loop
from tacit.models.base import Kernels, Model


def scores(model: Model, rows: Floats, dense: Floats, private: Floats) -> np.ndarray:
    """One person's score of some rows."""
    out = np.zeros(len(rows))
    _loop(model.kernels).score_all(rows, dense, private, model.hyper(), out)
    return out


@cache
def _loop(kernels: Kernels) -> ModuleType:
    return specialize(evaluate_loop, score=kernels.score, unseen=kernels.unseen)


def judge(learner: Learner, places: Positions, update: Update) -> float:
    """Ranking models: how often a liked row is ranked above another; others: 1 / (1 + RMSE) on rated rows.

    `places` are where the update's rows stand in this node. One half where there is nothing to judge by.
    """
    model, found = learner.rules.model, []
    for who in learner.people:
        mine = np.isin(places, who.rated)
        if not mine.any() or mine.all():
            continue
        score = scores(model, update.rows, update.dense, who.private)
        if ranks(model):
            others = np.sort(score[~mine])
            found.append(float(np.searchsorted(others, score[mine]).mean() / len(others)))
        else:
            value = who.values[np.searchsorted(who.rated, places[mine])]
            found.append(1 / (1 + float(np.sqrt(np.mean((score[mine] - value) ** 2)))))
    return float(np.mean(found)) if found else 0.5
