"""Federated averaging of whole models: FedAvg, FedFast and Reptile, for models that draw negatives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.message.update import Shield
from tacit.core.settings import Flat, Share, UnitInterval, Value, Whole, setting
from tacit.models.base import Model
from tacit.privacy.none import Nothing
from tacit.protocols.base import SHIELD, USER_VECTORS, Protocol, UserVectors, shields_of, state_bytes
from tacit.protocols.federated_averaging.simulation import AveragingSimulation, Server
from tacit.simulator.simulation import Scenario, Simulation


@dataclass(frozen=True, slots=True)
class FederatedAveraging(Protocol):
    """A server averages whole models."""

    user_vectors: UserVectors = setting("private", USER_VECTORS, key="user-vectors")
    weights: Literal["samples", "equal"] = setting(
        "samples", "a client counts by its data |D_i| (PEPPER, equation 1), or all alike"
    )
    participation: Share = setting(
        1.0, "share of the clients asked each round (PEPPER, section 2.1: a fraction p, no number)"
    )
    clusters: Whole = setting(
        0, "FedFast: clusters of user vectors, which the server then sees (PEPPER, section 5.4.1)"
    )
    read_out: Literal["merged", "local"] = setting(
        "merged",
        "the model a person is shown: the server's, or what their device makes of it (Reptile: PEPPER, section 5.4.1)",
        key="read-out",
    )
    step: UnitInterval = setting(
        1.0, "how far a device moves from the server's model (read-out=local; Reptile: PEPPER, section 5.4.1)"
    )
    step_vector: bool = setting(
        True,
        "does a person's vector make that step, as all parameters do (PEPPER, section 5.4.1: \"the initial "
        'parameters"), or all the way?',
        key="step.vector",
    )

    shield: Shield = setting(Nothing(), SHIELD, later=True)

    name: ClassVar[str] = "federated-averaging"
    about: ClassVar[str] = "a server averages whole models (FedAvg, FedFast, Reptile)"
    run_defaults: ClassVar[Mapping[str, Value]] = {"rounds": 300}
    paper_negatives: ClassVar[bool] = True
    synchronous: ClassVar[bool] = True

    def build(self, scenario: Scenario) -> Simulation:
        """The server and its clients, initialized."""
        server = Server(
            by_samples=self.weights == "samples",
            participation=self.participation,
            clusters=self.clusters,
            local=self.read_out == "local",
            step=self.step,
            step_vector=self.step_vector,
            shields=shields_of(self.shield),
        )
        train, avoid = scenario.train, scenario.avoid
        return AveragingSimulation(scenario, server, train if avoid is None else known_only(avoid, train))

    def check(self, scenario: Scenario, run: Flat) -> None:
        """User vectors that are clustered must not also be averaged away."""
        if self.clusters and self.user_vectors == "travel":
            allowed = "private with clusters (FedFast): the server keeps everybody's vector apart"
            raise BadInput("user-vectors", got="travel", allowed=allowed)

    def notes(self, recipe: str, scenario: Scenario) -> list[str]:
        """What the server sees."""
        return ["the server sees user embeddings (FedFast clusters users by them)"] if self.clusters else []

    def memory(self, model: Model, train: Interactions, size: int) -> int:
        """The server's state and those of the clients at work; everybody's where each is shown their own."""
        copies = train.users if self.read_out == "local" else 0
        return (copies + 66) * state_bytes(model, train.items, size)


def known_only(consumed: Interactions, train: Interactions) -> Interactions:
    """Everything consumed; what is not in the training part has value NaN: not learned from, and no negative either."""
    keys = [table.user.astype(np.int64) * table.items + table.item for table in (consumed, train)]
    learned = np.isin(keys[0], keys[1])
    return replace(consumed, value=np.where(learned, np.float32(1), np.float32(np.nan)))


protocol = FederatedAveraging
