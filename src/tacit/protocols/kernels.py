"""What a node does when a model arrives: merge it with its own, then learn from its own data.

A template (see `tacit.core.compiling.specialize`): `weight`, `learn` and `init_data` stand for whatever merge and model
were chosen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.compiling import kernel
from tacit.core.interactions import Ints, Positions, Values
from tacit.core.state import Ages, Floats
from tacit.merges.age_average import weight
from tacit.models.mf import Doubles, init_data, learn


@kernel
def merge_all(
    rows: Floats,
    ages: Ages,
    their_rows: Floats,
    their_ages: Ages,
    out_rows: Floats,
    out_ages: Ages,
    shape: float,
) -> None:
    """Combine every row. `out` may be the node's own arrays; own, received and result are each touched once."""
    items, width = rows.shape
    for i in range(items):
        age = ages[i]
        their_age = their_ages[i]
        w = weight(age, their_age, shape)
        stay = np.float32(1) - w
        out_ages[i] = their_age if stay == 0 else max(age, their_age)
        for f in range(width):
            out_rows[i, f] = stay * rows[i, f] + w * their_rows[i, f]


@kernel
def merge_some(
    rows: Floats, ages: Ages, index: Positions, their_rows: Floats, their_ages: Ages, shape: float
) -> None:
    """Combine the rows that travelled, in place."""
    for n in range(len(index)):
        i = index[n]
        age = ages[i]
        w = weight(age, their_ages[n], shape)
        stay = np.float32(1) - w
        ages[i] = their_ages[n] if stay == 0 else max(age, their_ages[n])
        for f in range(rows.shape[1]):
            rows[i, f] = stay * rows[i, f] + w * their_rows[n, f]


@kernel
def merge_dense(
    dense: Floats, clock: int, their_dense: Floats, their_clock: int, out: Floats, shape: float
) -> int:
    """Combine the dense part as one more row, whose age is the model's clock; return the new clock."""
    w = weight(clock, their_clock, shape)
    for f in range(len(dense)):
        out[f] = (np.float32(1) - w) * dense[f] + w * their_dense[f]
    return max(clock, their_clock)


@kernel
def train(
    rows: Floats,
    ages: Ages,
    dense: Floats,
    private: Floats,
    items: Positions,
    values: Values,
    epochs: int,
    draws: tuple[int, int, int],
    hyper: Any,
) -> None:
    """`epochs` passes over the local data."""
    seed, node, event = draws
    for epoch in range(epochs):
        learn(rows, ages, dense, private, items, values, (seed, node, event * epochs + epoch), hyper)


@kernel
def difference(
    rows: Floats,
    dense: Floats,
    private: Floats,
    items: Positions,
    values: Values,
    epochs: int,
    draws: tuple[int, int, int],
    hyper: Any,
    out_rows: Floats,
    out_dense: Floats,
    touched: npt.NDArray[np.bool_],
    looks_up: bool,
) -> None:
    """What a federated client returns for the server's model: how its own rows, and the dense part, changed."""
    width = rows.shape[1]
    whole = dense.copy()
    # The rule touches only rows the client has data about: only those are copied, unless it goes by their numbers.
    place = items if looks_up else np.arange(len(items)).astype(np.int32)
    count = len(rows) if looks_up else len(items)
    mine = np.empty((count, width), rows.dtype)
    ages = np.zeros(count, np.int32)
    if width > 0:
        for n in range(len(items)):
            for f in range(width):
                mine[place[n], f] = rows[items[n], f]
    train(mine, ages, whole, private, place, values, epochs, draws, hyper)
    for n in range(len(items)):
        touched[n] = width > 0 and ages[place[n]] > 0
        for f in range(width):
            out_rows[n, f] = mine[place[n], f] - rows[items[n], f]
    for f in range(len(dense)):
        out_dense[f] = whole[f] - dense[f]


@kernel
def tell_starts(
    private: Floats, items: Positions, values: Values, sums: Doubles, counts: Ints, hyper: Any
) -> None:
    """Start one person's part from their data, and add where they would start their items' biases."""
    start = np.zeros(len(items))
    init_data(private, items, values, start, hyper)
    for n in range(len(items)):
        sums[items[n]] += start[n]
        counts[items[n]] += 1


@kernel
def start_biases(rows: Floats, ages: Ages, sums: Doubles, counts: Ints) -> None:
    """Rows somebody has data about start at the mean of what was told, as old as many told it."""
    last = rows.shape[1] - 1
    for i in range(len(rows)):
        if counts[i] > 0:
            rows[i, last] = sums[i] / counts[i]
            ages[i] = counts[i]
