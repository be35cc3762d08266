"""Audit a recipe: run it, play the attackers that its messages would meet, and say how well they do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from tacit.attacks.base import Attack, Audited, Finding, Progress, knowing_popularity, victims
from tacit.core.compiled.failures import compiling_explained
from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput, unknown
from tacit.core.registry import KINDS, broken, find, offered
from tacit.core.where import where_defined
from tacit.data.dataset import Data
from tacit.experiment.disclosing import Disclosing
from tacit.experiment.experiment import Experiment
from tacit.experiment.foreign_parts import outside_explained
from tacit.experiment.prepare import prepare
from tacit.experiment.run_settings import plain_settings


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found."""

    recipe: str
    data: dict[str, Any]
    seed: int
    victims: int
    findings: list[Finding]
    notes: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        worst = max(self.findings, key=lambda finding: finding.auc)
        found = f"{len(self.findings)} attackers, the best with auc {worst.auc:.3f}"
        return f"<Audit of {self.recipe} on {self.data['name']}: {found}>"

    def table(self) -> pl.DataFrame:
        """One row per attacker: attacker, setting, auc, auc_all (all items), precision."""
        rows = [
            {
                "attacker": one.attacker,
                "setting": ", ".join(f"{key} {value:g}" for key, value in one.settings.items()),
                "auc": one.auc,
                "auc_all": one.auc_all,
                "precision": one.precision,
            }
            for one in self.findings
        ]
        return pl.DataFrame(rows)

    def to_json(self) -> dict[str, Any]:
        """One object; attackers in the order they were tried."""
        return {
            "recipe": self.recipe,
            "seed": self.seed,
            "data": self.data,
            "victims": self.victims,
            "attackers": [finding.to_json() for finding in self.findings],
            "notes": self.notes,
        }


def audit(
    recipe: str,
    data: Data,
    chosen: Mapping[str, Any] | None = None,
    seed: int = 0,
    tell: Progress = lambda what, share: None,
    threads: int | None = None,
) -> Audit:
    """Play every attacker that knows how to read the recipe's messages; with `attack` chosen only that one."""
    chosen = plain_settings(chosen)
    wanted = chosen.pop("attack", None)
    x = prepare(recipe, data, chosen, seed)
    train = x.split.train
    attacks, notes = attackers(None if wanted is None else str(wanted), x.protocol.name)
    met = [one for one in attacks if x.protocol.name in one.against]
    if not met:
        names = sorted({name for one in attacks for name in one.against})
        allowed = f"recipes with protocol {', '.join(names[:-1])} or {names[-1]}"
        raise BadInput("audit", got=f"protocol {x.protocol.name}", allowed=allowed)
    found = [knowing_popularity(train, victims(train, seed))]
    with compiling_explained(), outside_explained(x.model, x.protocol):
        for one in met:
            found += _findings(one, one.look(audited(x, threads), tell))
    return Audit(recipe, x.dataset.counts(), seed, len(victims(train, seed)), found, notes)


def _findings(attack: Attack, found: object) -> list[Finding]:
    """What an attack found, if it is that."""
    if isinstance(found, list) and all(isinstance(one, Finding) for one in found):
        return found
    what, allowed = f"look of attack {type(attack).__name__}", "a list of Finding: [judge(...)]"
    raise BadInput(what, got=repr(found), allowed=allowed, where=where_defined(type(attack)))


def audited(x: Experiment, threads: int | None = None) -> Audited:
    """A run as attackers get it: what goes on in it, and what victims have and keep back."""
    train = x.split.train
    disclosing = x.disclosing or Disclosing(x.dataset.table)

    def at(pi: float) -> Audited:
        same_for_all = replace(disclosing, pi=np.full(train.users, pi))
        return audited(replace(x, disclosing=same_for_all), threads)

    return Audited(
        x.protocol,
        x.scenario(Workers(threads)),
        x.horizon,
        has=train,
        kept_back=train.take(disclosing.never(train, x.seed)),
        at_pi=at,
        pi=1.0 if disclosing.pi is None else round(float(disclosing.pi.mean()), 9),
        own_pi=x.parameters["pi"] != 1,
    )


def attackers(wanted: str | None, running: str) -> tuple[list[Attack], list[str]]:
    """The attackers there are, or the one that is wanted; and notes about those that can never play.

    `running` is the protocol of the run, which need not be a known one.
    """
    kind, protocols = KINDS["attack"], {running, *offered(*KINDS["protocol"])}
    found = offered(*kind) if wanted is None else {wanted: find(*kind, wanted, "attack")}
    left_out = broken(*kind) if wanted is None else {}
    notes = [f"attack {name} is left out, for it is broken: {why}" for name, why in left_out.items()]
    for name, one in found.items():
        for against in sorted(set(one.against) - protocols):
            wrong = unknown(f"attack {name}: against", against, protocols, where_defined(one))
            if wanted is not None and running not in one.against:
                raise wrong
            notes.append(str(wrong))
    return [one() for one in found.values()], notes
