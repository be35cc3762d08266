"""Rows of half precision in compiled code: all arithmetic is in single precision, on copies of the rows it is about."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Positions
from tacit.core.message.half_precision import Singles, Words, narrow, widen


@kernel
def singles(rows: Words) -> Singles:
    """A copy of all rows."""
    out = np.empty(rows.shape, np.float32)
    widen(rows.reshape(-1), out.reshape(-1))
    return out


@kernel
def take_rows(rows: npt.NDArray[Any], index: Positions) -> Singles:
    """A copy of the rows `index`."""
    count, width = len(index), rows.shape[1]
    words = np.empty((count, width), np.uint16)
    for n in range(count):
        for f in range(width):
            words[n, f] = rows[index[n], f]
    return singles(words)


@kernel
def put_rows(values: Singles, rows: npt.NDArray[Any], index: Positions) -> None:
    """Round `values` into the rows `index`."""
    count, width = values.shape
    words = np.empty((count, width), np.uint16)
    narrow(values.reshape(-1), words.reshape(-1))
    for n in range(count):
        for f in range(width):
            rows[index[n], f] = words[n, f]
