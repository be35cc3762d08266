"""Federated pair-wise learning: FPL and FedeRank. A round of the curve is an epoch."""

from __future__ import annotations

import numpy as np

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.settings import Maybe, OneOf, Parameter, Whole
from tacit.models.base import Model
from tacit.protocols.base import EPOCHS, Parameters, Plan, Protocol, state_bytes
from tacit.protocols.federated_pairs.simulation import WATCHED, Pace, PairsSimulation
from tacit.simulator.simulation import Simulation


def build(plan: Plan) -> Simulation:
    """The server and its clients, initialized."""
    p = plan.parameters
    return PairsSimulation(
        plan.setting(),
        pace(p, plan.train, plan.avoid or plan.train),
        pi=plan.pi,
        whole_items=p["disclosure"] == "whole-items",
        avoid=plan.avoid,
        observe=p["observe"] == "server",
    )


def check(p: Parameters, model: Model, train: Interactions, avoid: Interactions) -> None:
    """Only pair-wise models, everybody online, and enough triples."""
    if model.name != "bpr":
        raise BadInput("model", got=model.name, allowed=f"bpr with protocol {p['protocol']}")
    if p["churn"] != "none":
        raise BadInput("churn", got=p["churn"], allowed=f"none with protocol {p['protocol']}")
    pace(p, train, avoid)


def pace(p: Parameters, train: Interactions, avoid: Interactions) -> Pace:
    """Clients a round, triples a client, rounds an epoch; refuses what users' data do not allow."""
    users, given = train.users, p["triples"]
    clients = users if p["clients"] == "all" else int(p["clients"] or 1)
    if clients > users:
        raise BadInput("clients", got=clients, allowed=f"at most {users}, the number of users, or all")
    triples = max(1, len(train) // users) if given == "mean" else int(given or 1)
    most = train.counts * (train.items - avoid.counts)
    short = np.flatnonzero(most < triples)
    if len(short):
        raise BadInput(
            "triples",
            got=triples,
            allowed=f"at most {most[short[0]]}, all that user number {short[0]} has"
            + (f" ({len(short):,} users have too few)" if len(short) > 1 else ""),
        )
    rounds = p["rounds_per_epoch"]
    return Pace(clients, triples, max(1, len(train) // clients) if rounds is None else int(rounds))


def memory(parameters: Parameters, model: Model, train: Interactions, size: int) -> int:
    """The server's state, a sum of updates of the same size, and what is observed."""
    watched = 12 * WATCHED * train.items if parameters["observe"] == "server" else 0
    return 2 * state_bytes(model, train.items, size) + 16 * train.items + watched


def rehearsal(parameters: Parameters, users: int, few: int) -> Parameters:
    """What any number of users and items allows; what is compiled is the same."""
    return {**parameters, "clients": 1, "triples": 1, "rounds_per_epoch": None}


protocol = Protocol(
    about="a server adds up pair-wise updates that pass each user's disclosure",
    parameters=(
        *EPOCHS,
        Parameter("clients", 1, "clients a round", OneOf(("all",), Whole(1))),
        Parameter(
            "triples",
            "mean",
            "T: triples a client draws each round; mean: training interactions a user",
            OneOf(("mean",), Whole(1)),
        ),
        Parameter(
            "rounds_per_epoch",
            None,
            "rounds an epoch; none: as many exchanges as training interactions",
            Maybe(Whole(1)),
        ),
        Parameter(
            "disclosure",
            "whole-items",
            "what pi hides: each positive update (FPL), or consumed items of a round as a whole (FedeRank)",
            OneOf(("each-update", "whole-items")),
        ),
        Parameter("observe", "none", "store what the server saw of some clients", OneOf(("none", "server"))),
    ),
    build=build,
    memory=memory,
    check=check,
    rehearsal=rehearsal,
    discloses=True,
    paper_negatives=True,
    server_steps=True,
    one_core=True,
)
