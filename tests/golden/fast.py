"""The real simulator behind the naive one's interface, so that the two can be asked the same questions."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.merges import age_average, none
from tacit.metrics.rmse import rmse
from tacit.models.mf import MatrixFactorization
from tacit.peer_sampling.graphs import k_out
from tacit.protocols.federated.simulation import FederatedSimulation
from tacit.protocols.gossip.simulation import GossipSimulation
from tacit.simulator.churn.availability import FOREVER, Availability
from tacit.simulator.churn.sessions import SECOND, Sessions, always, online_mask
from tacit.simulator.scoring import prediction_errors
from tacit.simulator.simulation import Scenario, Simulation, ticks

WORKERS = Workers()
Online = list[list[tuple[float, float]] | None] | None


def sessions_of(online: Online) -> Sessions:
    """Seconds to microseconds; None: always there."""
    if online is None:
        return always()
    rows = [
        (u, round(begin * SECOND), round(end * SECOND))
        for u, spans in enumerate(online)
        for begin, end in (spans if spans is not None else [(0, FOREVER / SECOND)])
    ]
    node, begin, end = zip(*rows, strict=True)
    return Availability.from_sessions(node, begin, end, nodes=len(online)).sessions


def simulate(
    algorithm: str,
    train: Interactions,
    test: Interactions,
    *,
    epochs: int = 1,
    start: str = "staggered",
    online: Online = None,
    scale: tuple[float, float] = (1, 5),
    seed: int = 0,
    eval_hours: tuple[float, ...] = (5, 10, 24, 48),
    full_seconds: float = 1728.0,
    lazy: bool = False,
    **model: Any,
) -> list[dict[str, float]]:
    """RMSE and messages sent at each of `eval_hours`; see `naive_hegedus.simulate`."""
    rule = MatrixFactorization(scale=scale, **model)
    sessions = sessions_of(online)
    setting = Scenario(
        rule,
        train,
        seed,
        sessions,
        epochs=epochs,
        full_seconds=full_seconds,
        workers=WORKERS,
        staggered=start == "staggered",
    )
    share = 0.1 if algorithm.endswith("-10") else 1.0
    simulation: Simulation
    if algorithm.startswith("federated"):
        simulation = FederatedSimulation(setting, share=share)
    else:
        merge = none.merge() if algorithm == "gossip" else age_average.merge()
        graph = k_out(train.users, 20, seed)
        simulation = GossipSimulation(setting, merge, graph, share=share)
    found = []
    for hours in eval_hours:
        simulation.advance(ticks(hours * 3600))
        errors = prediction_errors(rule, simulation.fleet, test, scale, lazy, WORKERS)
        here = online_mask(sessions, train.users, simulation.now)
        value = rmse(errors[np.repeat(here, test.counts)])
        found.append(
            {"hours": hours, "rmse": np.nan if value is None else value, "messages": simulation.messages}
        )
    return found
