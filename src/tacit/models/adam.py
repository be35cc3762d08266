"""Adam (Kingma and Ba 2015), the optimizer for every model that learns by gradient steps.

Each parameter has two running means, of its slope and of the slope's square; they live in the node's `memory`: private,
never sent, never merged. A row's moments are about this node's own steps: rows it has data about have them, and, where
negatives are drawn, every row may.

A kernel written with `moments`, `begin` and `climb` serves both ways to step. With None for a memory the compiler
leaves Adam out, so plain steps cost what they would without it.
"""

from __future__ import annotations

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.node_state import Floats

BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8
PER_PARAMETER = 2
"""Numbers of memory a parameter needs."""


@kernel
def step(slope: float, memory: Floats, at: int, turn: float, eta: np.float32) -> float:
    """How far to go down: m = b1 m + (1-b1) g, v = b2 v + (1-b2) g^2, eta (m/(1-b1^t)) / (sqrt(v/(1-b2^t)) + e)."""
    memory[at] = BETA_1 * memory[at] + (1.0 - BETA_1) * slope
    memory[at + 1] = BETA_2 * memory[at + 1] + (1.0 - BETA_2) * slope * slope
    mean = memory[at] / (1.0 - BETA_1**turn)
    square = memory[at + 1] / (1.0 - BETA_2**turn)
    return float(eta * mean / (np.sqrt(square) + EPSILON))


@kernel
def moments(memory: Floats | None, n: int, size: int) -> Floats | None:
    """The n-th block of a memory: how often its vector stepped, then two moments per number. None: steps are plain."""
    if memory is None:
        return None
    return memory[n * size : (n + 1) * size]


@kernel
def begin(block: Floats | None) -> None:
    """Count a step of the block's vector."""
    if block is not None:
        block[0] += 1


@kernel
def climb(
    values: Floats, f: int, slope: float | np.float32, eta: np.float32, block: Floats | None, at: int
) -> None:
    """Move values[f] up its slope: by eta times the slope, or by Adam, where it is the block's number `at`."""
    if block is None:
        values[f] += eta * slope
    else:
        values[f] -= step(float(-slope), block, 1 + PER_PARAMETER * at, block[0], eta)
