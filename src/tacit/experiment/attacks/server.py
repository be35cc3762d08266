"""What a server sees: in pair-wise federated learning by the updates it adds up, in federated sums everything."""

from __future__ import annotations

import numpy as np

from tacit.core.interactions import Interactions
from tacit.experiment.attacks.base import Finding, judge, victims
from tacit.hosts.sim.pairs import PairsSimulation


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
