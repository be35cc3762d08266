"""Sampled ranking with 100 items of its own for each held-out item (PEPPER, section 5.3: "for each test item").

`sampled` draws 100 items per user, which all held-out items of the user share. The expected mean is the same, and a
measurement scores far fewer items. F1 ranks a user's held-out items together, so it is that of `sampled`.
"""

from __future__ import annotations

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Ints, Positions
from tacit.core.math.negative_sampling import draw_outside
from tacit.core.rng import Stream
from tacit.experiment.evaluations.sampled import SampledEvaluation, SampledSettings
from tacit.experiment.experiment import Experiment
from tacit.metrics.sampled_ranking import Ranks, ranks_in_own_lists
from tacit.simulator.scoring import scorer_of
from tacit.simulator.simulation import Simulation

_NEGATIVES = Stream.NEGATIVES


@kernel
def draw_per_item(
    seed: int, start: Ints, item: Positions, items: int, held_start: Ints, out: Positions
) -> None:
    """Fill the row of each held-out item with different items outside all that its user has; -1: there are no more."""
    for u in range(len(start) - 1):
        for n in range(held_start[u], held_start[u + 1]):
            event = 1 + n - held_start[u]  # 0 is the list that `sampled` draws
            draw_outside(seed, _NEGATIVES, u, event, item[start[u] : start[u + 1]], items, out[n])


class SampledPerItemEvaluation(SampledEvaluation):
    """HR and NDCG at 5, 10 and 20 with a list per held-out item; F1 with a list per user."""

    def __init__(self, experiment: Experiment, workers: Workers) -> None:
        super().__init__(experiment, workers)
        own: SampledSettings = self.settings(experiment)
        held, table = self._held, experiment.dataset.table
        if table.users != held.users or table.items != held.items:
            table = held  # the miniature that warms up the compiler
        negatives = np.empty((len(held.item), own.negatives), np.int32)
        draw_per_item(experiment.seed, table.start, table.item, table.items, held.start, negatives)
        self._own_negatives, self._drawn = negatives, negatives >= 0
        self._each: tuple[Simulation, int, Ranks] | None = None
        # One list per user: the negatives of each held-out item in turn, then the held-out items.
        lengths = np.concatenate(([0], np.cumsum(self._drawn.sum(axis=1))))
        size = lengths[held.start[1:]] - lengths[held.start[:-1]] + held.counts
        self._list_start = np.concatenate(([0], np.cumsum(size))).astype(np.int64)
        places = np.arange(self._list_start[-1])
        self._list_held = places >= np.repeat(self._list_start[1:] - held.counts, size)
        self._list = np.empty(len(places), np.int32)
        self._list[self._list_held] = held.item
        self._list[~self._list_held] = negatives[self._drawn]

    def _ranks(self, simulation: Simulation) -> Ranks:
        """Ranks in each item's own list; those of F1 are in the user's, as in `sampled`."""
        if self._each is None or self._each[0] is not simulation or self._each[1] != simulation.now:
            x, held = self._x, self._held
            scorer = scorer_of(x.model, simulation, x.settings.learning.lazy, self._workers)
            scores = scorer.some(self._list_start, self._list)
            scores[np.isnan(scores)] = -np.inf
            among = np.full(self._drawn.shape, np.nan)
            among[self._drawn] = scores[~self._list_held]
            own = scores[self._list_held]
            alone, tied = ranks_in_own_lists(x.seed, held.start, held.item, own, self._own_negatives, among)
            self._each = simulation, simulation.now, Ranks(alone, super()._ranks(simulation).pooled, tied)
        return self._each[2]


evaluation = SampledPerItemEvaluation
