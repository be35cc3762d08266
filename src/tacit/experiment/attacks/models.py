"""Attacks on gossiped models: a receiver compares what came with its own model, and sees which rows moved.

A node that learns from its own data moves the rows of its own items and makes them older; every other row is only
merged. A receiver's evidence is how much older a row is than its own copy, how far away, or how much higher it would
score for the receiver itself (learning pushes what one has up and drawn negatives down); where only some rows travel
(`subsample`), also which: one's own go first. Over a run the evidence of all messages is added.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from tacit.core.interactions import Interactions
from tacit.core.rng import Stream, below
from tacit.core.state import NodeState
from tacit.experiment.attacks.base import Evidence, Finding, Progress, judge, victims
from tacit.hosts.sim.simulation import Simulation, scores
from tacit.models.base import Model
from tacit.shields.subsample import row_count, select

LOOKS = 20
"""Messages of a victim that are looked at over a run."""


def attack(
    model: Model,
    simulation: Simulation,
    train: Interactions,
    horizon: int,
    seed: int,
    subsample: float,
    tell: Progress,
) -> list[Finding]:
    """Let the network run, and look at models as they leave victims."""
    chosen = victims(train, seed).tolist()
    by: dict[str, dict[int, list[Evidence]]] = {
        name: defaultdict(list) for name in ("ages", "rows", "scores", "presence")
    }
    for look in range(1, LOOKS + 1):
        simulation.advance(horizon * look // LOOKS)
        tell("models", look / LOOKS)
        for u in chosen:
            other = below(seed, Stream.AUDITED, u, look, 0, train.users - 1)
            other += other >= u
            mine, theirs = simulation.fleet.node(u), simulation.fleet.node(other)
            travels = _travelling(train, u, look, seed, subsample)
            gap = (mine.ages - theirs.ages).astype(np.float64)
            far = np.sqrt(((mine.rows - theirs.rows).astype(np.float64) ** 2).sum(axis=1))
            by["ages"][u].append(np.where(travels, gap, gap.min()))
            by["rows"][u].append(np.where(travels, far, 0.0))
            asked = NodeState(mine.rows, mine.ages, mine.dense, mine.clock, theirs.private)
            higher = scores(model, asked) - scores(model, theirs)
            by["scores"][u].append(np.where(travels, higher, 0.0))
            by["presence"][u].append(travels.astype(np.float64))
    if subsample >= 1:
        del by["presence"]
    found = []
    for what, each in by.items():
        found.append(judge(f"receiver, one message, by {what}", {u: e[-1] for u, e in each.items()}, train))
        two = {u: e[-1] + e[-2] for u, e in each.items()}
        found.append(judge(f"two receivers, a message each, by {what}", two, train))
        run = {u: np.sum(e, axis=0) for u, e in each.items()}
        found.append(judge(f"{LOOKS} messages over a run, by {what}", run, train))
    return found


def _travelling(train: Interactions, u: int, event: int, seed: int, share: float) -> np.ndarray:
    """Which rows a message has."""
    if share >= 1:
        return np.ones(train.items, np.bool_)
    count = row_count(share, train.items)
    index, some = np.empty(count, np.int32), np.zeros(train.items, np.bool_)
    select(seed, u, event, train.of(u)[0], train.items, count, index)
    some[index] = True
    return some
