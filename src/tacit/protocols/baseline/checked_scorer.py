"""The scores of a baseline from outside of tacit, looked at whenever they are asked for."""

from __future__ import annotations

import numpy as np

from tacit.core.errors import BadInput
from tacit.core.interactions import Ints, Positions
from tacit.core.scorer import Scorer, Scores
from tacit.core.where import where_defined


class CheckedScorer(Scorer):
    """Another scorer that must give every score it is asked for, and no NaN."""

    def __init__(self, scorer: Scorer, name: str) -> None:
        super().__init__(scorer.users, scorer.items)
        self._scorer, self._name = scorer, name
        self.rows = getattr(scorer, "rows", None)
        """Its item factors, where it has some."""

    def block(self, low: int, high: int, out: Scores) -> None:
        """Fill `out` for the users low .. high."""
        out[:] = np.nan  # what is left as it was is no score
        self._scorer.block(low, high, out)
        self._check("block", out)

    def some(self, start: Ints, item: Positions) -> Scores:
        """Scores of only some items."""
        found = self._scorer.some(start, item)
        self._check("some", found)
        return found

    def _check(self, method: str, scores: Scores) -> None:
        missing = int(np.isnan(scores).sum())
        if missing:
            what = f"baseline {self._name}: {method} of {type(self._scorer).__name__}"
            got = f"{missing:,} of {scores.size:,} scores that are no number"
            allowed = "numbers; minus infinity for an item that must not be shown"
            raise BadInput(what, got=got, allowed=allowed, where=where_defined(type(self._scorer)))
