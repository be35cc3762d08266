"""Gossip to views: now and then to everybody in the view; a received model is weighed, merged, and learned from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions, Ints
from tacit.core.message.update import Shield
from tacit.core.settings import Count, Flat, Proportion, UnitInterval, Value, setting
from tacit.merges.base import ModelMerge
from tacit.merges.performance import Performance
from tacit.models.base import Model, vector_size
from tacit.privacy.none import Nothing
from tacit.protocols.base import (
    SHIELD,
    USER_VECTORS,
    Protocol,
    UserVectors,
    shields_of,
    state_bytes,
    undivided_shield,
)
from tacit.protocols.view_gossip.asynchronous_simulation import AsynchronousSimulation, Pace
from tacit.protocols.view_gossip.network_simulation import Held
from tacit.protocols.view_gossip.node import Habits, rules_of
from tacit.protocols.view_gossip.sharded_simulation import ShardedViewGossip
from tacit.protocols.view_gossip.simulation import ViewGossipSimulation
from tacit.simulator.simulation import Scenario, Simulation

Ratio = Annotated[float, Meta(ge=1, le=100)]


@dataclass(frozen=True, slots=True)
class ViewGossip(Protocol):
    """Device to device, to a whole view of peers; received models are weighed as a whole."""

    user_vectors: UserVectors = setting("private", USER_VECTORS, key="user-vectors")
    merge: ModelMerge = setting(
        Performance(), "what whole models are weighed by (PEPPER, algorithm 2; its competitors, algorithm 1)"
    )
    peers: Literal["personalized", "uniform"] = setting(
        "personalized",
        "who is in the view: the best senders and strangers (PEPPER, algorithm 3), or strangers only "
        "(section 4.2: alpha = 1)",
    )
    view: Count = setting(3, "peers a node sends to each round (PEPPER, section 5.5.5: 3; also 6)")
    alpha: UnitInterval = setting(
        0.4,
        "share of the view that is drawn at random (peers=personalized; PEPPER, algorithm 3, lines 6 and 8)",
    )
    strangers: Literal["views", "everybody"] = setting(
        "views",
        "where the random part of a view comes from: peers' views, carried by messages (PEPPER, section 4.2), or all "
        "nodes (algorithm 3, line 9)",
    )
    scores: Literal["last", "best"] = setting(
        "last",
        "the performance a node remembers of a sender: of its last model (PEPPER, section 4.1), or of its best "
        "(header of algorithm 3)",
        key="view.scores",
        later=True,
    )
    period: Count = setting(
        1,
        "rounds between two updates of the view (PEPPER, sections 3.3 and 5.5.4 have a peer-sampling period and "
        "give no number)",
        key="view.period",
    )
    remembered: Count = setting(
        100,
        "senders whose scores a node remembers (PEPPER, algorithm 3: the list LN, which has no bound there)",
        key="view.memory",
    )
    periods: Ratio = setting(
        1.0,
        "how many times as long the slowest node's period is as the fastest's (PEPPER, section 4.1: "
        '"substantially different model pushing periods")',
        later=True,
    )
    bandwidths: Ratio = setting(
        1.0,
        "how many times as long a message of the slowest sender takes as of the fastest (PEPPER, section 3.2: "
        '"heterogeneous bandwidth connectivity")',
        later=True,
    )
    step: UnitInterval = setting(
        1.0, "how far to move from the merged model toward the learned one (Reptile; PEPPER, section 5.4.2)"
    )
    step_vector: bool = setting(
        True,
        "does a person's vector make that step, as all parameters do (PEPPER, section 5.4.1), or all the way?",
        key="step.vector",
    )
    common: bool = setting(
        True,
        "do all nodes start from the same model? (PEPPER, section 3.2: a bootstrap service; it names no seed)",
    )
    refresh: Count | None = setting(
        None,
        "rounds after which a node sets another weighting set aside (PEPPER, section 4.1: of new data in a stream; "
        "here of its training part)",
    )
    spared: bool = setting(
        False,
        'do training negatives avoid the weighting set? (true: PEPPER, section 4.1, it "cannot be used for model '
        'training"; false is our choice)',
        key="weighting.spared",
        later=True,
    )
    read_out: Literal["local", "merged", "averaged"] = setting(
        "local",
        "the model a person is shown: own; as merged, before learning; mean of the received",
        key="read-out",
    )
    fresh: Proportion = setting(0.1, "weight of the latest model in that mean", key="read-out.fresh")
    timing: bool = setting(
        False, "measure each node's processor seconds, on one core (PEPPER, figure 9a and table 8)"
    )

    shield: Shield = setting(Nothing(), SHIELD, later=True)

    name: ClassVar[str] = "view-gossip"
    about: ClassVar[str] = (
        "device to device, to a whole view of peers; received models are weighed as a whole"
    )
    run_defaults: ClassVar[Mapping[str, Value]] = {"rounds": 300, "start": "synchronous"}
    paper_negatives: ClassVar[bool] = True

    @property
    def round_transfers(self) -> int:
        """One to each peer of the view, one after the other."""
        return max(2, self.view)

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
            best=self.scores == "best",
            from_views=self.strangers == "views",
            step=self.step,
            step_vector=self.step_vector,
            common=self.common,
            refresh=self.refresh or 0,
            read_out=self.read_out,
            fresh=self.fresh,
            shields=shields_of(self.shield),
        )

    def build(self, scenario: Scenario) -> Simulation:
        """All nodes, initialized: in rounds where they start together and are alike, else each in its own time."""
        avoid = scenario.train if scenario.avoid is None and self.spared else scenario.avoid
        held, habits = Held(set_aside(scenario), avoid), self.habits(scenario.model)
        if self._in_rounds(scenario):
            rounds = ViewGossipSimulation if scenario.partition.ranks == 1 else ShardedViewGossip
            return rounds(scenario, habits, held, timed=self.timing)
        pace = Pace(self.periods, self.bandwidths)
        return AsynchronousSimulation(scenario, habits, held, pace, timed=self.timing)

    def _in_rounds(self, scenario: Scenario) -> bool:
        return not scenario.staggered and self.periods == self.bandwidths == 1

    def undivided(self, scenario: Scenario) -> str:
        """Shields see one message after the other, in one process; and only rounds are divided."""
        if not self._in_rounds(scenario):
            return "nodes in their own time; allowed: rounds (start=synchronous, periods=1, bandwidths=1)"
        return undivided_shield(self.shield)

    def check(self, scenario: Scenario, run: Flat) -> None:
        """Merges of whole models only, and somebody to gossip with."""
        if not hasattr(self.merge, "basis"):
            allowed = "performance, samples or model-age, which merge whole models"
            raise BadInput("merge", got=self.merge.name, allowed=f"{allowed}, with protocol {self.name}")
        if scenario.train.users < 2:
            allowed = "2 nodes or more, to have somebody to gossip with"
            raise BadInput("network", got=f"{scenario.train.users} node", allowed=allowed)

    def notes(self, recipe: str, scenario: Scenario) -> list[str]:
        """What messages tell, users who cannot weigh models, and a view that is larger than the network."""
        users, told = scenario.train.users, []
        if self.strangers == "views":
            best = "" if self.peers == "uniform" or self.alpha == 1 else "; some of them suit its user best"
            told.append(f"every message also tells which peers are in its sender's view, by number{best}")
        if self.view > users - 1:
            told.append(
                f"a view of {self.view} is larger than the network: everybody sends to all {users - 1} others"
            )
        if rules_of(self.habits(scenario.model), 0, 1, vector_size(scenario.model)).scored:
            without = int((set_aside(scenario) == 0).sum())
            if without:
                told.append(
                    f"{without:,} of {users:,} users have too few interactions for a weighting set. They learn from "
                    "all, and received models count as much as their own"
                )
        return told

    def memory(self, model: Model, train: Interactions, size: int) -> int:
        """Every node's state as sent and as it becomes, and what it shows where that is another; weighting sets."""
        copies = 2 + (self.read_out != "local") + (not isinstance(self.shield, Nothing))
        return train.users * (copies * state_bytes(model, train.items, size) + 2000)


def set_aside(scenario: Scenario) -> Ints:
    """How many items each user sets aside: as many as are in the test part, but something must be left to learn."""
    train = scenario.train.counts
    test = np.zeros_like(train) if scenario.held is None else scenario.held
    return np.where(test < train, test, 0)


protocol = ViewGossip
