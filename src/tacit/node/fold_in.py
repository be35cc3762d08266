"""Fold-in: a person's private vector, solved exactly for the item rows as they are now.

While a node gossips, the private part takes small steps. For recommendations it is solved instead, from all of the
person's ratings, also from those that are not shared. A score is linear in the person's vector: s = f0 + F p. The
model's own `score` gives f0 and F. So this is a small convex problem:

    models of ratings    min |y - f0 - F p|^2 + n lambda |p|^2          linear equations; biases are not held back
    models of rankings   min sum ln(1 + exp(-(s_i - s_j))) + n reg/2 |p|^2   over pairs liked i, not met j; by Newton
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.node_state import Floats, NodeState
from tacit.core.rng import Stream, uniforms
from tacit.models.base import Model
from tacit.models.score_all import score_all
from tacit.node.exchange.disclosure import ranks

Doubles = npt.NDArray[np.float64]
Rows = npt.NDArray[np.integer]
_PAIRS = 1_000
_OTHERS = 300
"""Rows without a rating that liked ones are compared with, chosen at random."""
_STEPS = 30


def solve(
    model: Model, state: NodeState, rated: Rows, values: npt.NDArray[np.floating], other: Rows, seed: int
) -> Floats:
    """The private part of a person who rated the rows `rated` with `values`; `other`: rows without a rating."""
    if len(rated) == 0 or (ranks(model) and len(other) == 0):
        return state.private
    if hasattr(model, "exchanged"):
        return least_squares(model, state, rated)
    if not ranks(model):
        offset, factors = affine(model, state, rated)
        solved = ridge(factors, np.asarray(values, np.float64) - offset, float(getattr(model, "lam", 0.05)))
    else:
        chosen = other[_draws(seed, 0, 1, _OTHERS, len(other))[0]]
        each = int(np.clip(_PAIRS // len(rated), 1, 20))
        first = np.repeat(np.arange(len(rated)), each)
        second = _draws(seed, 1, len(rated), each, len(chosen)).reshape(-1)
        offset_i, factors_i = affine(model, state, rated)
        offset_j, factors_j = affine(model, state, chosen)
        regularization = float(getattr(model.hyper(), "reg_u", 0.0025))
        start = np.asarray(state.private, np.float64)
        solved = logistic(
            factors_i[first] - factors_j[second], offset_i[first] - offset_j[second], regularization, start
        )
    return solved.astype(state.private.dtype)


def least_squares(model: Model, state: NodeState, rated: Rows) -> Floats:
    """What every node of the network solves, for somebody who has `rated`; see `core.math.als_solver`."""
    from tacit.models.ials import solve_own

    known = np.full(4, -1.0)
    known[0] = state.dense[0]
    private = np.zeros(model.private_size, np.float32)
    had = np.sort(rated).astype(np.int32)
    solve_own(state.rows, had, np.ones(len(had), np.float32), known, private, model.hyper())
    return private


def _draws(seed: int, event: int, rows: int, each: int, bound: int) -> npt.NDArray[np.int64]:
    """rows x each random numbers below `bound`."""
    return (uniforms(seed, Stream.LIVE_NEGATIVES, event, rows, each) * bound).astype(np.int64)


def affine(model: Model, state: NodeState, positions: Rows) -> tuple[Doubles, Doubles]:
    """f0 and F of some rows: the score without a person, and what each of the person's numbers adds."""
    rows = np.ascontiguousarray(state.rows[positions])
    size = len(state.private)
    offset = score_all(model, rows, state.dense, np.zeros(size, state.private.dtype))
    factors = np.empty((len(rows), size))
    for f in range(size):
        unit = np.zeros(size, state.private.dtype)
        unit[f] = 1
        factors[:, f] = score_all(model, rows, state.dense, unit) - offset
    return offset, factors


def ridge(factors: Doubles, wanted: Doubles, lam: float) -> Doubles:
    """min |wanted - F p|^2 + n lam |p|^2, where a column of ones (a bias) is next to free."""
    n = len(factors)
    free = np.all(factors == 1, axis=0)
    weight = n * np.where(free, 1e-3 * lam, lam) + 1e-9
    return np.asarray(np.linalg.solve(factors.T @ factors + np.diag(weight), factors.T @ wanted), np.float64)


def logistic(
    factors: Doubles, offset: Doubles, regularization: float, start: Doubles | None = None
) -> Doubles:
    """min sum ln(1 + exp(-(F p + offset))) + n regularization / 2 |p|^2, by Newton's method with halved steps."""
    n, size = factors.shape
    weight = n * regularization + 1e-9
    p = np.zeros(size) if start is None else start
    now, gradient, curvature = derivatives(factors, offset, weight, p)
    for _ in range(_STEPS):
        step = np.linalg.solve(curvature, gradient)
        scale = 1.0
        there = derivatives(factors, offset, weight, p - step)
        while there[0] > now and scale > 1e-6:
            scale /= 2
            there = derivatives(factors, offset, weight, p - scale * step)
        p = p - scale * step
        gained, (now, gradient, curvature) = now - there[0], there
        if gained <= 1e-8 * n:
            break
    return p


@kernel
def derivatives(
    factors: Doubles, offset: Doubles, weight: float, p: Doubles
) -> tuple[float, Doubles, Doubles]:
    """The loss above, its gradient and its curvature. In one thread: a busy machine makes threads slow."""
    n, size = factors.shape
    loss = 0.0
    gradient = np.empty(size)
    curvature = np.zeros((size, size))
    for f in range(size):
        loss += weight / 2 * p[f] * p[f]
        gradient[f] = weight * p[f]
        curvature[f, f] = weight
    for i in range(n):
        s = offset[i]
        for f in range(size):
            s += factors[i, f] * p[f]
        # ln(1 + exp(-s)) and 1 / (1 + exp(s)), without overflow for any s
        small = np.exp(-abs(s))
        loss += np.log1p(small) + max(-s, 0.0)
        g = small / (1 + small) if s > 0 else 1 / (1 + small)
        h = g * (1 - g)
        for f in range(size):
            gradient[f] -= g * factors[i, f]
            for e in range(f + 1):
                curvature[f, e] += h * factors[i, f] * factors[i, e]
    for f in range(size):
        for e in range(f):
            curvature[e, f] = curvature[f, e]
    return loss, gradient, curvature
