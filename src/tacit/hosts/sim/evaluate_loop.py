"""Each node's own model on its own test ratings, node by node. A template: `score` and `unseen`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.compiling import kernel
from tacit.core.state import Floats
from tacit.hosts.sim.fleet import Local, Slots
from tacit.models.mf import score, unseen


@kernel
def errors(
    low: int,
    high: int,
    slots: Slots,
    slot: npt.NDArray[np.int32],
    private: Floats,
    test: Local,
    lazy: bool,
    middle: float,
    hyper: Any,
    out: npt.NDArray[np.float64],
) -> None:
    """Prediction minus rating for every test entry.

    `lazy`: rows exist only once they were updated or received; without the row a node predicts what its model says of
    an unseen item, without any model the middle of the scale.
    """
    for u in range(low, high):
        s = slot[u]
        for n in range(test.start[u], test.start[u + 1]):
            i = test.item[n]
            if not lazy or slots.ages[s, i] > 0:
                prediction = float(score(slots.rows[s], slots.dense[s], private[u], i, hyper))
            elif slots.clock[s] > 0:
                prediction = float(unseen(private[u], hyper))
            else:
                prediction = middle
            out[n] = prediction - test.value[n]


@kernel
def score_all(rows: Floats, dense: Floats, private: Floats, hyper: Any, out: npt.NDArray[np.float64]) -> None:
    """One node's score of every item."""
    for i in range(len(out)):
        out[i] = score(rows, dense, private, i, hyper)
