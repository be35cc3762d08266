"""Each node's own model on its test ratings, and on many items, node by node."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints, Positions
from tacit.core.message.half_rows import singles
from tacit.core.node_state import Floats
from tacit.core.scorer import Scores
from tacit.simulator.fleet import Fleet, Local


class ScoringKernels(NamedTuple):
    """The kernels for one model."""

    errors: Callable[..., None]
    block: Callable[..., None]
    some: Callable[..., None]


@kernel
def _as_they_are(rows: Floats) -> Floats:
    return rows


@cache
def scoring_kernels(
    score: Callable[..., float], unseen: Callable[..., float], halves: bool = False
) -> ScoringKernels:
    """With a model's `score` and `unseen`; `halves`: rows are kept in half precision.

    `lazy`: rows exist only once they were updated or received; without the row a node predicts what its model says of
    an unseen item.
    """
    readable = singles if halves else _as_they_are

    @kernel
    def errors(
        low: int,
        high: int,
        fleet: Fleet,
        test: Local,
        lazy: bool,
        middle: float,
        hyper: Any,
        out: npt.NDArray[np.float64],
    ) -> None:
        """Prediction minus rating for every test entry; without any model a node predicts the middle of the scale."""
        slots, private = fleet.slots, fleet.private
        for u in range(low, high):
            s = fleet.slot[u]
            rows = readable(slots.rows[s])
            for n in range(test.start[u], test.start[u + 1]):
                i = test.item[n]
                if not lazy or slots.ages[s, i] > 0:
                    prediction = float(score(rows, slots.dense[s], private[u], i, hyper))
                elif slots.clock[s] > 0:
                    prediction = float(unseen(private[u], hyper))
                else:
                    prediction = middle
                out[n] = prediction - test.value[n]

    @kernel
    def block(low: int, high: int, first: int, fleet: Fleet, lazy: bool, hyper: Any, out: Scores) -> None:
        """Every item for the users first + low .. first + high."""
        slots = fleet.slots
        for n in range(low, high):
            s = fleet.slot[first + n]
            # Views are made once per user: each one counts a reference, which costs more than a score.
            rows, person = readable(slots.rows[s]), fleet.private[first + n]
            ages, dense = slots.ages[s], slots.dense[s]
            for i in range(out.shape[1]):
                out[n, i] = score(rows, dense, person, i, hyper)
            if lazy:
                for i in range(out.shape[1]):
                    if ages[i] == 0:
                        out[n, i] = unseen(person, hyper)

    @kernel
    def some(
        low: int, high: int, start: Ints, item: Positions, fleet: Fleet, lazy: bool, hyper: Any, out: Scores
    ) -> None:
        """The items item[start[u]:start[u+1]] for the users low .. high."""
        slots = fleet.slots
        for u in range(low, high):
            s = fleet.slot[u]
            rows, person = readable(slots.rows[s]), fleet.private[u]
            ages, dense = slots.ages[s], slots.dense[s]
            for n in range(start[u], start[u + 1]):
                if lazy and ages[item[n]] == 0:
                    out[n] = unseen(person, hyper)
                else:
                    out[n] = score(rows, dense, person, item[n], hyper)

    return ScoringKernels(errors, block, some)
