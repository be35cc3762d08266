"""Row merging: a merge's weight applied to all rows, to the rows that were sent, or to the dense part."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.vectors import LANES, WIDEST, make_blend, vectors_work
from tacit.core.interactions import Positions
from tacit.core.node_state import Ages, Floats


class RowMerging(NamedTuple):
    """The three kernels of one merge."""

    merge_all: Callable[..., None]
    merge_some: Callable[..., None]
    merge_dense: Callable[..., int]


def row_merging(weight: Callable[..., np.float32], width: int = 0) -> RowMerging:
    """The kernels that merge by `weight`; faster where rows are narrow and their `width` is told."""
    return _row_merging(weight, width if width <= WIDEST and vectors_work() else 0)


@cache
def _row_merging(weight: Callable[..., np.float32], width: int) -> RowMerging:
    merge_all = _merge_narrow(weight, width) if width else _merge_any(weight)

    @kernel
    def merge_some(
        rows: Floats, ages: Ages, index: Positions, their_rows: Floats, their_ages: Ages, shape: float
    ) -> None:
        """Combine the rows that travelled, in place."""
        columns = width if width else rows.shape[1]
        for n in range(len(index)):
            i = index[n]
            age = ages[i]
            w = weight(age, their_ages[n], shape)
            stay = np.float32(1) - w
            ages[i] = their_ages[n] if stay == 0 else max(age, their_ages[n])
            for f in range(columns):
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

    return RowMerging(merge_all, merge_some, merge_dense)


def _merge_any(weight: Callable[..., np.float32]) -> Callable[..., None]:
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

    return merge_all


def _merge_narrow(weight: Callable[..., np.float32], width: int) -> Callable[..., None]:
    """As `_merge_any`, with the same bits: weights first, then 16 rows at a time."""
    blend = make_blend(width)

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
        """Combine every row. `out` may be the node's own arrays or the received ones."""
        items = len(ages)
        weights = np.empty(items, np.float32)
        # Ages go through a buffer of their own: where arrays may overlap, the compiler does not vectorize.
        new_ages = np.empty(items, np.int32)
        for i in range(items):
            w = weight(ages[i], their_ages[i], shape)
            weights[i] = w
            new_ages[i] = their_ages[i] if np.float32(1) - w == 0 else max(ages[i], their_ages[i])
        out_ages[:] = new_ages
        whole = items - items % LANES
        for i in range(0, whole, LANES):
            blend(weights, i, rows, their_rows, out_rows)
        for i in range(whole, items):
            w = weights[i]
            stay = np.float32(1) - w
            for f in range(width):
                out_rows[i, f] = stay * rows[i, f] + w * their_rows[i, f]

    return merge_all
