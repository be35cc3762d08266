"""Item rows of iALS out of the exchanged sums (B, n, A), or (B, n, D, A): what `tacit.models.ials` reads out.

With (B, n) alone, those who have an item count as if all of them had their mean vector. D_j is
the sum of p (p.q_j) over them. It is C_j q_j: what the missing matrix C_j, the sum of p p', does along the present
row. With

    d = D_j - B_j (B_j.q_j) / n_j

the term d d' / (d.q_j), never negative, corrects it there. Rows go only part of the way at each read-out; going all the
way they would oscillate. Where they no longer change they are those of exact ALS.
"""

from __future__ import annotations

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.math.als_solver import Doubles
from tacit.core.node_state import Floats

_MOST, _STEP = 2.0, 0.5
"""How much people who have an item may differ, in mean squares of people's vectors, and how far rows go in one
read-out. With 0.7, rows of very different people still swing."""


@kernel
def read_out(
    sums: Floats,
    outer: Floats,
    weight: float,
    people: float,
    w0: float,
    reg: float,
    noise: float,
    again: bool,
    rows: Floats,
) -> None:
    """Item rows from sums over about `people` people that carry `weight`, in place of the rows that the sums are about.

    noise: what is left of masks. again: `rows` were read out before, so that D is of rows like these.
    """
    items, k = rows.shape
    secant = again and sums.shape[1] > k + 1
    step = _STEP if secant else 1.0
    average = np.zeros((k, k))
    place = 0
    power = 0.0
    for f in range(k):
        for g in range(f + 1):
            average[f, g] = np.float64(outer[place]) / weight
            average[g, f] = average[f, g]
            place += 1
        power += max(average[f, f], 0.0) / k
    size, turn = np.linalg.eigh(average)
    ridge = reg / np.sqrt(people)
    b, y, ease = np.zeros(k), np.zeros(k), np.zeros(k)
    for i in range(items):
        # What little is left of masks, or a rounding, can make a count of nobody negative.
        count = max(np.float64(sums[i, k]) / weight, 0.0)
        asked = ridge * np.sqrt(count + w0)
        # Wiener's factor: B_j is about n_j times a vector like people's, and noise; of few people's it is mostly noise.
        signal = power * count**2
        trust = signal / (signal + noise**2) if noise > 0 else 1.0
        # Somebody has it, or nobody does: a count below half a person says nothing about how alike they are.
        holders = max(count, 0.5 / people)
        for g in range(k):
            total = 0.0
            for f in range(k):
                total += turn[f, g] * np.float64(sums[i, f])
            b[g] = trust * total / weight
            ease[g] = 1.0 / (w0 * max(size[g], 0.0) + asked)
            y[g] = b[g] * ease[g]
        if secant:
            _along_row(sums[i], rows[i], trust / weight, holders, _MOST * holders * power * k, turn, ease, y)
        inner = 0.0
        for g in range(k):
            inner += b[g] * y[g]
        scale = 1.0 / (1.0 + inner / holders)
        for f in range(k):
            total = 0.0
            for g in range(k):
                total += turn[f, g] * y[g]
            rows[i, f] = step * total * scale + (1.0 - step) * rows[i, f]


@kernel
def _along_row(
    item_sums: Floats,
    row: Floats,
    scale: float,
    holders: float,
    most: float,
    turn: Doubles,
    ease: Doubles,
    y: Doubles,
) -> None:
    """Let y, so far b times `ease`, solve with d d' / (d.q) added: how those who have the item differ along its row."""
    k = len(row)
    mean = 0.0
    for f in range(k):
        mean += scale * np.float64(item_sums[f]) * np.float64(row[f]) / holders
    along = 0.0
    rest, d = np.zeros(k), np.zeros(k)
    for f in range(k):
        rest[f] = scale * (np.float64(item_sums[k + 1 + f]) - mean * np.float64(item_sums[f]))
        along += rest[f] * np.float64(row[f])
    if along <= 0:
        return
    length, inner, down = 0.0, 0.0, 0.0
    for g in range(k):
        for f in range(k):
            d[g] += turn[f, g] * rest[f]
        length += d[g] * d[g]
        inner += d[g] * y[g]
        down += d[g] * d[g] * ease[g]
    # Noise, or rows that others did not report on, can make d.q too small: people do not differ by more than `most`.
    along = max(along, length / most)
    for g in range(k):
        y[g] -= ease[g] * d[g] * inner / (along + down)
