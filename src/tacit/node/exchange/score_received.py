"""How good a received model is for this node's people, from 0 to 1, before it is merged."""

from __future__ import annotations

import numpy as np

from tacit.core.interactions import Positions
from tacit.core.message.update import Update
from tacit.models.score_all import score_all
from tacit.node.exchange.disclosure import ranks
from tacit.node.exchange.gossip_learner import Learner


def judge(learner: Learner, places: Positions, update: Update) -> float:
    """Ranking models: how often a liked row is ranked above another; others: 1 / (1 + RMSE) on rated rows.

    `places` are where the update's rows stand in this node. One half where there is nothing to judge by.
    """
    model, found = learner.rules.model, []
    for who in learner.people:
        mine = np.isin(places, who.rated)
        if not mine.any() or mine.all():
            continue
        score = score_all(model, update.rows, update.dense, who.private)
        if ranks(model):
            others = np.sort(score[~mine])
            found.append(float(np.searchsorted(others, score[mine]).mean() / len(others)))
        else:
            value = who.values[np.searchsorted(who.rated, places[mine])]
            found.append(1 / (1 + float(np.sqrt(np.mean((score[mine] - value) ** 2)))))
    return float(np.mean(found)) if found else 0.5
