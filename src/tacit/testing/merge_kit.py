"""Check a merge: a weight in [0, 1] for any two ages, rows that end between the two."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from tacit.core.rng import Stream, uniforms
from tacit.merges.base import Merge
from tacit.merges.row_merging import row_merging
from tacit.testing.expect import expect, expect_part, finite, kit, same_bits

_AGES = (0, 1, 2, 3, 7, 100, 2**15, 2**24 + 1, 2**30, 2**31 - 2, 2**31 - 1)
_ROWS, _WIDTH = 60, 3


@kit
def check_merge(merge: Merge) -> None:
    """Check a merge's weights, and what they do to rows in compiled code."""
    expect_part("merge", merge)
    expect(bool(merge.name) and merge.name == merge.name.strip().lower(), f"merge name: got {merge.name!r}")
    expect(np.isfinite(merge.shape), f"merge {merge.name}: shape is {merge.shape}")
    _check_weights(merge)
    _check_rows(merge)


def _check_weights(merge: Merge) -> None:
    found = {}
    for own, theirs in product(_AGES, _AGES):
        case = f"merge {merge.name}: weight({own}, {theirs})"
        try:
            w = found[own, theirs] = merge.weight(own, theirs, merge.shape)
        except ArithmeticError as error:
            raise AssertionError(f"{case} raises {error!r}") from error
        expect(0.0 <= w <= 1.0, f"{case} is {w}; allowed: 0 to 1")
        expect(w == merge.weight(own, theirs, merge.shape), f"{case} is not the same when asked again")
    # Rows are float32: a wider weight would widen all arithmetic on them.
    kernel: Any = merge.weight
    for signature in kernel.nopython_signatures:
        kind = str(signature.return_type)
        expect(
            kind == "float32",
            f"merge {merge.name}: weight is a {kind} for {signature.args}; allowed: float32",
        )
    if all(w == 1.0 for w in found.values()):
        return  # It replaces everything, rows that nobody updated included.
    for own in _AGES:
        w = found[own, 0]
        expect(w == 0.0, f"merge {merge.name}: a row of age 0 dilutes one of age {own} by {w}; allowed: 0")


def _check_rows(merge: Merge) -> None:
    loops = row_merging(merge.weight, _WIDTH)
    own, theirs = (uniforms(5, Stream.SYNTHETIC, n, _ROWS, _WIDTH).astype(np.float32) * 4 - 2 for n in (0, 1))
    ages, their_ages = (
        (uniforms(5, Stream.SYNTHETIC, n, _ROWS, 1)[:, 0] * 6).astype(np.int32) for n in (2, 3)
    )
    out, out_ages = np.empty_like(own), np.empty_like(ages)
    loops.merge_all(own, ages, theirs, their_ages, out, out_ages, merge.shape)
    expect(finite(out), f"merge {merge.name}: a merged row is not finite")
    low, high = np.minimum(own, theirs), np.maximum(own, theirs)
    between = (out >= low - 1e-6) & (out <= high + 1e-6)
    expect(between.all(), f"merge {merge.name}: a merged row lies outside its two rows")
    larger = np.maximum(ages, their_ages)
    fair = np.where(
        (out == theirs).all(axis=1), (out_ages == larger) | (out_ages == their_ages), out_ages == larger
    )
    expect(
        fair.all(),
        f"merge {merge.name}: a merged age is neither the larger one nor that of the row taken over",
    )

    place, place_ages = own.copy(), ages.copy()
    loops.merge_all(place, place_ages, theirs, their_ages, place, place_ages, merge.shape)
    expect(same_bits(place, out) and same_bits(place_ages, out_ages), f"merge {merge.name}: in place differs")

    some, some_ages = own.copy(), ages.copy()
    loops.merge_some(some, some_ages, np.arange(_ROWS, dtype=np.int32), theirs, their_ages, merge.shape)
    expect(
        same_bits(some, out) and same_bits(some_ages, out_ages),
        f"merge {merge.name}: all rows as some rows differ",
    )

    loops.merge_all(own, ages, own.copy(), ages.copy(), out, out_ages, merge.shape)
    expect(
        np.allclose(out, own, rtol=1e-6, atol=0),
        f"merge {merge.name}: merging with a copy of oneself moves rows",
    )
    expect(same_bits(out_ages, ages), f"merge {merge.name}: merging with a copy of oneself changes ages")

    row, one = own[0].copy(), own[:1].copy()
    clock = loops.merge_dense(row, 2, theirs[0], 5, row, merge.shape)
    age, five = np.array([2], np.int32), np.array([5], np.int32)
    loops.merge_all(one, age, theirs[:1], five, one, age, merge.shape)
    expect(
        clock == 5 and same_bits(row, one[0]), f"merge {merge.name}: the dense part is not merged like a row"
    )
