"""An ensemble of received models, and how far a node trusts each: the weighted majority algorithm on its own data.

A node keeps a few models that others sent. When one more arrives, the node goes over its own data as over a stream.
Every candidate answers each case, and the answers are combined by weight. A candidate that answers badly loses the
share beta of its weight. A candidate that ends below the floor, relative to the best, is dropped. If too many are left,
the worst is dropped.

A bad answer is a wrong class, whatever the others say. A bad rating is off by more than the compound's error plus a
margin. Weights are found anew whenever a model arrives. So no model can earn trust first and abuse it later.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel
from tacit.core.interactions import Positions, Values
from tacit.core.node_state import Floats, Ratings

Weights = npt.NDArray[np.float64]
EMPTY = -1


class Trust(NamedTuple):
    """The numbers of a run that stay the same."""

    size: int
    """Received models a node keeps at most; 0: none are kept or judged, everybody is trusted."""
    beta: float
    margin: float
    floor: float
    classes: int
    """How many classes there are to choose from; 0: ratings."""


class EnsembleModels(NamedTuple):
    """One node's ensemble: `size` + 1 places, of which one is free when a model arrives."""

    rows: Floats
    dense: Floats
    peer: npt.NDArray[np.int32]
    """The sender of each; EMPTY where there is none."""
    weight: Weights
    """Of one's own model, then of each place; the best has 1."""


@kernel
def combine(said: Weights, weight: Weights, classes: int) -> float:
    """What candidates say together: the class with the most weight (of equals the lowest), or the weighted mean."""
    if classes > 0:
        support = np.zeros(classes)
        for c in range(len(said)):
            if weight[c] > 0:
                support[int(said[c])] += weight[c]
        return float(np.argmax(support))
    total = 0.0
    for c in range(len(said)):
        total += weight[c] * said[c]
    return float(total / weight.sum())


@kernel
def judge(said: Weights, values: Values, trust: Trust, weight: Weights) -> None:
    """`said[n, c]`: what candidate c says about case n. `weight`, 1 before (0: absent), becomes what each is worth."""
    for n in range(len(values)):
        together = combine(said[n], weight, trust.classes)
        bound = abs(together - values[n]) + trust.margin
        for c in range(len(weight)):
            off = abs(said[n, c] - values[n])
            if (off > 0) if trust.classes > 0 else (off > bound):
                weight[c] *= 1.0 - trust.beta
        weight /= weight.max()


@kernel
def _place(peer: npt.NDArray[np.int32], sender: int) -> int:
    """Where a model goes: over the same sender's last one, else into a free place."""
    free = 0
    for p in range(len(peer)):
        if peer[p] == sender:
            return p
        if peer[p] == EMPTY:
            free = p
    return free


@kernel
def _drop(members: EnsembleModels, new: int, trust: Trust) -> None:
    """Empty the places of those below the floor; of more than `size` also the worst, among equals not the new one."""
    peer, weight = members.peer, members.weight
    left = 0
    worst = new
    for p in range(len(peer)):
        if peer[p] != EMPTY and weight[p + 1] < trust.floor:
            peer[p] = EMPTY
            weight[p + 1] = 0.0
        if peer[p] != EMPTY:
            left += 1
            if weight[p + 1] < weight[worst + 1] or (worst == new and weight[p + 1] <= weight[new + 1]):
                worst = p
    if left > trust.size:
        peer[worst] = EMPTY
        weight[worst + 1] = 0.0


@cache
def make_consider(score: Callable[..., float]) -> Callable[..., bool]:
    """The kernel that judges a received model by a model's `score`."""

    @kernel
    def say(rows: Floats, dense: Floats, private: Floats, items: Positions, hyper: Any, out: Weights) -> None:
        for n in range(len(items)):
            out[n] = score(rows, dense, private, items[n], hyper)

    @kernel
    def consider(
        private: Floats,
        own: Ratings,
        their_rows: Floats,
        their_dense: Floats,
        sender: int,
        members: EnsembleModels,
        trust: Trust,
        hyper: Any,
    ) -> bool:
        """Take a received model among the members, judge all, drop the bad; whether it may be merged with one's own."""
        places = len(members.peer)
        new = _place(members.peer, sender)
        members.rows[new] = their_rows
        members.dense[new] = their_dense
        members.peer[new] = sender
        weight = members.weight
        said = np.zeros((len(own.values), places + 1))
        weight[0] = 0.0
        for p in range(places):
            weight[p + 1] = 0.0
            if members.peer[p] != EMPTY:
                weight[p + 1] = 1.0
                say(members.rows[p], members.dense[p], private, own.items, hyper, said[:, p + 1])
        judge(said, own.values, trust, weight)
        # One's own model has learned from these very data: they say nothing about it. It counts as much as the best.
        weight[0] = 1.0
        trusted = weight[new + 1] >= trust.floor
        _drop(members, new, trust)
        return bool(trusted)

    return consider
