"""Training: passes over a node's own data by a model's learning rule, and starting a model from data."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Ints, Positions, Values
from tacit.core.message.half_rows import put_rows, take_rows
from tacit.core.node_state import Ages, Floats, NodeArrays, Ratings
from tacit.models.base import Model, memory_sizes

Doubles = npt.NDArray[np.float64]
Draws = tuple[int, int, int]
"""Seed, node, event."""
Average = Literal["raters", "clients"]
"""What the mean of a federated row's differences is over: the clients that changed the row, or all that answered."""


class Difference(NamedTuple):
    """What a federated client returns: how its own rows and the dense part changed, and which rows did."""

    rows: Floats
    dense: Floats
    touched: npt.NDArray[np.bool_]


class Training(NamedTuple):
    """The two ways to learn with one model."""

    train: Callable[..., None]
    difference: Callable[..., None]


def training(model: Model) -> Training:
    """The kernels that learn as this model does."""
    return _training(model.kernels.learn, any(memory_sizes(model)))


@cache
def on_halves(training: Training) -> Training:
    """As `training` learns, on rows of half precision. For models that touch no rows but those with own data."""
    on_singles = training.train

    @kernel
    def train(node: NodeArrays, own: Ratings, epochs: int, draws: Draws, hyper: Any) -> None:
        """`epochs` passes over copies of one's own rows in single precision, which are rounded once at the end."""
        mine, ages = take_rows(node.rows, own.items), node.ages[own.items]
        copy = NodeArrays(mine, ages, node.dense, node.private, node.memory)
        on_singles(copy, Ratings(np.arange(len(ages)).astype(np.int32), own.values), epochs, draws, hyper)
        put_rows(mine, node.rows, own.items)
        node.ages[own.items] = ages

    return Training(train, training.difference)


@cache
def _training(learn: Callable[..., None], remembers: bool) -> Training:
    if remembers:

        @kernel
        def step(node: NodeArrays, own: Ratings, draws: Draws, hyper: Any) -> None:
            """One pass by an optimizer that remembers."""
            learn(node, own, draws, hyper)

    else:

        @kernel
        def step(node: NodeArrays, own: Ratings, draws: Draws, hyper: Any) -> None:
            """One pass by plain steps: without a memory the compiler leaves the optimizer out."""
            learn(NodeArrays(node.rows, node.ages, node.dense, node.private, None), own, draws, hyper)

    @kernel
    def train(node: NodeArrays, own: Ratings, epochs: int, draws: Draws, hyper: Any) -> None:
        """`epochs` passes over the local data."""
        seed, number, event = draws
        for epoch in range(epochs):
            step(node, own, (seed, number, event * epochs + epoch), hyper)

    @kernel
    def difference(
        server: NodeArrays,
        own: Ratings,
        epochs: int,
        draws: Draws,
        hyper: Any,
        looks_up: bool,
        out: Difference,
    ) -> None:
        """What a client returns for the server's rows and dense part. Its private part and memory change."""
        rows, dense, items = server.rows, server.dense, own.items
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
        client = NodeArrays(mine, ages, whole, server.private, server.memory)
        train(client, Ratings(place, own.values), epochs, draws, hyper)
        for n in range(len(items)):
            out.touched[n] = width > 0 and ages[place[n]] > 0
            for f in range(width):
                out.rows[n, f] = mine[place[n], f] - rows[items[n], f]
        for f in range(len(dense)):
            out.dense[f] = whole[f] - dense[f]

    return Training(train, difference)


@cache
def make_tell_starts(init_data: Callable[..., None]) -> Callable[..., None]:
    """The kernel that starts a person's part from their data, as a model's `init_data` does."""

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

    return tell_starts


@kernel
def start_biases(rows: Floats, ages: Ages, sums: Doubles, counts: Ints) -> None:
    """Rows that somebody has data about start at the mean of the proposed biases, as old as there are proposals."""
    last = rows.shape[1] - 1
    for i in range(len(rows)):
        if counts[i] > 0:
            rows[i, last] = sums[i] / counts[i]
            ages[i] = counts[i]
