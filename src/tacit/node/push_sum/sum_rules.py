"""What live nodes that exchange sums go by."""

from __future__ import annotations

from dataclasses import dataclass, fields

from tacit.models.base import Model
from tacit.node.catalogue.item_keys import KEY_VERSION

CROWD = 100
"""People who take part at least, oneself included, unless a person forces it: see MEMBERS."""
MEMBERS = 4
"""People that sums work with. So few hide nothing: from sums of 4 to 16 people all lists can be decoded."""


@dataclass(frozen=True, slots=True)
class SumRules:
    """What all nodes agree on, but for the seed, which is each node's own."""

    model: Model
    seed: int
    period: int
    """Microseconds between two shares of a node."""
    turns: int = 0
    """Shares given away in an epoch; 0: by rule from how many people there are."""
    masks: float = 24.0
    """Standard deviation of a node's masks, in units of one item's count. 0 is for tests: nothing is hidden then."""
    tolerance: float = 0.04
    patience: int = 20
    longest: int = 2
    """After how many times its turns an epoch ends in any case: people should not wait long for one that is spoiled."""
    members: int = MEMBERS
    wait: int = 6
    """Wakes in which no more items were heard of, before the very first epoch."""
    staggered: bool = True


def sum_agreement(rules: SumRules) -> str:
    """Everything two nodes must have in common, in words; compared as a whole."""
    model = rules.model
    numbers = " ".join(f"{f.name}={getattr(model, f.name)}" for f in fields(model))  # type: ignore[arg-type]
    sums = f"sums masks={rules.masks:g} turns={rules.turns} tolerance={rules.tolerance:g} members={rules.members}"
    return f"keys {KEY_VERSION}, model {model.name} {numbers}, {sums}"
