"""Kernels that several models share: normal item factors, an empty person's part, and no opinion on unseen items."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.node_state import Floats
from tacit.core.rng import Stream, normal

_ROWS = Stream.INIT_ROWS


@kernel
def normal_rows(seed: int, node: int, rows: Floats, dense: Floats, hyper: Any) -> None:
    """`init_rows`: factors normal around 0."""
    for i in range(rows.shape[0]):
        for f in range(rows.shape[1]):
            rows[i, f] = normal(seed, _ROWS, node, i, f) * hyper.spread


@kernel
def zero_private(seed: int, node: int, private: Floats, hyper: Any) -> None:
    """`init_private` of a model that solves for the person's part before it is used."""
    private[:] = 0


@kernel
def unseen_zero(private: Floats, hyper: Any) -> float:
    """`unseen` of a model that ranks: nothing is known about the item, so its score is 0."""
    return np.float32(0.0)  # type: ignore[return-value]
