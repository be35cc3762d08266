"""Have everything compiled that a node will need: once after an installation or an update, then it is on disk."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tacit.core.compiling import kernel_folder
from tacit.hosts.live.judging import scores
from tacit.hosts.live.learner import Learner, Told
from tacit.hosts.live.models import LiveRules
from tacit.hosts.live.rows import Hashes
from tacit.hosts.live.solving import solve
from tacit.hosts.live.sum_rules import SumRules
from tacit.protocols.gossip import GossipRules


def is_warm(model: str) -> bool:
    """Whether this was done before, for this version of the sources."""
    folder = kernel_folder()
    return folder is not None and (folder / f"live-{model}.warm").exists()


def warm_up(rules: LiveRules) -> None:
    """Let a spare model of a few rows do once whatever a node does."""
    if isinstance(rules, SumRules):
        _warm_sums(rules)
    else:
        _warm_models(rules)
    folder = kernel_folder()
    if folder is not None:
        (folder / f"live-{rules.model.name}.warm").touch()


def _warm_sums(rules: SumRules) -> None:
    from tacit.hosts.live.sum_learner import SumLearner

    names: Hashes = np.arange(6, dtype=np.uint64)
    one, other = (SumLearner(n, replace(rules, masks=0.0, members=1, wait=0, turns=2)) for n in (0, 1))
    for learner in (one, other):
        learner.know(names)
        learner.set_people([Told(names[:3], np.ones(3, np.float32))])
    for _ in range(4):
        one.wake(["other"], lambda peer: True)
        one.acknowledged()
        if one.epoch > other.epoch:
            other.join(one.epoch, one.names, one.good)
        other.take(0, one.book.words[0], one.book.sent_heads[0], one.good)
    state, places = one.state, np.arange(3)
    solve(rules.model, state, places, np.ones(3), places + 3, rules.seed)
    scores(rules.model, state.rows, state.dense, state.private)


def _warm_models(rules: GossipRules) -> None:
    learner = Learner(0, rules)
    names: Hashes = np.arange(6, dtype=np.uint64)
    learner.set_people([Told(names[:3], np.ones(3, np.float32))], names[:0])
    learner.know(names)
    for _ in range(2):
        learner.take(*learner.named(learner.release_now()))
    places = np.arange(3)
    solve(rules.model, learner.state, places, np.ones(3), places + 3, rules.seed)
