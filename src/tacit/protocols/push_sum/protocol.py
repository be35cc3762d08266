"""Push-sum: nodes add up statistics by giving half of their sums to a peer each turn, and solve ALS with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal, Self

from msgspec import Meta

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.settings import Count, Flat, Value, setting
from tacit.models.base import Model, sum_width
from tacit.protocols.base import Protocol, build_graph
from tacit.protocols.federated_sums.protocol import needs_sums
from tacit.protocols.push_sum.headcount import HEADS
from tacit.protocols.push_sum.simulation import Conduct, PushSumSimulation
from tacit.protocols.push_sum.state import flat_size
from tacit.simulator.simulation import Scenario, Simulation


@dataclass(frozen=True, slots=True)
class PushSum(Protocol):
    """Sums of statistics travel from device to device, and everybody solves with them."""

    turns: Literal["rule"] | Annotated[int, Meta(ge=2)] = setting(
        "rule", "shares a node gives away in an epoch; rule: enough for the people there are"
    )
    masks: Annotated[float, Meta(ge=0, le=1000)] = setting(
        0.0, "standard deviation of the noise that hides a node's own part and cancels in the sum; 0: none"
    )
    partners: Count = setting(4, "nodes that each node shares masks with", key="masks.partners")
    tolerance: Annotated[float, Meta(gt=0, le=100)] = setting(
        0.04,
        "what may be left of masks, as a part of an item's mean count, before an epoch is discarded",
        key="masks.tolerance",
    )
    loss: Annotated[float, Meta(ge=0, le=0.9)] = setting(0.0, "share of messages that the network loses")
    speeds: Annotated[float, Meta(ge=0, le=10)] = setting(
        0.0, "how much longer the slowest node takes than the fastest: 1 is twice"
    )
    peers: Literal["ring", "uniform"] = setting(
        "ring",
        "whom a node sends to: the one so many places further on as all do in that turn, which mixes fastest "
        "(graph=complete), or anybody",
    )
    graph: Literal["k-out", "complete"] = setting("complete", "who knows whom")
    degree: Count = setting(20, "peers a node knows in a k-out graph", key="graph.degree")

    name: ClassVar[str] = "push-sum"
    about: ClassVar[str] = "device to device, no server: sums of statistics, and everybody solves with them"
    no_shield: ClassVar[str] = "shares of sums are no models; masks are what hides them"
    run_defaults: ClassVar[Mapping[str, Value]] = {"model": "ials"}

    def build(self, scenario: Scenario) -> Simulation:
        """All nodes, initialized."""
        conduct = Conduct(
            turns=0 if self.turns == "rule" else self.turns,
            masks=self.masks,
            partners=self.partners,
            tolerance=self.tolerance,
            staggered=scenario.staggered,
            speeds=self.speeds,
            loss=self.loss,
            ring=self.peers == "ring",
        )
        graph = build_graph(self.graph, self.degree, scenario.train.users, scenario.seed)
        return PushSumSimulation(scenario, graph, conduct)

    def check(self, scenario: Scenario, run: Flat) -> None:
        """Only a model that is solved from sums, and a ring only among all."""
        needs_sums(scenario, self.name)
        if self.peers == "ring" and self.graph != "complete":
            allowed = "uniform with graph=k-out; a ring needs all to know all"
            raise BadInput("peers", got="ring", allowed=allowed)

    def memory(self, model: Model, train: Interactions, size: int) -> int:
        """Sums, the share in flight in half precision, and rows in half precision."""
        flat = flat_size(train.items, model.row_width, sum_width(model))
        return train.users * (6 * flat + 8 * HEADS + 2 * train.items * model.row_width)

    def rehearsal(self, users: int, few: int) -> Self:
        """A network of three knows everybody."""
        return replace(self, degree=min(self.degree, few - 1))


protocol = PushSum
