"""Ensemble: gossip in which nodes judge received models on their own data, keep the best, and merge only those."""

from __future__ import annotations

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.registry import build_part
from tacit.core.settings import Number, OneOf, Parameter, Whole
from tacit.models.base import Model
from tacit.models.mlp import CLASSES
from tacit.protocols.base import Parameters, Plan, Protocol, build_graph, state_bytes
from tacit.protocols.ensemble.kernels import Trust
from tacit.protocols.ensemble.simulation import EnsembleSimulation, choose_spammers
from tacit.protocols.gossip import protocol as gossip
from tacit.simulator.simulation import Simulation


def build(plan: Plan) -> Simulation:
    """All nodes, initialized."""
    p, nodes = plan.parameters, plan.train.users
    low, high = getattr(plan.model, "scale", (0.0, 1.0))
    trust = Trust(
        size=int(p["ensemble.size"] or 0),
        beta=float(p["ensemble.beta"] or 0),
        margin=float(p["ensemble.margin"] or 0) * (high - low),
        floor=float(p["ensemble.floor"] or 0),
        classes=CLASSES if plan.model.name == "mlp" else 0,
    )
    return EnsembleSimulation(
        plan.setting(),
        build_part("merge", p),
        build_graph(p, nodes, plan.seed),
        trust,
        spam=choose_spammers(nodes, float(p["spam"] or 0), plan.seed),
        spam_size=float(p["spam.size"] or 1),
        staggered=p["start"] == "staggered",
        sampler=build_part("peers", p),
    )


def check(p: Parameters, model: Model, train: Interactions, avoid: Interactions) -> None:
    """Only what predicts ratings or classes can be judged by them."""
    if getattr(model, "draws_negatives", False):
        raise BadInput(
            "model",
            got=model.name,
            allowed="one that predicts ratings or classes, such as mf, bias, mlp, with protocol ensemble",
        )


def memory(parameters: Parameters, model: Model, train: Interactions, size: int) -> int:
    """As of gossip, and every node's members."""
    kept = int(parameters["ensemble.size"] or 0)
    members = train.users * (kept + 1) * state_bytes(model, train.items, size) if kept else 0
    return 2 * train.users * state_bytes(model, train.items, size) + members


def notes(recipe: str) -> list[str]:
    """Whose figures are shown."""
    return [f"{recipe}: figures are of honest nodes; spammers (spam) are not measured"]


_OWN = (
    Parameter(
        "ensemble.size", 5, "received models a node keeps; 0: none, whatever comes is merged", Whole(0)
    ),
    Parameter(
        "ensemble.beta",
        0.2,
        "share of its weight a model loses when it does badly",
        Number(0, 0.99, open_low=True),
    ),
    Parameter(
        "ensemble.margin",
        0.25,
        "how much further off than all together, as a share of the scale, a rating must be to do badly",
        Number(0, 1),
    ),
    Parameter(
        "ensemble.floor",
        0.1,
        "weight, relative to the best model's, below which one is dropped",
        Number(0, 1),
    ),
    Parameter("spam", 0.0, "share of nodes that do not learn and send garbage", Number(0, 0.99)),
    Parameter("spam.size", 1.0, "standard deviation of the numbers they send", Number(0, open_low=True)),
)

_WHOLE = Parameter("shield", "none", "models are judged as they are", OneOf(("none",)), later=True)

protocol = Protocol(
    about="device to device; received models are judged, kept by weight, merged if trusted",
    parameters=(
        *_OWN,
        *(p for p in gossip.protocol.parameters if p.key not in ("subsample", "shield")),
        _WHOLE,
    ),
    build=build,
    memory=memory,
    notes=notes,
    check=check,
)
