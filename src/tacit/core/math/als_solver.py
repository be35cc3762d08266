"""The solver of implicit alternating least squares (iALS): its loss, the exact solve of one side, its default weights.

Loss (Hu, Koren, Volinsky 2008, in the form of Rendle et al. 2022): a user wants 1 from every item they have, with
weight 1, and 0 from every item there is, with the small weight w0. Regularization grows with the square root of how
much a row is asked for:

    sum over (u, j) observed of (1 - p_u.q_j)^2 + w0 sum over all (u, j) of (p_u.q_j)^2
        + reg sum_u sqrt(|I_u| + w0 M) |p_u|^2 + reg sum_j sqrt(n_j + w0 N) |q_j|^2

With one side held, every row of the other is a ridge regression of k unknowns, solved exactly (`solve`). `alternate`
solves both sides in turn.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Interactions, Ints, Positions
from tacit.core.node_state import Floats

Doubles = npt.NDArray[np.float64]

FIRST_GUESS = 50.0
"""How many items people have on average, where nothing is known yet."""


@kernel
def by_rule(mean_items: float, items: int) -> tuple[float, float]:
    """w0 and reg from how many items people have on average; docs/results/tacit-best.md has the measurements.

    People who have more are surer about the rest (w0), and need less regularization (reg). In a small catalogue all
    that a person does not have counts together as much as what they have.
    """
    count = min(max(mean_items, 5.0), 900.0)
    return min(count / min(900.0, float(items)), 1.0), 0.3 + 3.0 / count


@kernel
def gram(rows: Floats) -> Doubles:
    """The sum of q q' over all rows, in double precision and in one order."""
    k = rows.shape[1]
    out = np.zeros((k, k))
    for i in range(rows.shape[0]):
        for f in range(k):
            q = np.float64(rows[i, f])
            if q != 0:
                for g in range(f + 1):
                    out[f, g] += q * np.float64(rows[i, g])
    for f in range(k):
        for g in range(f):
            out[g, f] = out[f, g]
    return out


@kernel
def cholesky_solve(left: Doubles, right: Doubles) -> None:
    """Solve left x = right for a symmetric positive definite `left`; both are used up, `right` becomes x."""
    k = len(right)
    for f in range(k):
        for g in range(f):
            total = left[f, g]
            for h in range(g):
                total -= left[f, h] * left[g, h]
            left[f, g] = total / left[g, g]
        total = left[f, f]
        for h in range(f):
            total -= left[f, h] * left[f, h]
        left[f, f] = np.sqrt(total)
    for f in range(k):
        for g in range(f):
            right[f] -= left[f, g] * right[g]
        right[f] /= left[f, f]
    for f in range(k - 1, -1, -1):
        for g in range(f + 1, k):
            right[f] -= left[g, f] * right[g]
        right[f] /= left[f, f]


@kernel
def solve(rows: Floats, whole: Doubles, own: Positions, w0: float, reg: float, out: Floats) -> None:
    """The row of somebody who has the items `own`. `whole` is `gram(rows)`, the same for everybody.

    out = (w0 Q'Q + Q_I'Q_I + reg sqrt(|I| + w0 M) Id)^-1 sum of q_j over I
    """
    k = rows.shape[1]
    left = w0 * whole
    right = np.zeros(k)
    ridge = reg * np.sqrt(len(own) + w0 * rows.shape[0])
    for f in range(k):
        left[f, f] += ridge
    for n in range(len(own)):
        i = own[n]
        for f in range(k):
            q = np.float64(rows[i, f])
            right[f] += q
            for g in range(f + 1):
                left[f, g] += q * np.float64(rows[i, g])
    cholesky_solve(left, right)
    for f in range(k):
        out[f] = right[f]


@kernel
def solve_side(
    low: int,
    high: int,
    start: Ints,
    index: Positions,
    rows: Floats,
    whole: Doubles,
    w0: float,
    reg: float,
    out: Floats,
) -> None:
    """`solve` for everybody from low to high, who have index[start[u]:start[u+1]]."""
    for u in range(low, high):
        solve(rows, whole, index[start[u] : start[u + 1]], w0, reg, out[u])


def alternate(
    table: Interactions, rows: Doubles, w0: float, reg: float, sweeps: int, workers: Workers
) -> Doubles:
    """Solve for users, then for items, `sweeps` times, and at the end for users once more.

    `rows` holds the items' factors at the start and is changed in place; the users' factors are returned.
    """
    back, entries = table.by_item()
    raters = table.user[entries]
    people = np.zeros((table.users, rows.shape[1]))
    for _ in range(sweeps):
        workers.run(solve_side, table.users, table.start, table.item, rows, gram(rows), w0, reg, people)
        workers.run(solve_side, table.items, back, raters, people, gram(people), w0, reg, rows)
    workers.run(solve_side, table.users, table.start, table.item, rows, gram(rows), w0, reg, people)
    return people
