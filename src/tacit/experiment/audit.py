"""`tacit audit`: run a recipe, play the attackers its messages would meet, and say how well they do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tacit.attacks import curious_partner as sums
from tacit.attacks import curious_receiver as models
from tacit.attacks import curious_server as server
from tacit.attacks.base import Finding, Progress, knowing_popularity, victims
from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.core.message.update import Shield
from tacit.experiment.prepare import Experiment, build_simulation, prepare
from tacit.privacy.subsample import Subsample
from tacit.protocols.base import Plan, build_shields, horizon
from tacit.protocols.federated_averaging.simulation import AveragingSimulation
from tacit.protocols.federated_pairs.simulation import PairsSimulation
from tacit.protocols.push_sum.simulation import PushSumSimulation
from tacit.simulator.simulation import Simulation

_PI = (1.0, 0.5, 0.1, 0.0)
_AUDITED = "push-sum, federated-sums, gossip, view-gossip, federated-averaging or federated-pairs"


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
) -> Audit:
    """Attack a recipe: sums with and without masks, pair-wise learning at several pi, models as they are."""
    x = prepare(recipe, data, chosen, seed)
    train = x.split.train
    protocol = str(x.parameters["protocol"])
    found = [knowing_popularity(train, victims(train, seed))]
    if protocol == "push-sum":
        for masks in dict.fromkeys((0.0, float(x.parameters["masks"] or 0))):
            simulation, end = _start(prepare(recipe, data, {**(chosen or {}), "masks": masks}, seed))
            assert isinstance(simulation, PushSumSimulation)
            found += sums.attack(simulation, train, end, seed, {"masks": masks}, tell)
    elif protocol == "federated-sums":
        found += server.attack_sums(train, seed)
    elif protocol == "federated-averaging":
        simulation, end = _start(x)
        assert isinstance(simulation, AveragingSimulation)
        found += server.attack_models(simulation, train, end, seed, tell)
    elif protocol == "federated-pairs":
        for pi in _PI:
            watched = prepare(recipe, data, {**(chosen or {}), "pi": pi, "observe": "server"}, seed)
            simulation, end = _start(watched)
            assert isinstance(simulation, PairsSimulation)
            simulation.advance(end)
            tell(f"pi {pi:g}", 1.0)
            found += server.attack_pairs(simulation, train, pi)
    elif protocol in ("gossip", "view-gossip"):
        simulation, end = _start(x)
        found += models.attack(x.model, simulation, train, end, seed, _shields(x), tell)
    else:
        raise BadInput("audit", got=f"protocol {protocol}", allowed=f"recipes with protocol {_AUDITED}")
    return Audit(recipe, x.dataset.counts(), seed, len(victims(train, seed)), found)


def _shields(x: Experiment) -> list[Shield]:
    """What messages pass on their way out."""
    share = float(x.parameters.get("subsample") or 1)
    more = build_shields(x.parameters) if x.parameters["protocol"] == "gossip" else ()
    return [*([Subsample(share)] if share < 1 else []), *more]


def _start(x: Experiment) -> tuple[Simulation, int]:
    plan = Plan(x.parameters, x.model, x.split.train, x.seed, x.sessions, Workers(), x.pi, x.avoid)
    simulation = build_simulation(plan)
    return simulation, horizon(x.parameters, simulation.period)
