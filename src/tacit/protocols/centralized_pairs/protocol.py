"""BPR-MF in one place that knows everything. A round of the curve is an epoch."""

from __future__ import annotations

from tacit.core.interactions import Interactions
from tacit.models.base import Model
from tacit.protocols.base import EPOCHS, Parameters, Plan, Protocol, notes, state_bytes
from tacit.protocols.centralized_pairs.simulation import CentralPairsSimulation
from tacit.protocols.federated_pairs.protocol import check as check_pairs
from tacit.simulator.simulation import Simulation


def build(plan: Plan) -> Simulation:
    """The server, initialized."""
    return CentralPairsSimulation(plan.setting(), avoid=plan.avoid)


def check(p: Parameters, model: Model, train: Interactions, avoid: Interactions) -> None:
    """As with one triple from one client a round."""
    check_pairs({**p, "clients": 1, "triples": 1, "rounds_per_epoch": None}, model, train, avoid)


def memory(parameters: Parameters, model: Model, train: Interactions, size: int) -> int:
    """One model and a sum of updates."""
    return 2 * state_bytes(model, train.items, size)


protocol = Protocol(
    about="pair-wise learning in one place that knows everything",
    parameters=EPOCHS,
    build=build,
    memory=memory,
    notes=notes,
    check=check,
    paper_negatives=True,
    server_steps=True,
    one_core=True,
)
