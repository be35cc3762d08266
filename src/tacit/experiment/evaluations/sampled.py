"""Sampled ranking: each held-out item among 100 items that its user never touched, drawn once per seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.core.settings import Count, setting
from tacit.experiment.evaluations.base import Evaluation, Floats, Mask
from tacit.experiment.experiment import Experiment
from tacit.experiment.kinds_of_lists import among_negatives
from tacit.metrics.convergence import converged_at, network_rounds, reading
from tacit.metrics.sampled_ranking import Ranks, draw_negatives, ranks, sampled_metrics
from tacit.simulator.scoring import scorer_of
from tacit.simulator.simulation import Simulation

CUTS = (5, 10, 20)
PERCENTILES = (1, 5, 10, 25, 50, 75, 90, 95, 99)


def spread(values: Floats) -> dict[str, float]:
    """Percentiles over users, and the share of users at zero.

    >>> found = spread(np.array([0.0, 0.5, 1.0, np.nan]))
    >>> found["p50"], round(found["zero"], 4)
    (0.5, 0.3333)
    """
    there = values[~np.isnan(values)]
    if not len(there):
        return {}
    cut = np.percentile(there, PERCENTILES)
    zero = {"zero": float((there == 0).mean())}
    return {f"p{p}": float(v) for p, v in zip(PERCENTILES, cut, strict=True)} | zero


@dataclass(frozen=True, slots=True)
class SampledSettings:
    """What can be set."""

    negatives: Count = setting(
        100, "items each held-out one is ranked among (PEPPER, section 5.3)", key="evaluate.negatives"
    )
    convergence: bool = setting(
        False, "record each user's rounds to convergence (PEPPER, section 5.5.6)", key="evaluate.convergence"
    )


class SampledEvaluation(Evaluation):
    """HR, NDCG and F1 at 5, 10 and 20."""

    headline = "hr@20"
    cuts: ClassVar[tuple[int, ...]] = CUTS
    Settings: ClassVar[type] = SampledSettings

    def __init__(self, experiment: Experiment, workers: Workers) -> None:
        self._x, self._workers = experiment, workers
        self._held = held = experiment.held_out
        own: SampledSettings = self.settings(experiment)
        self._follow = own.convergence
        self._last: tuple[Simulation, int, Ranks] | None = None
        self._history: list[npt.NDArray[np.float32]] = []
        self._seconds: list[Floats] = []
        table, count = experiment.dataset.table, own.negatives
        if table.users != held.users or table.items != held.items:
            table = held  # the miniature that warms up the compiler
        negatives = np.empty((table.users, count), np.int32)
        draw_negatives(experiment.seed, table.start, table.item, table.items, negatives)
        self._negatives, self._there = negatives, negatives >= 0
        # One list per user: the negatives, then the held-out items.
        size = self._there.sum(axis=1) + held.counts
        self._start = np.concatenate(([0], np.cumsum(size))).astype(np.int64)
        self._is_held = np.arange(self._start[-1]) >= np.repeat(self._start[1:] - held.counts, size)
        self._item = np.empty(self._start[-1], np.int32)
        self._item[self._is_held] = held.item
        self._item[~self._is_held] = negatives[self._there]

    @classmethod
    def check(cls, experiment: Experiment) -> None:
        """Some user must have items left to draw. Users who have too few are counted."""
        table, count = experiment.dataset.table, int(cls.settings(experiment).negatives)
        free = table.items - table.counts
        if not (free > 0).any():
            raise BadInput(
                "evaluate",
                got="sampled, but every user consumed every item",
                allowed="rating",
                where=experiment.dataset.name,
            )
        short = int((free < count).sum())
        if short:
            experiment.notes.append(
                f"{short:,} of {table.users:,} users have fewer than {count} items they never touched: "
                "theirs are ranked among what there is"
            )

    def measure(self, simulation: Simulation, online: Mask) -> dict[str, float | None]:
        """The mean over the online users with a test part."""
        mask = online & (self._held.counts > 0)
        found = self.per_user(simulation)
        if self._follow:
            self._history.append(found[self.headline].astype(np.float32))
            if (seconds := simulation.per_node().get("seconds")) is not None:
                self._seconds.append(seconds.copy())
        return {name: float(each[mask].mean()) if mask.any() else None for name, each in found.items()}

    def further(self, rounds: list[float]) -> dict[str, Floats]:
        """Rounds to convergence (`evaluate.convergence=true`); not of a run that was resumed, whose start is gone.

        Also the seconds a node had computed by then, where they are measured. `network_rounds` is the same for all.
        """
        if len(self._history) != len(rounds) or not rounds:
            return {}
        history = np.stack(self._history)
        place = converged_at(rounds, history)
        network = network_rounds(rounds, np.nanmean(history, axis=1))
        found = {
            "rounds_to_convergence": reading(rounds, place),
            "network_rounds": np.full(history.shape[1], network),
        }
        if len(self._seconds) == len(rounds):
            found["seconds_to_convergence"] = reading(np.stack(self._seconds), place)
        return found

    def more(self, simulation: Simulation) -> dict[str, Any]:
        """How every metric is spread over users: percentiles, and the share of users who got nothing."""
        return {"spread": {name: spread(each) for name, each in self.per_user(simulation).items()}}

    def per_user(self, simulation: Simulation) -> dict[str, Floats]:
        """Every metric of each user."""
        found = self._ranks(simulation)
        return sampled_metrics(self._held.start, found.alone, found.pooled, CUTS)

    def lists(self) -> dict[str, str]:
        """A list for each held-out item; one for all of a user's in F1."""
        fewer = not self._there[self._held.counts > 0].all()
        return among_negatives(self._there.shape[1], fewer)

    def guess(self) -> tuple[str, float] | None:
        """Of HR@20: twenty places among the negatives and the held-out item."""
        chance = np.minimum(1.0, 20 / (self._there.sum(axis=1) + 1))[self._held.counts > 0]
        return ("ranking at random", float(chance.mean())) if len(chance) else None

    def ties(self, simulation: Simulation) -> float:
        """The share of held-out items whose rank ties decided."""
        tied = self._ranks(simulation).tied
        return float(tied.mean()) if len(tied) else 0.0

    def _ranks(self, simulation: Simulation) -> Ranks:
        """Everybody's ranks now: one ranking serves all metrics of an instant."""
        if self._last is None or self._last[0] is not simulation or self._last[1] != simulation.now:
            x, held = self._x, self._held
            scorer = scorer_of(x.model, simulation, x.settings.learning.lazy, self._workers)
            scores = scorer.some(self._start, self._item)
            # A model that diverged to numbers that are none has no scores: its items rank last.
            scores[np.isnan(scores)] = -np.inf
            among = np.full(self._there.shape, np.nan)
            among[self._there] = scores[~self._is_held]
            found = ranks(x.seed, held.start, held.item, scores[self._is_held], self._negatives, among)
            self._last = simulation, simulation.now, found
        return self._last[2]


evaluation = SampledEvaluation
