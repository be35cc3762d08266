"""Federated averaging of whole models: FedAvg, FedFast and Reptile, for models that draw negatives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.settings import Number, OneOf, Parameter, Share, Whole
from tacit.data.splits import Split
from tacit.models.base import Model
from tacit.protocols.base import TIME, USER_VECTORS, Parameters, Plan, Protocol, state_bytes
from tacit.protocols.federated_averaging.simulation import AveragingSimulation, Server
from tacit.simulator.simulation import Simulation


def build(plan: Plan) -> Simulation:
    """The server and its clients, initialized."""
    p: dict[str, Any] = dict(plan.parameters)
    server = Server(
        by_samples=p["weights"] == "samples",
        participation=p["participation"],
        clusters=p["clusters"],
        local=p["read-out"] == "local",
        step=p["step"],
    )
    learned = plan.train if plan.avoid is None else known_only(plan.avoid, plan.train)
    return AveragingSimulation(plan.setting(), server, learned)


def known_only(consumed: Interactions, train: Interactions) -> Interactions:
    """Everything consumed; what is not in the training part has value NaN: not learned from, and no negative either."""
    keys = [table.user.astype(np.int64) * table.items + table.item for table in (consumed, train)]
    learned = np.isin(keys[0], keys[1])
    return replace(consumed, value=np.where(learned, np.float32(1), np.float32(np.nan)))


def check(p: Parameters, model: Model, train: Interactions, avoid: Interactions) -> None:
    """User vectors that are clustered must not also be averaged away."""
    if p["clusters"] and p["user-vectors"] == "travel":
        allowed = "private with clusters (FedFast): the server keeps everybody's vector apart"
        raise BadInput("user-vectors", got="travel", allowed=allowed)


def remarks(p: Parameters, split: Split) -> list[str]:
    """What the server sees."""
    return ["the server sees user embeddings (FedFast clusters users by them)"] if p["clusters"] else []


def memory(parameters: Parameters, model: Model, train: Interactions, size: int) -> int:
    """The server's state and those of the clients at work; everybody's where each is shown their own."""
    copies = train.users if parameters["read-out"] == "local" else 0
    return (copies + 66) * state_bytes(model, train.items, size)


protocol = Protocol(
    about="a server averages whole models (FedAvg, FedFast, Reptile)",
    parameters=(
        *TIME,
        USER_VECTORS,
        Parameter(
            "weights", "samples", "a client counts by its data, or all alike", OneOf(("samples", "equal"))
        ),
        Parameter("participation", 1.0, "share of the clients asked each round", Share()),
        Parameter("clusters", 0, "FedFast: clusters of user vectors, which the server then sees", Whole(0)),
        Parameter(
            "read-out",
            "merged",
            "the model a person is shown: the server's, or what their device makes of it",
            OneOf(("merged", "local")),
        ),
        Parameter(
            "step",
            1.0,
            "how far a device moves from the server's model (read-out=local, Reptile)",
            Number(0, 1),
        ),
    ),
    build=build,
    memory=memory,
    check=check,
    remarks=remarks,
    paper_negatives=True,
)
