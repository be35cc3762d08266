"""Models and rules of live nodes, and the agreement that two nodes must share to exchange models."""

from __future__ import annotations

from dataclasses import fields
from hashlib import blake2b

from tacit.core import registry
from tacit.core.errors import unknown
from tacit.merges import age_average
from tacit.models.base import Model
from tacit.node.catalogue.item_keys import KEY_VERSION
from tacit.node.push_sum.sum_rules import MEMBERS, SumRules, sum_agreement
from tacit.node.receive_limits import MAX_SENT_ROWS
from tacit.node.store.records import HIGH, LOW
from tacit.privacy.known import Known
from tacit.privacy.row_limit import AtMost
from tacit.protocols.gossip.node import GossipRules

MODELS = ("bpr", "gmf", "ials", "mf")
DEFAULT = "bpr"
"""What a node exchanges that was alone when it invited or joined somebody."""
_SETTINGS: dict[str, dict[str, object]] = {
    "mf": {"k": 10, "eta": 0.05, "lam": 0.05, "scale": (LOW, HIGH)},
    "bpr": {"k": 10, "lr": 0.05},
    "ials": {"k": 16},
}
EPOCHS = 1
LiveRules = GossipRules | SumRules
"""Models that travel, or sums."""


def model_of(name: str) -> Model:
    """A model with the settings live nodes use."""
    if name not in MODELS:
        raise unknown("model", name, MODELS, "--model")
    model: Model = registry.find("tacit.models", "model", name)(**_SETTINGS.get(name, {}))
    return model


def rules_of(name: str, seed: int, every: float, members: int = MEMBERS) -> LiveRules:
    """What a live node goes by. `members`: how many people must take part in sums."""
    if name == "ials":
        return SumRules(model_of(name), seed, int(every * 1e6), members=members)
    return GossipRules(
        model=model_of(name),
        merge=age_average.merge(),
        seed=seed,
        period=int(every * 1e6),
        shields=(Known(), AtMost(MAX_SENT_ROWS)),
        epochs=EPOCHS,
    )


def agreement(rules: LiveRules) -> str:
    """Everything two nodes must have in common, in words; compared as a whole."""
    if isinstance(rules, SumRules):
        return sum_agreement(rules)
    model = rules.model
    numbers = " ".join(f"{f.name}={getattr(model, f.name)}" for f in fields(model))  # type: ignore[arg-type]
    return f"keys {KEY_VERSION}, model {model.name} {numbers}, merge {rules.merge.name}, {rules.dtype}"


def digest(agreed: str) -> bytes:
    """Eight bytes that stand for an agreement in every update."""
    return blake2b(agreed.encode(), digest_size=8).digest()
