"""Score all items: one node's scores of every item by its own model."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.node_state import Floats
from tacit.models.base import Model


def score_all(model: Model, rows: Floats, dense: Floats, private: Floats) -> npt.NDArray[np.float64]:
    """One person's score of each of these rows."""
    out = np.zeros(len(rows))
    _make_loop(model.kernels.score)(rows, dense, private, model.hyper(), out)
    return out


@cache
def _make_loop(score: Callable[..., float]) -> Callable[..., None]:
    @kernel
    def loop(rows: Floats, dense: Floats, private: Floats, hyper: Any, out: npt.NDArray[np.float64]) -> None:
        for i in range(len(out)):
            out[i] = score(rows, dense, private, i, hyper)

    return loop
