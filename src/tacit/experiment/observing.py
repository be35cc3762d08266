"""What a server could learn from the updates it received: a first, honest look (`observe=server`)."""

from __future__ import annotations

import numpy as np
import polars as pl

from tacit.core.interactions import Interactions
from tacit.data.ids import Texts
from tacit.hosts.sim.pairs import PairsSimulation
from tacit.hosts.sim.simulation import Simulation
from tacit.metrics.auc import auc


def told(simulation: Simulation, train: Interactions) -> dict[str, float]:
    """How well the server could tell a client's consumed items from all others: the mean AUC over watched clients.

    Its evidence for an item is the sum of the bias updates it saw: above 0 when the item was sent as consumed, below
    when as a negative, 0 when never. Hidden items stay at 0, above those that were sent as negatives: not being sent
    at all is evidence too.
    """
    if not isinstance(simulation, PairsSimulation) or len(simulation.watched) == 0:
        return {}
    each = [auc(simulation.observed.bias[n], _has(train, int(u))) for n, u in enumerate(simulation.watched)]
    return {"observed_clients": len(each), "observed_auc": float(np.nanmean(each))}


def observed_frame(simulation: Simulation, train: Interactions, users: Texts, items: Texts) -> pl.DataFrame:
    """One row for each watched client and item the server saw an update of; empty where nothing is watched."""
    if not isinstance(simulation, PairsSimulation) or len(simulation.watched) == 0:
        return pl.DataFrame()
    row, item = np.nonzero(simulation.observed.seen)
    consumed = np.stack([_has(train, int(u)) for u in simulation.watched])
    return pl.DataFrame(
        {
            "user": users[simulation.watched[row]],
            "item": items[item],
            "updates": simulation.observed.seen[row, item],
            "bias": simulation.observed.bias[row, item],
            "consumed": consumed[row, item],
        }
    )


def _has(train: Interactions, user: int) -> np.ndarray:
    has = np.zeros(train.items, np.bool_)
    has[train.of(user)[0]] = True
    return has
