"""About how long a run learns, before anything is built: a rough guess from rates that were measured elsewhere."""

from __future__ import annotations

from typing import Any

from tacit.experiment.experiment import Experiment
from tacit.protocols.centralized_pairs.protocol import CentralizedPairs
from tacit.protocols.federated_pairs.protocol import FederatedPairs
from tacit.simulator.simulation import ticks

NANOSECONDS = {
    "gossip": 0.63,
    "gossip of some rows": 6.2,
    "view-gossip": 2.8,
    "federated": 7.1,
    "federated-averaging": 2.7,
    "federated-pairs": 14.8,
    "centralized-pairs": 16.2,
}
"""Per number that a loop touches, one thread of an AMD EPYC, MovieLens-100K. The times per unit are those of "Other
loops" in docs/results/speed.md (`python benchmarks/loop_speed.py`). `_touched` says how many numbers a unit has."""


def rough_seconds(x: Experiment, threads: int, ranks: int = 1) -> float | None:
    """Learning and exchange, without compiling and measuring; None where no such loop was ever measured."""
    touched = _triples(x) if isinstance(x.protocol, FederatedPairs | CentralizedPairs) else _touched(x)
    if touched is None or x.images is not None:
        return None
    some = x.protocol.name == "gossip" and x.parameters["subsample"] != 1
    rate = NANOSECONDS["gossip of some rows" if some else x.protocol.name]
    cores = 1 if x.protocol.one_core else threads * ranks
    return touched * x.model.row_width * rate * 1e-9 / cores


def _touched(x: Experiment) -> float | None:
    """Rows that all nodes merge or learn from during the run, if all of them are online."""
    p: Any = x.protocol
    train, share, asked = x.split.train, getattr(p, "subsample", 1.0), getattr(p, "participation", 1.0)
    learned = x.settings.learning.epochs * len(train) * (1 + getattr(x.model, "negatives", 0))
    whole = train.users * train.items
    match p.name:  # transfers of a whole model that a round lasts, and rows of it
        case "gossip":
            transfers, rows = share, share * whole + learned
        case "view-gossip":
            transfers, rows = p.view, p.view * (whole + learned)
        case "federated":
            transfers, rows = (1 + share) / asked, learned
        case "federated-averaging":
            transfers, rows = 2, asked * (whole + learned)
        case _:
            return None
    period = max(1, ticks(x.settings.time.full_seconds * transfers))
    return float(rows * x.horizon(period) / period)


def _triples(x: Experiment) -> float | None:
    """Pairs that are drawn during the run; a round of it is an epoch."""
    if not x.settings.time.in_rounds:
        return None
    each = len(x.split.train)
    if isinstance(x.protocol, FederatedPairs):
        pace = x.protocol.pace(x.scenario())
        each = pace.rounds * pace.clients * pace.triples
    return float(each * x.horizon(1))
