"""Audit a recipe: run it, play the attackers that its messages would meet, and say how well they do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tacit.attacks.base import Attack, Audited, Finding, Progress, knowing_popularity, victims
from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.core.registry import offered
from tacit.experiment.prepare import prepare


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found."""

    recipe: str
    data: dict[str, Any]
    seed: int
    victims: int
    findings: list[Finding]

    def to_json(self) -> dict[str, Any]:
        """One object; attackers in the order they were tried."""
        return {
            "recipe": self.recipe,
            "seed": self.seed,
            "data": self.data,
            "victims": self.victims,
            "attackers": [finding.to_json() for finding in self.findings],
        }


def audit(
    recipe: str,
    data: str | Path | pl.DataFrame,
    chosen: Mapping[str, Any] | None = None,
    seed: int = 0,
    tell: Progress = lambda what, share: None,
    threads: int | None = None,
) -> Audit:
    """Play every attacker that knows how to read the recipe's messages."""
    x = prepare(recipe, data, chosen, seed)
    train = x.split.train
    attacks: list[Attack] = [one() for one in offered("tacit.attacks", "attack").values()]
    met = [one for one in attacks if x.protocol.name in one.against]
    if not met:
        audited = sorted({name for one in attacks for name in one.against})
        allowed = f"recipes with protocol {', '.join(audited[:-1])} or {audited[-1]}"
        raise BadInput("audit", got=f"protocol {x.protocol.name}", allowed=allowed)
    found = [knowing_popularity(train, victims(train, seed))]
    for one in met:
        found += one.look(Audited(x.protocol, x.scenario(Workers(threads)), x.horizon), tell)
    return Audit(recipe, x.dataset.counts(), seed, len(victims(train, seed)), found)
