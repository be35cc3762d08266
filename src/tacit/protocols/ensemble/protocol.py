"""Ensemble: gossip in which nodes judge received models on their own data, keep the best, and merge only those."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from msgspec import Meta

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.settings import Flat, Positive, UnitInterval, Whole, setting
from tacit.models.base import Model
from tacit.models.mlp import CLASSES
from tacit.protocols.base import state_bytes
from tacit.protocols.ensemble.kernels import Trust
from tacit.protocols.ensemble.simulation import EnsembleSimulation, choose_spammers
from tacit.protocols.gossip.protocol import ToOnePeer
from tacit.simulator.simulation import Scenario, Simulation


@dataclass(frozen=True, slots=True)
class Ensemble(ToOnePeer):
    """Received models are judged, kept by weight, merged if trusted."""

    size: Whole = setting(
        5,
        "received models a node keeps (Dymbe, section 7.2.2: a fixed amount); 0: none, whatever comes is "
        "merged",
        key="ensemble.size",
    )
    beta: Annotated[float, Meta(gt=0, le=0.99)] = setting(
        0.2,
        "share of its weight a model loses when it does badly (Dymbe, section 2.1.2: beta)",
        key="ensemble.beta",
    )
    margin: UnitInterval = setting(
        0.25,
        "how much further off than all together, as a share of the scale, a rating must be to do badly (open "
        "in Dymbe, section 7.2.2)",
        key="ensemble.margin",
    )
    floor: UnitInterval = setting(
        0.1,
        "weight, relative to the best model's, below which one is dropped (open in Dymbe, section 7.2.2)",
        key="ensemble.floor",
    )
    spam: Annotated[float, Meta(ge=0, le=0.99)] = setting(
        0.0, "share of nodes that do not learn and send garbage (Dymbe, section 7.2.2: malicious agents)"
    )
    spam_size: Positive = setting(1.0, "standard deviation of the numbers they send", key="spam.size")

    name: ClassVar[str] = "ensemble"
    about: ClassVar[str] = "device to device; received models are judged, kept by weight, merged if trusted"
    no_shield: ClassVar[str] = "received models are judged and kept as a whole, as their senders made them"

    def build(self, scenario: Scenario) -> Simulation:
        """All nodes, initialized."""
        nodes, seed, model = scenario.train.users, scenario.seed, scenario.model
        low, high = getattr(model, "scale", (0.0, 1.0))
        trust = Trust(
            size=self.size,
            beta=self.beta,
            margin=self.margin * (high - low),
            floor=self.floor,
            classes=CLASSES if model.name == "mlp" else 0,
        )
        return EnsembleSimulation(
            scenario,
            self.merge,
            self.neighbours(nodes, seed),
            trust,
            spam=choose_spammers(nodes, self.spam, seed),
            spam_size=self.spam_size,
            sampler=self.peers,
        )

    def check(self, scenario: Scenario, run: Flat) -> None:
        """Only what predicts ratings or classes can be judged by them."""
        ToOnePeer.check(self, scenario, run)
        if getattr(scenario.model, "draws_negatives", False):
            raise BadInput(
                "model",
                got=scenario.model.name,
                allowed="one that predicts ratings or classes, such as mf, bias, mlp, with protocol ensemble",
            )

    def notes(self, recipe: str, scenario: Scenario) -> list[str]:
        """Whose figures are shown."""
        return [f"{recipe}: figures are of honest nodes; spammers (spam) are not measured"]

    def memory(self, model: Model, train: Interactions, size: int) -> int:
        """As of gossip, and every node's members."""
        kept = self.size + 1 if self.size else 0
        return (2 + kept) * train.users * state_bytes(model, train.items, size)


protocol = Ensemble
