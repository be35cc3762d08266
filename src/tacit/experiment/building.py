"""From parameters to a simulation, ready to advance."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.registry import find
from tacit.core.state import Visibility
from tacit.core.workers import Workers
from tacit.data.ids import Texts
from tacit.experiment.parameters import Parameters, full_seconds
from tacit.hosts.sim.central import CentralSimulation
from tacit.hosts.sim.churn_generator import generate
from tacit.hosts.sim.churn_trace import read_trace
from tacit.hosts.sim.federated import FederatedSimulation
from tacit.hosts.sim.gossip import GossipSimulation
from tacit.hosts.sim.sessions import Sessions, always
from tacit.hosts.sim.simulation import Setting, Simulation
from tacit.models.base import Model
from tacit.peers.graphs import complete, k_out

_TRAVELLING = {"rows", "ages", "dense", "clock"}


def build_model(parameters: Parameters, scale: tuple[float, float]) -> Model:
    """The model with its own parameters (`model.*`) and the ratings' scale."""
    kind: Any = find("tacit.models", "model", str(parameters["model"]))
    names = {field.name for field in fields(kind)}
    own = {key.removeprefix("model."): value for key, value in parameters.items() if key.startswith("model.")}
    if "scale" in names:
        own["scale"] = scale  # type: ignore[assignment]
    model: Model = kind(**own)
    for field in model.fields:
        if (field.visibility is Visibility.SHARED) != (field.name in _TRAVELLING):
            raise BadInput(
                f"model {model.name}: field {field.name}",
                got=field.visibility.value,
                allowed="the simulator sends rows, ages, dense and clock, and nothing else",
            )
    return model


def build_sessions(
    parameters: Parameters, user_ids: Texts, seed: int, hours: float
) -> tuple[Sessions, list[str]]:
    """Who is online when, and what a reader should know about it."""
    churn = str(parameters["churn"])
    if churn == "none" or parameters["protocol"] == "centralized":
        return always(), []
    if churn == "generated":
        # One sleep-wake cycle more than needed: sessions are drawn up to the horizon and may end after it.
        return generate(len(user_ids), seed, hours + 24).sessions, [
            "nodes come and go like phones on a charger"
        ]
    trace = read_trace(churn, user_ids, len(user_ids))
    return trace.sessions, list(trace.notes)


def build_simulation(
    parameters: Parameters, model: Model, train: Interactions, sessions: Sessions, seed: int, workers: Workers
) -> Simulation:
    """The protocol, with every node initialized."""
    setting = Setting(
        model=model,
        train=train,
        seed=seed,
        sessions=sessions,
        epochs=int(parameters["epochs"] or 1),
        full_seconds=full_seconds(parameters),
        dtype=str(parameters["storage"]),
        workers=workers,
    )
    share = float(parameters["subsample"] or 1)
    if parameters["protocol"] == "centralized":
        return CentralSimulation(setting)
    if parameters["protocol"] == "federated":
        return FederatedSimulation(setting, share=share)
    if parameters["graph"] == "complete":
        graph = complete(train.users)
    else:
        graph = k_out(train.users, int(parameters["graph.degree"] or 1), seed)
    merge = find("tacit.merges", "merge", str(parameters["merge"]))
    staggered = parameters["start"] == "staggered"
    return GossipSimulation(setting, merge, graph, share=share, staggered=staggered)
