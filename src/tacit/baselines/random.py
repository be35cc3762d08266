"""Random: every user gets the items in a random order. What knowing nothing gives."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.rng import Stream, uniform
from tacit.core.scorer import Scorer, Scores

_STREAM = Stream.BASELINE


@kernel
def _fill(low: int, high: int, seed: int, first: int, out: Scores) -> None:
    for n in range(low, high):
        for i in range(out.shape[1]):
            out[n, i] = uniform(seed, _STREAM, first + n, 0, i)


class RandomScorer(Scorer):
    """Each user's own random order, the same whenever it is asked for."""

    def __init__(self, users: int, items: int, seed: int, workers: Workers) -> None:
        super().__init__(users, items)
        self._seed, self._workers = seed, workers

    def block(self, low: int, high: int, out: Scores) -> None:
        """Fill `out` for the users low .. high."""
        self._workers.run(_fill, high - low, self._seed, low, out)


@dataclass(frozen=True, slots=True)
class Random:
    """It has no parameters."""

    def fit(self, train: Interactions, seed: int, workers: Workers) -> Scorer:
        """There is nothing to learn."""
        return RandomScorer(train.users, train.items, seed, workers)


baseline = Random
