"""Weighted by performance (PEPPER): a model counts as much as it recommends well to the person who received it.

P_x = HR@K of every item of a private weighting set among random items the person does not have, ties against:

    M_i = (P_i M_i + P_x M_x) / (P_i + P_x), equal parts where both are 0

or F1@K, for which the weighting items are ranked together: 2 |hits| / (K + |weighting set|).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.settings import Count, setting
from tacit.merges.base import SCORE

Scores = npt.NDArray[np.float64]


@kernel
def hits(own: Scores, others: Scores, k: int, together: bool) -> int:
    """How many own items rank among the first k: each by itself among the others, or all of them together."""
    found = 0
    for n in range(len(own)):
        mine, rank = own[n], 0
        for m in range(len(others)):
            # Written so that a score that is not a number ranks last: a model that diverged must not win.
            rank += not mine > others[m]
        if together:
            for m in range(len(own)):
                if own[m] > own[n] or (own[m] == own[n] and m < n):
                    rank += 1
        if rank < k:
            found += 1
    return found


@kernel
def share(mine: float, theirs: float) -> np.float32:
    """How much of the received model to take; half where both are 0."""
    return np.float32(theirs / (mine + theirs)) if mine + theirs > 0 else np.float32(0.5)


@dataclass(frozen=True, slots=True)
class Performance:
    """Whole models, weighted by how well each does on the weighting set."""

    metric: Literal["auto", "hr", "f1"] = setting(
        "auto", "a model's performance: HR@K or F1@K; auto: F1 for prme-g, else HR (PEPPER, section 5.3)"
    )
    k: Count = setting(20, "K of HR@K or F1@K (open in PEPPER, which reports 5, 10 and 20)")
    negatives: Count = setting(100, "random items the weighting items are ranked among (PEPPER, section 4.1)")

    drawn: Literal["user", "item"] = setting(
        "user",
        'are these drawn once for the whole weighting set, or for each of its items (PEPPER, section 4.1: "for each '
        'item")? F1 ranks all of them among the first',
        later=True,
    )

    name: ClassVar[str] = "performance"
    basis: ClassVar[int] = SCORE


merge = Performance
