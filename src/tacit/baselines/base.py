"""What a baseline is: a frozen dataclass of its settings that can be fitted. A module holds it as `baseline`.

One whose scores are ratings says so: `predicts_ratings: ClassVar[bool] = True`.
"""

from __future__ import annotations

from typing import Protocol

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions
from tacit.core.scorer import Scorer


class Baseline(Protocol):
    """A way to recommend, with its parameters."""

    def fit(self, train: Interactions, seed: int, workers: Workers) -> Scorer:
        """Learn from everybody's interactions."""
        ...
