"""Federated pair-wise learning: FPL and FedeRank. A round of the curve is an epoch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.settings import Count, Flat, Value, setting
from tacit.models.base import Model
from tacit.protocols.base import Protocol, state_bytes
from tacit.protocols.federated_pairs.simulation import WATCHED, Pace, PairsSimulation
from tacit.simulator.simulation import Scenario, Simulation


@dataclass(frozen=True, slots=True)
class FederatedPairs(Protocol):
    """A server adds up pair-wise updates that pass each user's disclosure."""

    clients: Literal["all"] | Count = setting(1, "clients per round")
    triples: Literal["mean"] | Count = setting(
        "mean", "T: triples a client draws each round; mean: training interactions per user"
    )
    rounds_per_epoch: Count | None = setting(
        None, "rounds per epoch; none: as many exchanges as training interactions"
    )
    disclosure: Literal["each-update", "whole-items"] = setting(
        "whole-items",
        "what pi hides: each positive update (FPL), or consumed items of a round as a whole (FedeRank)",
    )
    pick: Literal["uniform", "data"] = setting(
        "uniform",
        "how a client is chosen: all alike (FPL, algorithm 1), or by its data, so that triples are uniform over all "
        "interactions (FedeRank, section 4, T = 1: as Rendle et al.); data needs clients=1",
        later=True,
    )
    local: Literal["sequential", "batch"] = setting(
        "sequential",
        "a client's own vector moves after every triple (FPL, algorithm 1), or once by the sum of all gradients at the "
        "vector it had (FedeRank, equations 1 to 3)",
        later=True,
    )
    observe: Literal["none", "server"] = setting("none", "store what the server saw of some clients")

    name: ClassVar[str] = "federated-pairs"
    about: ClassVar[str] = "a server adds up pair-wise updates that pass each user's disclosure"
    no_shield: ClassVar[str] = "updates are added up triple by triple; what hides them is pi"
    run_defaults: ClassVar[Mapping[str, Value]] = {"epochs": 20, "hours": None, "model": "bpr"}
    discloses: ClassVar[bool] = True
    paper_negatives: ClassVar[bool] = True
    server_steps: ClassVar[bool] = True
    one_core: ClassVar[bool] = True
    all_online: ClassVar[bool] = True
    synchronous: ClassVar[bool] = True

    def build(self, scenario: Scenario) -> Simulation:
        """The server and its clients, initialized."""
        return PairsSimulation(
            scenario,
            self.pace(scenario),
            whole_items=self.disclosure == "whole-items",
            batch=self.local == "batch",
            observe=self.observe == "server",
        )

    def check(self, scenario: Scenario, run: Flat) -> None:
        """Only pair-wise models, and enough triples."""
        needs_bpr(scenario.model, self.name)
        self.pace(scenario)

    def pace(self, scenario: Scenario) -> Pace:
        """Clients a round, triples a client, rounds an epoch; refuses what users' data do not allow."""
        train, avoid = scenario.train, scenario.avoid or scenario.train
        users = train.users
        clients = users if self.clients == "all" else self.clients
        if clients > users:
            raise BadInput("clients", got=clients, allowed=f"at most {users}, the number of users, or all")
        if self.pick == "data" and clients > 1:
            raise BadInput("pick", got="data", allowed=f"uniform with {clients} clients per round")
        triples = max(1, len(train) // users) if self.triples == "mean" else self.triples
        most = train.counts * (train.items - avoid.counts)
        short = np.flatnonzero(most < triples)
        if len(short):
            raise BadInput(
                "triples",
                got=triples,
                allowed=f"at most {most[short[0]]}, all that user number {short[0]} has"
                + (f" ({len(short):,} users have too few)" if len(short) > 1 else ""),
            )
        rounds = self.rounds_per_epoch or max(1, len(train) // clients)
        return Pace(clients, triples, rounds, by_data=self.pick == "data")

    def memory(self, model: Model, train: Interactions, size: int) -> int:
        """The server's state, a sum of updates of the same size, and what is observed."""
        watched = 12 * WATCHED * train.items if self.observe == "server" else 0
        return 2 * state_bytes(model, train.items, size) + 16 * train.items + watched

    def rehearsal(self, users: int, few: int) -> Self:
        """What any number of users and items allows; what is compiled is the same."""
        return replace(self, clients=1, triples=1, rounds_per_epoch=None)


def needs_bpr(model: Model, name: str) -> None:
    """Refuse what is not pair-wise."""
    if model.name != "bpr":
        raise BadInput("model", got=model.name, allowed=f"bpr with protocol {name}")


protocol = FederatedPairs
