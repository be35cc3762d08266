"""A baseline: fitted once, in one place, to everybody's data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from tacit.baselines.base import Baseline
from tacit.baselines.popular import Popular
from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.scorer import Scorer
from tacit.core.settings import Flat, Value, setting
from tacit.core.where import is_ours, where_defined
from tacit.models.base import Model
from tacit.protocols.base import SENDS_DATA, Protocol, nothing_private
from tacit.protocols.baseline.checked_scorer import CheckedScorer
from tacit.protocols.baseline.simulation import RecommenderSimulation
from tacit.simulator.simulation import Scenario, Simulation


@dataclass(frozen=True, slots=True)
class FittedBaseline(Protocol):
    """Another recommender, fitted to everybody's data."""

    baseline: Baseline = setting(Popular(), "which recommender")

    name: ClassVar[str] = "baseline"
    about: ClassVar[str] = "another recommender, in one place that knows everything"
    no_shield: ClassVar[str] = SENDS_DATA
    run_defaults: ClassVar[Mapping[str, Value]] = {"hours": None, "model": "none"}
    all_online: ClassVar[bool] = True
    synchronous: ClassVar[bool] = True

    def build(self, scenario: Scenario) -> Simulation:
        """Ready to be fitted."""
        return RecommenderSimulation(scenario, partial(self._fit, scenario))

    def _fit(self, scenario: Scenario) -> Scorer:
        found = self.baseline.fit(scenario.train, scenario.seed, scenario.workers)
        if not isinstance(found, Scorer):
            what, got = f"fit of baseline {type(self.baseline).__name__}", f"a {type(found).__name__}"
            raise BadInput(what, got=got, allowed="a Scorer", where=where_defined(type(self.baseline)))
        if not hasattr(found, "users"):
            name, allowed = type(found).__name__, "super().__init__(train.users, train.items) in its __init__"
            raise BadInput(f"{name} has no users, items", allowed=allowed, where=where_defined(type(found)))
        if is_ours(self.baseline) and is_ours(found):
            return found
        return CheckedScorer(found, type(self.baseline).__name__)

    def check(self, scenario: Scenario, run: Flat) -> None:
        """It has no model."""
        if scenario.model.name != "none":
            raise BadInput("model", got=scenario.model.name, allowed="none with protocol baseline")

    def notes(self, recipe: str, scenario: Scenario) -> list[str]:
        """What is different from everything else here."""
        return nothing_private(recipe)

    def memory(self, model: Model, train: Interactions, size: int) -> int:
        """The data once more, seen from the items, and a block of scores."""
        return 16 * len(train) + 64 * 2**20


protocol = FittedBaseline
