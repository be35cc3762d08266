"""A person's own part, exactly, for the rows as they are now.

While a node gossips, the private part takes small steps. For recommendations it is solved instead, from all of the
person's ratings, those that take no part in sharing included. A score is a sum of the person's numbers times numbers of
the row (s = f0 + F p; found by asking the model's own `score`), so this is a small convex problem:

    models of ratings    min |y - f0 - F p|^2 + n lambda |p|^2          linear equations; biases are not held back
    models of rankings   min sum ln(1 + exp(-(s_i - s_j))) + n reg/2 |p|^2   over pairs liked i, not met j; by Newton
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.rng import Stream, uniforms
from tacit.core.state import Floats, NodeState
from tacit.hosts.live.choices import ranks
from tacit.hosts.live.judging import scores
from tacit.models.base import Model

Doubles = npt.NDArray[np.float64]
Places = npt.NDArray[np.integer]
_PAIRS = 4_000
_STEPS = 30


def solve(
    model: Model, state: NodeState, rated: Places, values: npt.NDArray[np.floating], other: Places, seed: int
) -> Floats:
    """The private part for someone who said `values` about the rows `rated`; `other`: rows they have not met."""
    if len(rated) == 0 or (ranks(model) and len(other) == 0):
        return state.private
    if not ranks(model):
        offset, factors = affine(model, state, rated)
        solved = ridge(factors, np.asarray(values, np.float64) - offset, float(getattr(model, "lam", 0.05)))
    else:
        each = int(np.clip(_PAIRS // len(rated), 1, 20))
        draw = (uniforms(seed, Stream.LIVE_NEGATIVES, 0, len(rated), each) * len(other)).astype(np.int64)
        chosen, place = np.unique(other[draw], return_inverse=True)
        offset_i, factors_i = affine(model, state, rated)
        offset_j, factors_j = affine(model, state, chosen)
        first, second = np.repeat(np.arange(len(rated)), each), place.reshape(-1)
        regularization = float(getattr(model.hyper(), "reg_u", 0.0025))
        solved = logistic(
            factors_i[first] - factors_j[second], offset_i[first] - offset_j[second], regularization
        )
    return solved.astype(state.private.dtype)


def affine(model: Model, state: NodeState, places: Places) -> tuple[Doubles, Doubles]:
    """f0 and F of some rows: the score without a person, and what each of the person's numbers adds."""
    rows = np.ascontiguousarray(state.rows[places])
    size = len(state.private)
    offset = scores(model, rows, state.dense, np.zeros(size, state.private.dtype))
    factors = np.empty((len(rows), size))
    for f in range(size):
        unit = np.zeros(size, state.private.dtype)
        unit[f] = 1
        factors[:, f] = scores(model, rows, state.dense, unit) - offset
    return offset, factors


def ridge(factors: Doubles, wanted: Doubles, lam: float) -> Doubles:
    """min |wanted - F p|^2 + n lam |p|^2, where a column of ones (a bias) is next to free."""
    n = len(factors)
    free = np.all(factors == 1, axis=0)
    weight = n * np.where(free, 1e-3 * lam, lam) + 1e-9
    return np.asarray(np.linalg.solve(factors.T @ factors + np.diag(weight), factors.T @ wanted), np.float64)


def logistic(factors: Doubles, offset: Doubles, regularization: float) -> Doubles:
    """min sum ln(1 + exp(-(F p + offset))) + n regularization / 2 |p|^2, by Newton's method with halved steps."""
    n, size = factors.shape
    weight = n * regularization + 1e-9

    def loss(p: Doubles) -> float:
        return float(np.logaddexp(0, -(factors @ p + offset)).sum() + weight / 2 * (p @ p))

    p = np.zeros(size)
    now = loss(p)
    for _ in range(_STEPS):
        g = 1 / (1 + np.exp(np.clip(factors @ p + offset, -500, 500)))
        gradient = weight * p - factors.T @ g
        curvature = (factors * (g * (1 - g))[:, None]).T @ factors + weight * np.eye(size)
        step = np.linalg.solve(curvature, gradient)
        scale = 1.0
        while (then := loss(p - scale * step)) > now and scale > 1e-6:
            scale /= 2
        p = p - scale * step
        if now - then <= 1e-10 * n:
            break
        now = then
    return p
