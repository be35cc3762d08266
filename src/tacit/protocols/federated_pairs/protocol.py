"""Federated pair-wise learning: FPL and FedeRank. A round of the curve is an epoch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal, Self

import numpy as np

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.settings import Count, Flat, Reads, Value, is_table, setting
from tacit.models.base import Model
from tacit.protocols.base import Protocol, state_bytes
from tacit.protocols.federated_pairs.simulation import WATCHED, Pace, PairsSimulation
from tacit.simulator.simulation import Scenario, Simulation


def _triples(text: str) -> Value:
    """T for all; a file with one per user is read once the users are known."""
    if text == "mean" or is_table(text):
        return text
    if int(text) < 1:
        raise ValueError(text)
    return int(text)


Triples = Annotated[
    int | str,
    Reads(_triples, "mean, a whole number from 1, or a .csv, .tsv or .parquet file with user,triples"),
]


@dataclass(frozen=True, slots=True)
class FederatedPairs(Protocol):
    """A server adds up pair-wise updates that pass each user's disclosure."""

    clients: Literal["all"] | Count = setting(
        1, "clients per round, |U-| (FPL, section 3.1; FedeRank, section 3, m): 1 sequential, all parallel"
    )
    triples: Triples = setting(
        "mean",
        "T: triples a client draws each round (FPL, section 3.1.1); mean: X+/N, training interactions per user. A file "
        "gives each user their own (FedeRank, section 3), and mean where a user is missing",
    )
    rounds_per_epoch: Count | None = setting(
        None, "rounds per epoch, rpe (FPL, section 3.1); none: as many exchanges as training interactions"
    )
    disclosure: Literal["each-update", "whole-items"] = setting(
        "whole-items",
        "what pi hides: each positive update (FPL, section 3.1.2), or consumed items of a round as a whole (FedeRank, "
        "equations 4 and 5)",
    )
    pick: Literal["uniform", "data"] = setting(
        "uniform",
        "how a client is chosen: all alike (FPL, section 3.1), or by data, uniform over interactions (FedeRank, "
        "section 4, T = 1); data needs clients=1",
        later=True,
    )
    local: Literal["sequential", "batch"] = setting(
        "sequential",
        "when a client's own vector moves: after every triple (FPL, section 3.1.1), or once by all gradients "
        "(FedeRank, equations 1 to 3)",
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
    repeats_days: ClassVar[bool] = True
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
        """Clients per round, triples per client, rounds per epoch. Refuses what users' data do not allow."""
        train, avoid = scenario.train, scenario.avoid or scenario.train
        users = train.users
        clients = users if self.clients == "all" else self.clients
        if clients > users:
            raise BadInput("clients", got=clients, allowed=f"at most {users}, the number of users, or all")
        if self.pick == "data" and clients > 1:
            raise BadInput("pick", got="data", allowed=f"uniform with {clients} clients per round")
        interactions = scenario.interactions or len(train)
        mean = max(1, interactions // users)
        each = np.full(users, self.triples if isinstance(self.triples, int) else mean, np.int64)
        if scenario.triples is not None:
            each = np.where(scenario.triples < 0, mean, scenario.triples)
        most = train.counts * (train.items - avoid.counts)
        # A user without data takes no part. Where hidden items take none, few items may have to do for many triples.
        short = np.flatnonzero((train.counts > 0) & (most < each))
        if len(short) and interactions == len(train):
            raise BadInput(
                "triples",
                got=each[short[0]],
                allowed=f"at most {most[short[0]]}, all that user number {short[0]} has"
                + (f" ({len(short):,} users have too few)" if len(short) > 1 else ""),
            )
        rounds = self.rounds_per_epoch or max(1, interactions // clients)
        own = each if scenario.triples is not None else None
        return Pace(clients, max(1, int(each.max())), rounds, by_data=self.pick == "data", each=own)

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
