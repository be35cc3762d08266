"""Networks of a few nodes whose numbers can be worked out by hand.

Biases only, eta 1/2, everything starts at 0, a whole model takes ten seconds: every number below is exact.
"""

from __future__ import annotations

import numpy as np

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.merges import none
from tacit.merges.base import Merge
from tacit.models.mf import MatrixFactorization
from tacit.protocols.gossip.simulation import GossipSimulation
from tacit.simulator.churn.availability import FOREVER, Availability
from tacit.simulator.churn.sessions import SECOND, Sessions, always
from tacit.simulator.simulation import Scenario

BIASES = MatrixFactorization(k=0, eta=0.5, scale=(0.0, 4.0))
PERIOD = 10 * SECOND
Spans = list[tuple[float, float]]


def table(*triples: tuple[int, int, float], users: int, items: int = 2) -> Interactions:
    columns = zip(*triples, strict=True) if triples else ((), (), ())
    user, item, value = columns
    return Interactions.from_pairs(user, item, value, users=users, items=items)


def online(*nodes: Spans | None) -> Sessions:
    """Each node's sessions in seconds; None: always."""
    rows = [(u, a, b) for u, spans in enumerate(nodes) for a, b in (spans if spans is not None else [(0, 0)])]
    ends = [FOREVER if b == 0 else round(b * SECOND) for _, _, b in rows]
    begins = [round(a * SECOND) for _, a, _ in rows]
    return Availability.from_sessions([u for u, _, _ in rows], begins, ends, nodes=len(nodes)).sessions


def setting(train: Interactions, sessions: Sessions | None = None, **extra: object) -> Scenario:
    made = {"model": BIASES, "seed": 1, "full_seconds": 10.0, "workers": Workers(1), **extra}
    return Scenario(train=train, sessions=sessions or always(), **made)  # type: ignore[arg-type]


def gossip(
    train: Interactions,
    graph: list[list[int]],
    sessions: Sessions | None = None,
    *,
    merge: Merge | None = None,
    staggered: bool = False,
    share: float = 1.0,
    **extra: object,
) -> GossipSimulation:
    return GossipSimulation(
        setting(train, sessions, staggered=staggered, **extra),
        merge or none.merge(),
        np.array(graph, np.int32),
        share=share,
    )


def biases(simulation: GossipSimulation, node: int) -> list[float]:
    """A node's item biases."""
    return simulation.fleet.node(node).rows[:, -1].tolist()
