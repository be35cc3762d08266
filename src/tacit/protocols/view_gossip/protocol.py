"""Gossip to views: every round to everybody in the view; a received model is weighed, merged, and learned from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions, Ints
from tacit.core.message.update import Shield
from tacit.core.settings import Count, Flat, Proportion, UnitInterval, Value, setting
from tacit.merges.base import ModelMerge
from tacit.merges.performance import Performance
from tacit.models.base import Model
from tacit.privacy.none import Nothing
from tacit.protocols.base import SHIELD, USER_VECTORS, Protocol, UserVectors, shields_of, state_bytes
from tacit.protocols.view_gossip.node import Habits, rules_of
from tacit.protocols.view_gossip.simulation import Held, ViewGossipSimulation
from tacit.simulator.simulation import Scenario, Simulation


@dataclass(frozen=True, slots=True)
class ViewGossip(Protocol):
    """Device to device, to a whole view of peers; received models are weighed as a whole."""

    user_vectors: UserVectors = setting("private", USER_VECTORS, key="user-vectors")
    merge: ModelMerge = setting(Performance(), "what whole models are weighed by")
    peers: Literal["personalized", "uniform"] = setting("personalized", "who is in the view")
    view: Count = setting(3, "peers a node sends to each round")
    alpha: UnitInterval = setting(0.4, "share of the view that is drawn at random (peers=personalized)")
    period: Count = setting(1, "rounds between two updates of the view", key="view.period")
    remembered: Count = setting(100, "senders whose scores a node remembers", key="view.memory")
    step: UnitInterval = setting(
        1.0, "how far to move from the merged model toward the learned one (Reptile)"
    )
    common: bool = setting(True, "do all nodes start from the same model?")
    refresh: Count | None = setting(None, "rounds after which a node sets another weighting set aside")
    read_out: Literal["local", "merged", "averaged"] = setting(
        "local",
        "the model a person is shown: own; as merged, before learning; mean of the received",
        key="read-out",
    )
    fresh: Proportion = setting(0.1, "weight of the latest model in that mean", key="read-out.fresh")
    timing: bool = setting(False, "measure each node's seconds of computing, on one core")

    shield: Shield = setting(Nothing(), SHIELD, later=True)

    name: ClassVar[str] = "view-gossip"
    about: ClassVar[str] = (
        "device to device, to a whole view of peers; received models are weighed as a whole"
    )
    run_defaults: ClassVar[Mapping[str, Value]] = {"rounds": 300}
    paper_negatives: ClassVar[bool] = True
    synchronous: ClassVar[bool] = True

    def habits(self, model: Model) -> Habits:
        """What nodes do. A merge measures the model's own metric unless told otherwise."""
        merge = self.merge
        if isinstance(merge, Performance) and merge.metric == "auto":
            merge = replace(merge, metric=getattr(model, "metric", "hr"))
        return Habits(
            merge=merge,
            view=self.view,
            alpha=1.0 if self.peers == "uniform" else self.alpha,
            period=self.period,
            memory=self.remembered,
            step=self.step,
            common=self.common,
            refresh=self.refresh or 0,
            read_out=self.read_out,
            fresh=self.fresh,
            shields=shields_of(self.shield),
        )

    def build(self, scenario: Scenario) -> Simulation:
        """All nodes, initialized."""
        held = Held(set_aside(scenario), scenario.avoid)
        return ViewGossipSimulation(scenario, self.habits(scenario.model), held, timed=self.timing)

    def check(self, scenario: Scenario, run: Flat) -> None:
        """Merges of whole models only, and somebody to gossip with."""
        if not hasattr(self.merge, "basis"):
            allowed = "performance, samples or model-age, which merge whole models"
            raise BadInput("merge", got=self.merge.name, allowed=f"{allowed}, with protocol {self.name}")
        if scenario.train.users < 2:
            allowed = "2 nodes or more, to have somebody to gossip with"
            raise BadInput("network", got=f"{scenario.train.users} node", allowed=allowed)

    def notes(self, recipe: str, scenario: Scenario) -> list[str]:
        """Users who cannot weigh models, and a view that is larger than the network."""
        users, told = scenario.train.users, []
        if self.view > users - 1:
            told.append(
                f"a view of {self.view} is larger than the network: everybody sends to all {users - 1} others"
            )
        if rules_of(self.habits(scenario.model), 0, 1).scored:
            without = int((set_aside(scenario) == 0).sum())
            if without:
                told.append(
                    f"{without:,} of {users:,} users have too few interactions for a weighting set: all they have "
                    "is learned from, and received models count as much as their own"
                )
        return told

    def memory(self, model: Model, train: Interactions, size: int) -> int:
        """Every node's state as sent and as it becomes, and what it shows where that is another; weighting sets."""
        copies = 2 if self.read_out == "local" else 3
        return train.users * (copies * state_bytes(model, train.items, size) + 2000)


def set_aside(scenario: Scenario) -> Ints:
    """How many items each user sets aside: as many as are in the test part, but something must be left to learn."""
    train = scenario.train.counts
    test = np.zeros_like(train) if scenario.held is None else scenario.held
    return np.where(test < train, test, 0)


protocol = ViewGossip
