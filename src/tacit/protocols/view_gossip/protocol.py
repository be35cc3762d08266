"""Gossip to views: every round to everybody in the view; who receives a model weighs it, merges, learns at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions, Ints
from tacit.core.registry import build_part, find
from tacit.core.settings import Maybe, Number, OneOf, Parameter, Part, Switch, Whole
from tacit.data.splits import Split
from tacit.models.base import Model
from tacit.protocols.base import TIME, USER_VECTORS, Parameters, Plan, Protocol, state_bytes
from tacit.protocols.view_gossip.node import READ_OUT, Habits, rules_of
from tacit.protocols.view_gossip.simulation import Held, ViewGossipSimulation
from tacit.simulator.simulation import Simulation


def weighing(p: Parameters) -> Any:
    """The merge; what it measures is the model's own metric unless told otherwise."""
    if p.get("merge.metric") == "auto":
        metric = getattr(find("tacit.models", "model", str(p["model"])), "metric", "hr")
        return build_part("merge", {**p, "merge.metric": metric})
    return build_part("merge", p)


def habits(p: Parameters) -> Habits:
    """What the parameters say of the nodes."""
    values: dict[str, Any] = dict(p)
    return Habits(
        merge=weighing(p),
        view=values["view"],
        alpha=1.0 if values["peers"] == "uniform" else values["alpha"],
        period=values["view.period"],
        memory=values["view.memory"],
        step=values["step"],
        common=values["common"],
        refresh=values["refresh"] or 0,
        read_out=values["read-out"],
        fresh=values["read-out.fresh"],
    )


def set_aside(test: Ints, train: Ints) -> Ints:
    """How many items each user sets aside: as many as are in the test part, but something must be left to learn."""
    return np.where(test < train, test, 0)


def build(plan: Plan) -> Simulation:
    """All nodes, initialized."""
    counts = plan.train.counts
    aside = set_aside(np.zeros_like(counts) if plan.held is None else plan.held, counts)
    return ViewGossipSimulation(
        plan.setting(),
        habits(plan.parameters),
        Held(aside, plan.avoid),
        timed=bool(plan.parameters["timing"]),
    )


def check(p: Parameters, model: Model, train: Interactions, avoid: Interactions) -> None:
    """Merges of whole models only, and somebody to gossip with."""
    if not hasattr(build_part("merge", p), "basis"):
        allowed = "performance, samples or model-age, which merge whole models"
        raise BadInput("merge", got=p["merge"], allowed=f"{allowed}, with protocol {p['protocol']}")
    if train.users < 2:
        raise BadInput(
            "network", got=f"{train.users} node", allowed="2 nodes or more, to have somebody to gossip with"
        )


def remarks(p: Parameters, split: Split) -> list[str]:
    """Users who cannot weigh models, and a view that is larger than the network."""
    users, view, told = split.train.users, int(p["view"] or 1), []
    if view > users - 1:
        told.append(f"a view of {view} is larger than the network: everybody sends to all {users - 1} others")
    if rules_of(habits(p), 0, 1).scored:
        without = int((set_aside(split.test.counts, split.train.counts) == 0).sum())
        if without:
            told.append(
                f"{without:,} of {users:,} users have too few interactions for a weighting set: all they have is "
                "learned from, and received models count as much as their own"
            )
    return told


def memory(parameters: Parameters, model: Model, train: Interactions, size: int) -> int:
    """Every node's state as sent and as it becomes, and what it shows where that is another; the weighting sets."""
    copies = 2 if parameters["read-out"] == "local" else 3
    return train.users * (copies * state_bytes(model, train.items, size) + 2000)


protocol = Protocol(
    about="device to device, to a whole view of peers; received models are weighed as a whole",
    parameters=(
        *TIME,
        USER_VECTORS,
        Parameter("merge", "performance", "what whole models are weighed by", Part("a merge's name")),
        Parameter("peers", "personalized", "who is in the view", OneOf(("personalized", "uniform"))),
        Parameter("view", 3, "peers a node sends to each round", Whole(1)),
        Parameter(
            "alpha", 0.4, "share of the view that is drawn at random (peers=personalized)", Number(0, 1)
        ),
        Parameter("view.period", 1, "rounds between two updates of the view", Whole(1)),
        Parameter("view.memory", 100, "senders whose scores a node remembers", Whole(1)),
        Parameter(
            "step",
            1.0,
            "how far to move from the merged model toward the learned one (Reptile)",
            Number(0, 1),
        ),
        Parameter("common", True, "do all nodes start from the same model?", Switch()),
        Parameter(
            "refresh", None, "rounds after which a node sets another weighting set aside", Maybe(Whole(1))
        ),
        Parameter(
            "read-out",
            "local",
            "the model a person is shown: own; as merged, before learning; mean of the received",
            OneOf(tuple(READ_OUT)),
        ),
        Parameter(
            "read-out.fresh", 0.1, "weight of the latest model in that mean", Number(0, 1, open_low=True)
        ),
        Parameter("timing", False, "measure each node's seconds of computing, on one core", Switch()),
    ),
    build=build,
    memory=memory,
    check=check,
    remarks=remarks,
    paper_negatives=True,
)
