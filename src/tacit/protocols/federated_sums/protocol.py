"""ALS with a server that adds up its clients' statistics. A round of the curve is one sweep."""

from __future__ import annotations

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.settings import OneOf, Parameter
from tacit.models.base import Model
from tacit.protocols.base import Parameters, Plan, Protocol, state_bytes
from tacit.protocols.federated_sums.simulation import FederatedSumsSimulation
from tacit.simulator.simulation import Simulation


def build(plan: Plan) -> Simulation:
    """The server and its clients, initialized."""
    return FederatedSumsSimulation(plan.setting())


def check_sums(p: Parameters, model: Model) -> None:
    """Only a model that is solved from sums, in the precision sums travel in."""
    if not hasattr(model, "exchanged"):
        raise BadInput("model", got=model.name, allowed=f"ials or als with protocol {p['protocol']}")
    if p["storage"] != "float32":
        raise BadInput("storage", got=p["storage"], allowed=f"float32 with protocol {p['protocol']}")


def check(p: Parameters, model: Model, train: Interactions, avoid: Interactions) -> None:
    """Only the model for implicit feedback so far."""
    if model.name != "ials":
        raise BadInput("model", got=model.name, allowed=f"ials with protocol {p['protocol']}")
    check_sums(p, model)


def memory(parameters: Parameters, model: Model, train: Interactions, size: int) -> int:
    """The server's rows and sums, and everybody's statistics on their way."""
    width = model.row_width
    return 4 * state_bytes(model, train.items, 8) + 8 * train.users * width * (width + 3) + 24 * len(train)


def notes(recipe: str) -> list[str]:
    """What a reader must know."""
    return ["the server sees which items each client has: those it returns statistics of"]


protocol = Protocol(
    about="a server adds up statistics, and everybody solves their own part",
    parameters=(Parameter("start", "synchronous", "rounds are synchronous", OneOf(("synchronous",))),),
    build=build,
    memory=memory,
    check=check,
    notes=notes,
)
