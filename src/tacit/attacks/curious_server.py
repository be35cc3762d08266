"""What a server sees: whole models it averages, pair-wise updates it adds up, in federated sums everything.

What a server could learn from the updates it received: a first, honest look (`observe=server`).
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import polars as pl

from tacit.attacks.base import Evidence, Finding, Progress, judge, victims
from tacit.core.interactions import Interactions, Texts
from tacit.metrics.auc import auc
from tacit.protocols.federated_averaging.simulation import AveragingSimulation
from tacit.protocols.federated_pairs.simulation import PairsSimulation
from tacit.simulator.simulation import Simulation

LOOKS = 20
"""Uploads of a victim that are looked at over a run."""


def attack_models(
    simulation: AveragingSimulation, train: Interactions, horizon: int, seed: int, tell: Progress
) -> list[Finding]:
    """How far each row moved from the server's own, and which way.

    All rows that a client touches move along one line, its own items one way, drawn negatives the other. Which way is
    which their steps tell: one's own items are fewer and go farther.
    """
    chosen = victims(train, seed).astype(np.int32)
    by: dict[str, dict[int, list[Evidence]]] = {name: defaultdict(list) for name in ("distance", "direction")}
    for look in range(LOOKS):
        simulation.advance(horizon * look // LOOKS)
        tell("models", (look + 1) / LOOKS)
        server, models = simulation.uploads(chosen)
        for n, u in enumerate(chosen.tolist()):
            moved = (models.rows[n] - server.rows[0]).astype(np.float64)
            along = moved @ np.linalg.eigh(moved.T @ moved)[1][:, -1]
            along *= np.sign((along**3).sum()) or 1.0
            by["distance"][u].append(np.sqrt((moved**2).sum(axis=1)))
            by["direction"][u].append(along)
    found = []
    for what, each in by.items():
        found.append(judge(f"server, one upload, by {what}", {u: e[-1] for u, e in each.items()}, train))
        run = {u: np.sum(e, axis=0) for u, e in each.items()}
        found.append(judge(f"server, {LOOKS} uploads over a run, by {what}", run, train))
    return found


def attack_pairs(simulation: PairsSimulation, train: Interactions, pi: float) -> list[Finding]:
    """The sum of the bias updates it saw of each item: above 0 as consumed, below as a negative, 0 when never sent."""
    bias = simulation.observed.bias
    watched = simulation.watched.tolist()
    signed = {u: bias[n] for n, u in enumerate(watched) if train.counts[u] > 0}
    settings = {"pi": pi}
    found = [judge("server, everything over a run, by sign", signed, train, settings)]
    # Hidden items never arrive while others sooner or later do: not being sent is evidence too.
    silent = {
        u: np.where(simulation.observed.seen[n] == 0, bias[n].max() + 1, bias[n])
        for n, u in enumerate(watched)
    }
    silent = {u: each for u, each in silent.items() if u in signed}
    return [*found, judge("server, everything over a run, by silence", silent, train, settings)]


def attack_sums(train: Interactions, seed: int) -> list[Finding]:
    """Clients return statistics of the rows they have, and of no others."""
    evidence = {}
    for u in victims(train, seed).tolist():
        evidence[u] = np.zeros(train.items)
        evidence[u][train.of(u)[0]] = 1
    return [judge("server, one upload", evidence, train)]


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
