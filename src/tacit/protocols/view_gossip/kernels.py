"""What a node does when a whole model arrives: weigh it, mix it with its own, learn at once (PEPPER, algorithm 2)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.instructions import touch
from tacit.core.interactions import Positions, Values
from tacit.core.math.negative_sampling import among, draw_outside
from tacit.core.node_state import Ages, Floats, NodeArrays, Ratings
from tacit.core.rng import Stream, sample
from tacit.merges.base import CLOCK, SAMPLES
from tacit.merges.performance import hits, share

_WEIGHTING, _OTHERS = Stream.WEIGHTING, Stream.WEIGHTING_NEGATIVES
_LISTS = 2**20
"""What keeps the draws of a weighting set's lists apart: no node sets aside that often."""
_SMALL, _LINE = 2**17, 64
"""Bytes of rows that stay in a core's second cache together with two other models', and of one line of it."""
LOCAL, MERGED, AVERAGED = 0, 1, 2
"""The model a node recommends with: its own, the merged one before it learned, or a moving mean of those received."""


class Rules(NamedTuple):
    """The numbers of a run that stay the same."""

    seed: int
    epochs: int
    basis: int
    """What models are weighed by: `tacit.merges.base.SCORE`, `SAMPLES` or `CLOCK`."""
    scored: bool
    """Whether received models are evaluated: for the merge, or to choose peers by."""
    together: bool
    """F1 in place of HR."""
    k: int
    step: np.float32
    """How far to go from the merged model toward the one learned from it: 1 all the way, less is Reptile's step."""
    read_out: int
    fresh: np.float32
    """The weight of the latest model in the moving mean."""
    best: bool
    """Whether a sender's best performance is noted, not its last."""
    vector: int
    """How many numbers of the private part make that step, too."""


class Model(NamedTuple):
    """One whole model, as views."""

    rows: Floats
    ages: Ages
    dense: Floats


class Version(NamedTuple):
    """A model with how often it was updated, and how much data its node has."""

    model: Model
    clock: int
    samples: int


class Person(NamedTuple):
    """What never leaves: the person's own part, and what their optimizer remembers."""

    private: Floats
    memory: Floats


class Data(NamedTuple):
    """What one node has: items to learn from (value NaN: only known), the weighting set, and what to rank it among."""

    items: Positions
    values: Values
    weighting: Positions
    others: Positions
    """One list for all of the weighting set, or one for each of its items; -1 where there are no more."""


@kernel
def divide(
    seed: int, node: int, event: int, own: Positions, avoid: Positions, catalogue: int, data: Data
) -> None:
    """Set aside a weighting set of `own`, as large as there is room for, and fill the rest of `data`.

    Negatives are drawn from everything that is not trained on, the weighting set included. With `negatives=paper` they
    are drawn from all but `avoid`, which then holds everything the person ever consumed.
    """
    chosen = np.zeros(len(own), np.bool_)
    sample(seed, _WEIGHTING, node, event, len(own), len(data.weighting), chosen)
    at = 0
    aside = 0
    for n in range(len(own)):
        if chosen[n]:
            data.weighting[aside] = own[n]
            aside += 1
        elif len(avoid) == 0:
            data.items[at] = own[n]
            data.values[at] = 1
            at += 1
    for n in range(len(avoid)):
        data.items[n] = avoid[n]
        learned = among(own, avoid[n]) and not among(data.weighting, avoid[n])
        data.values[n] = 1 if learned else np.nan
    for n in range(len(data.others)):
        draw = event + n * _LISTS
        draw_outside(seed, _OTHERS, node, draw, avoid if len(avoid) else own, catalogue, data.others[n])


@kernel
def blend(mine: Floats, theirs: Floats, w: np.float32, out: Floats) -> None:
    """out = (1 - w) mine + w theirs, number by number; `out` may be either."""
    stay = np.float32(1) - w
    for n in range(len(mine)):
        out[n] = stay * mine[n] + w * theirs[n]


