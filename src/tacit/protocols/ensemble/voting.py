"""Many models, one answer: majority voting, and the weighted majority algorithm that learns whom to trust.

`votes[m, n]` is what model m says about case n. Of equally supported answers the lowest wins.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel

Votes = npt.NDArray[np.int8]
Labels = npt.NDArray[np.uint8]


@kernel
def majority(votes: Votes, classes: int) -> Votes:
    """For each case what most models say."""
    models, cases = votes.shape
    out = np.empty(cases, np.int8)
    for n in range(cases):
        support = np.zeros(classes, np.int64)
        for m in range(models):
            support[votes[m, n]] += 1
        out[n] = np.argmax(support)
    return out


@kernel
def weighted_majority(
    votes: Votes, labels: Labels, beta: float, classes: int, weights: npt.NDArray[np.float64]
) -> Votes:
    """Case by case: the answer with the most weight; where it was wrong, every wrong voter loses the share beta.

    `weights` (one a model, changed in place) are scaled so that the largest stays 1: only their ratios count.
    """
    models, cases = votes.shape
    out = np.empty(cases, np.int8)
    for n in range(cases):
        support = np.zeros(classes)
        for m in range(models):
            support[votes[m, n]] += weights[m]
        out[n] = np.argmax(support)
        if out[n] != labels[n]:
            for m in range(models):
                if votes[m, n] != labels[n]:
                    weights[m] *= 1.0 - beta
            weights /= weights.max()
    return out
