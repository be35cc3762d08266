"""From parameters to a simulation, ready to advance."""

from __future__ import annotations

from tacit.core.errors import BadInput
from tacit.core.registry import find
from tacit.core.state import Visibility
from tacit.data.features import Features
from tacit.data.ids import Texts
from tacit.data.images import Images
from tacit.data.sequences import Sequences
from tacit.experiment.parts import build_part
from tacit.experiment.protocols.base import Parameters, Plan, Protocol, full_seconds
from tacit.hosts.sim.churn_generator import generate
from tacit.hosts.sim.churn_trace import read_trace
from tacit.hosts.sim.sessions import Sessions, always
from tacit.hosts.sim.simulation import Simulation
from tacit.models.base import Model

_TRAVELLING = {"rows", "ages", "dense", "clock"}


def build_model(
    parameters: Parameters,
    scale: tuple[float, float],
    images: Images | None = None,
    features: Features | None = None,
    sequences: Sequences | None = None,
) -> Model:
    """The model with its own parameters (`model.*`) and what it asks for of the data: scale, images, features."""
    model: Model = build_part(
        "model",
        parameters,
        scale=scale,
        init=parameters["init"],
        images=images,
        features=features,
        sequences=sequences,
        user_vectors=parameters.get("user-vectors", "private"),
    )
    if images is not None and model.row_width > 0:
        raise BadInput("data set", got="images", allowed=f"users and items with model {model.name}")
    if parameters["init"] == "data" and model.kernels.init_data is None:
        raise BadInput("init", got="data", allowed=f"random: {model.name} has no other way to start")
    for field in model.fields:
        if (field.visibility is Visibility.SHARED) != (field.name in _TRAVELLING):
            raise BadInput(
                f"model {model.name}: field {field.name}",
                got=field.visibility.value,
                allowed="the simulator sends rows, ages, dense and clock, and nothing else",
            )
    return model


def build_sessions(parameters: Parameters, user_ids: Texts, seed: int) -> tuple[Sessions, list[str]]:
    """Who is online when, and what a reader should know about it."""
    churn = str(parameters["churn"])
    if churn == "none" or parameters["protocol"] == "centralized":
        return always(), []
    if churn == "generated":
        # No round is longer than two transfers. More hours than needed change nothing in those that are.
        rounds = float(parameters["rounds"] or 0)
        hours = max(float(parameters["hours"] or 0), rounds * 2 * full_seconds(parameters) / 3600)
        return generate(len(user_ids), seed, hours).sessions, ["nodes come and go like phones on a charger"]
    trace = read_trace(churn, user_ids, len(user_ids))
    return trace.sessions, list(trace.notes)


def build_simulation(plan: Plan) -> Simulation:
    """The protocol, with every node initialized."""
    protocol: Protocol = find("tacit.experiment.protocols", "protocol", str(plan.parameters["protocol"]))
    return protocol.build(plan)
