"""The score of a received model before it is merged: how well it fits this node's own ratings, from 0 to 1."""

from __future__ import annotations

import numpy as np

from tacit.core.interactions import Positions
from tacit.core.message.update import Update
from tacit.models.score_all import score_all
from tacit.node.exchange.disclosure import ranks
from tacit.node.exchange.gossip_learner import GossipLearner


def score_received(learner: GossipLearner, positions: Positions, update: Update) -> float:
    """Ranking models: how often a liked row is ranked above another; others: 1 / (1 + RMSE) on rated rows.

    `positions` are those of the update's rows in this node. One half where there is nothing to compare.
    """
    model, found = learner.rules.model, []
    for who in learner.people:
        mine = np.isin(positions, who.rated)
        if not mine.any() or mine.all():
            continue
        score = score_all(model, update.rows, update.dense, who.private)
        if ranks(model):
            others = np.sort(score[~mine])
            found.append(float(np.searchsorted(others, score[mine]).mean() / len(others)))
        else:
            value = who.values[np.searchsorted(who.rated, positions[mine])]
            found.append(1 / (1 + float(np.sqrt(np.mean((score[mine] - value) ** 2)))))
    return float(np.mean(found)) if found else 0.5
