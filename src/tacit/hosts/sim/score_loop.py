"""Each node's own model on many items, node by node. A template: `score` and `unseen`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.compiling import kernel
from tacit.core.interactions import Ints, Positions
from tacit.core.scorer import Scores
from tacit.core.state import Floats
from tacit.hosts.sim.fleet import Slots
from tacit.models.mf import score, unseen


@kernel
def score_block(
    low: int,
    high: int,
    first: int,
    slots: Slots,
    slot: npt.NDArray[np.int32],
    private: Floats,
    lazy: bool,
    hyper: Any,
    out: Scores,
) -> None:
    """Every item for the users first + low .. first + high."""
    for n in range(low, high):
        s = slot[first + n]
        # Views are made once a user: each one counts a reference, which costs more than a score.
        rows, ages, dense, person = slots.rows[s], slots.ages[s], slots.dense[s], private[first + n]
        for i in range(out.shape[1]):
            out[n, i] = score(rows, dense, person, i, hyper)
        if lazy:
            for i in range(out.shape[1]):
                if ages[i] == 0:
                    out[n, i] = unseen(person, hyper)


@kernel
def score_some(
    low: int,
    high: int,
    start: Ints,
    item: Positions,
    slots: Slots,
    slot: npt.NDArray[np.int32],
    private: Floats,
    lazy: bool,
    hyper: Any,
    out: Scores,
) -> None:
    """The items item[start[u]:start[u+1]] for the users low .. high."""
    for u in range(low, high):
        s = slot[u]
        rows, ages, dense, person = slots.rows[s], slots.ages[s], slots.dense[s], private[u]
        for n in range(start[u], start[u + 1]):
            if lazy and ages[item[n]] == 0:
                out[n] = unseen(person, hyper)
            else:
                out[n] = score(rows, dense, person, item[n], hyper)
