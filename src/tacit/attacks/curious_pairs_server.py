"""A server that adds up pair-wise updates, and keeps what it saw of some clients (`observe=server`)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl

from tacit.attacks.base import Attack, Audited, Finding, Progress
from tacit.core.interactions import Interactions, Texts
from tacit.metrics.auc import auc
from tacit.protocols.federated_pairs.protocol import FederatedPairs
from tacit.protocols.federated_pairs.simulation import PairsSimulation
from tacit.simulator.simulation import Simulation

_PI = (1.0, 0.5, 0.1, 0.0)


@dataclass(frozen=True, slots=True)
class CuriousPairsServer(Attack):
    """By the sign of what it saw of each item, by silence, and by size: at the pi that was set, else at several."""

    name: ClassVar[str] = "curious-pairs-server"
    against: ClassVar[tuple[str, ...]] = ("federated-pairs",)

    def look(self, run: Audited, tell: Progress) -> list[Finding]:
        """Let the federation run once for each pi."""
        found = []
        for one in [run] if run.own_pi else [run.at(pi) for pi in _PI]:
            found += _look(one, tell)
        return found


def _look(run: Audited, tell: Progress) -> list[Finding]:
    """Let the federation run at one pi."""
    assert isinstance(run.protocol, FederatedPairs)
    simulation, end = run.start(replace(run.protocol, observe="server"))
    assert isinstance(simulation, PairsSimulation)
    simulation.advance(end)
    tell(f"pi {run.pi:g}", 1.0)
    return by_bias_updates(simulation, run)


def by_bias_updates(simulation: PairsSimulation, run: Audited) -> list[Finding]:
    """The sum of the bias updates it saw of each item: above 0 as consumed, below as a negative, 0 when never sent."""
    bias, train = simulation.observed.bias, run.table
    watched = simulation.watched.tolist()
    signed = {u: bias[n] for n, u in enumerate(watched) if train.counts[u] > 0}
    settings = {"pi": run.pi}
    found = run.judge("server, everything over a run, by sign", signed, settings)
    # Hidden items never arrive while others sooner or later do: not being sent is evidence too.
    silent = {
        u: np.where(simulation.observed.seen[n] == 0, bias[n].max() + 1, bias[n])
        for n, u in enumerate(watched)
    }
    silent = {u: each for u, each in silent.items() if u in signed}
    found += run.judge("server, everything over a run, by silence", silent, settings)
    # A negative that a person would like is pushed down harder than others: that tells hidden items by taste.
    times = np.maximum(simulation.observed.seen, 1)
    size = {u: np.abs(bias[n]) / times[n] for n, u in enumerate(watched) if u in signed}
    return [*found, *run.judge("server, everything over a run, by size", size, settings)]


def told(simulation: Simulation, train: Interactions) -> dict[str, float]:
    """How well the server could tell a client's consumed items from all others: the mean AUC over watched clients.

    Its evidence for an item is the sum of the bias updates it saw. The sum is above 0 for an item that was sent as
    consumed, and below 0 for a negative. It is 0 for an item that was never sent. Hidden items stay at 0, above the
    negatives, so silence is evidence too.
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


attack = CuriousPairsServer
