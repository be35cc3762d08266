"""Adam (Kingma and Ba 2015) instead of plain steps down the slope, for any model that learns by gradients.

Each parameter has two running means, of its slope and of the slope's square; they live in the node's `memory`: private,
never sent, never merged. A row's moments are about this node's own steps, so only rows it has data about have them.
"""

from __future__ import annotations

import numpy as np

from tacit.core.compiling import kernel
from tacit.core.state import Floats

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
