"""What a server sees: whole models it averages, pair-wise updates it adds up, in federated sums everything."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from tacit.core.interactions import Interactions
from tacit.experiment.attacks.base import Evidence, Finding, Progress, judge, victims
from tacit.hosts.sim.averaging import AveragingSimulation
from tacit.hosts.sim.pairs import PairsSimulation

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