@kernel
def _mix(mine: Model, theirs: Model, w: np.float32, out: Model) -> None:
    size = mine.rows.size
    blend(mine.rows.reshape(size), theirs.rows.reshape(size), w, out.rows.reshape(size))
    blend(mine.dense, theirs.dense, w, out.dense)
    for i in range(len(mine.ages)):
        out.ages[i] = max(mine.ages[i], theirs.ages[i])


@kernel
def _fetch(rows: Floats) -> None:
    """Read rows in order: that is faster than to fetch a few of them here and there, and the merge needs all anyway."""
    if rows.size * rows.itemsize <= _SMALL:
        for n in range(0, rows.size, _LINE // rows.itemsize):
            touch(rows, n)


@cache
def make_performance(score: Callable[..., float]) -> Callable[..., float]:
    """The kernel that evaluates a whole model, by a model's `score`."""

    @kernel
    def performance(model: Model, private: Floats, data: Data, rules: Rules, hyper: Any) -> float:
        """HR@K or F1@K of a model on the weighting set; 0 without one."""
        count = len(data.weighting)
        if count == 0:
            return 0.0
        # Views of the model are made once: each one counts a reference, which costs as much as a score.
        rows, dense, others = model.rows, model.dense, data.others
        _fetch(rows)
        own, rest = np.empty(count), np.empty(others.shape[1])
        for n in range(count):
            own[n] = score(rows, dense, private, data.weighting[n], hyper)
        lists = 1 if rules.together else len(others)
        found = 0
        for n in range(lists):
            free = 0
            for m in range(others.shape[1]):
                if others[n, m] >= 0:
                    rest[free] = score(rows, dense, private, others[n, m], hyper)
                    free += 1
            ranked = own if lists == 1 else own[n : n + 1]
            found += hits(ranked, rest[:free], rules.k, rules.together)
        return 2.0 * found / (rules.k + count) if rules.together else found / count

    return performance


@cache
def make_receive(score: Callable[..., float], train: Callable[..., None]) -> Callable[..., tuple[int, float]]:
    """The kernel by which a node takes in a model; `score` and `train` are those of its own."""
    performance = make_performance(score)

    @kernel
    def receive(
        mine: Version,
        theirs: Version,
        out: Model,
        shown: Model,
        person: Person,
        data: Data,
        draws: tuple[int, int, int],
        rules: Rules,
        hyper: Any,
    ) -> tuple[int, float]:
        """Take in one model; `out` may be `mine`. The new clock, and how well the received one did (0: not evaluated).

        `draws` ends with a count of the models this node has received. `shown` is what the node recommends with, where
        that is not simply its own model.
        """
        private = person.private
        score_theirs = 0.0
        a, b = 0.0, 0.0
        if rules.scored:
            score_theirs = performance(theirs.model, private, data, rules, hyper)
        if rules.basis == SAMPLES:
            a, b = float(mine.samples), float(theirs.samples)
        elif rules.basis == CLOCK:
            a, b = float(mine.clock), float(theirs.clock)
        else:
            a, b = performance(mine.model, private, data, rules, hyper), score_theirs
        _mix(mine.model, theirs.model, share(a, b), out)
        if rules.read_out == MERGED:
            _mix(out, out, np.float32(0), shown)
        elif rules.read_out == AVERAGED:
            _mix(shown, theirs.model, np.float32(1) if draws[2] == 0 else rules.fresh, shown)
        start_rows = out.rows.copy() if rules.step < 1 else out.rows[:0]
        start_dense = out.dense.copy() if rules.step < 1 else out.dense[:0]
        start_vector = private[: rules.vector].copy() if rules.step < 1 else private[:0]
        node = NodeArrays(out.rows, out.ages, out.dense, private, person.memory)
        train(node, Ratings(data.items, data.values), rules.epochs, draws, hyper)
        if rules.step < 1:
            size = start_rows.size
            blend(start_rows.reshape(size), out.rows.reshape(size), rules.step, out.rows.reshape(size))
            blend(start_dense, out.dense, rules.step, out.dense)
            blend(start_vector, private[: rules.vector], rules.step, private[: rules.vector])
        return max(mine.clock, theirs.clock) + rules.epochs, score_theirs

    return receive
