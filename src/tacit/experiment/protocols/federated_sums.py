"""ALS with a server that adds up its clients' statistics. A round of the curve is one sweep."""

from __future__ import annotations

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.kinds import OneOf, Parameter
from tacit.experiment.protocols.base import Parameters, Plan, Protocol, state_bytes
from tacit.experiment.protocols.push_sum import check as check_sums
from tacit.hosts.sim.federated_sums import FederatedSumsSimulation
from tacit.hosts.sim.simulation import Simulation
from tacit.models.base import Model


def build(plan: Plan) -> Simulation:
    """The server and its clients, initialized."""
    return FederatedSumsSimulation(plan.setting())


def check(p: Parameters, model: Model, train: Interactions, avoid: Interactions) -> None:
    """Only the model for implicit feedback so far."""
    if model.name != "ials":
        raise BadInput("model", got=model.name, allowed=f"ials with protocol {p['protocol']}")
    check_sums(p, model, train, avoid)


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
