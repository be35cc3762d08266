"""Row merging: a merge's weight applied to all rows, to the rows that were sent, or to the dense part."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.vectors import LANES, WIDEST, make_blend, vectors_work
from tacit.core.interactions import Positions
from tacit.core.message.half_precision import Words, narrow
from tacit.core.message.half_rows import put_rows, singles, take_rows
from tacit.core.node_state import Ages, Floats

_BLOCK = 128
"""Rows that are merged at a time: their weights and ages stay in the innermost cache."""


class RowMerging(NamedTuple):
    """The three kernels of one merge."""

    merge_all: Callable[..., None]
    merge_some: Callable[..., None]
    merge_dense: Callable[..., int]


def row_merging(weight: Callable[..., np.float32], width: int = 0, halves: bool = False) -> RowMerging:
    """The kernels that merge by `weight`. They are faster where rows are narrow and `width` is given.

    `halves`: rows are of half precision (uint16). All arithmetic is in single precision.
    """
    told = width if width <= WIDEST and vectors_work() else 0
    return _row_merging(weight, told) if not halves else _halves(weight, told)


@cache
def _halves(weight: Callable[..., np.float32], width: int) -> RowMerging:
    """The same on rows of half precision."""
    all_singles, some, merge_dense = _row_merging(weight, width)

    @kernel
    def merge_all(
        rows: Words,
        ages: Ages,
        their_rows: Words,
        their_ages: Ages,
        out_rows: Words,
        out_ages: Ages,
        shape: float,
    ) -> None:
        """Combine every row, on copies."""
        mine = singles(rows)
        all_singles(mine, ages, singles(their_rows), their_ages, mine, out_ages, shape)
        narrow(mine.reshape(-1), out_rows.reshape(-1))

    @kernel
    def merge_some(
        rows: Words, ages: Ages, index: Positions, their_rows: Words, their_ages: Ages, shape: float
    ) -> None:
        """Combine the rows that travelled, on copies."""
        count = len(index)
        mine, old = take_rows(rows, index), ages[index]
        some(mine, old, np.arange(count).astype(np.int32), singles(their_rows[:count]), their_ages, shape)
        put_rows(mine, rows, index)
        ages[index] = old

    direct = _merge_narrow(weight, width, merge_all) if width and vectors_work(True) else merge_all
    return RowMerging(direct, merge_some, merge_dense)


@cache
def _row_merging(weight: Callable[..., np.float32], width: int) -> RowMerging:
    merge_all = _merge_any(weight)
    if width:
        merge_all = _merge_narrow(weight, width, merge_all)

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


def _merge_narrow(
    weight: Callable[..., np.float32], width: int, rest: Callable[..., None]
) -> Callable[..., None]:
    """As `rest`, which does the last rows, with the same bits: by blocks, weights first, then 16 rows at a time."""
    large, small = _merge_block(weight, width, _BLOCK), _merge_block(weight, width, LANES)

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
        weights = np.empty(_BLOCK, np.float32)
        new_ages = np.empty(_BLOCK, ages.dtype)
        done = items - items % _BLOCK
        for i in range(0, done, _BLOCK):
            large(i, rows, ages, their_rows, their_ages, out_rows, out_ages, shape, weights, new_ages)
        for i in range(done, items - LANES + 1, LANES):
            small(i, rows, ages, their_rows, their_ages, out_rows, out_ages, shape, weights, new_ages)
        last = items - items % LANES
        rest(
            rows[last:], ages[last:], their_rows[last:], their_ages[last:], out_rows[last:], out_ages[last:], shape
        )  # fmt: skip

    return merge_all


def _merge_block(weight: Callable[..., np.float32], width: int, size: int) -> Callable[..., None]:
    """The kernel that combines the rows i .. i + size; that many are known when it is compiled."""
    blend = make_blend(width)

    @kernel
    def merge_block(
        i: int,
        rows: Floats,
        ages: Ages,
        their_rows: Floats,
        their_ages: Ages,
        out_rows: Floats,
        out_ages: Ages,
        shape: float,
        weights: Floats,
        new_ages: Ages,
    ) -> None:
        """`weights` and `new_ages` are room: where arrays may overlap, the compiler does not vectorize."""
        mine, others, out = ages[i : i + size], their_ages[i : i + size], out_ages[i : i + size]
        for n in range(size):
            w = weight(np.int32(mine[n]), np.int32(others[n]), shape)
            weights[n] = w
            new_ages[n] = others[n] if np.float32(1) - w == 0 else max(mine[n], others[n])
        for n in range(size):
            out[n] = new_ages[n]
        own, received, made = rows[i : i + size], their_rows[i : i + size], out_rows[i : i + size]
        for n in range(0, size, LANES):
            blend(weights, n, own, received, made)

    return merge_block
