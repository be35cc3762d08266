"""Warm-up: compile all kernels that a node needs, once after an installation or an update. Then they are on disk."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np

from tacit.core.child_process import environment
from tacit.core.compiled.compiling import kernel_folder, marker
from tacit.core.math.ties import best_first
from tacit.core.message import codec
from tacit.core.message.update import Draws
from tacit.core.rng import Stream, permutation, philox, uniform
from tacit.models.score_all import score_all
from tacit.node.catalogue.row_index import Hashes
from tacit.node.exchange.gossip_learner import GossipLearner, SharedRatings
from tacit.node.fold_in import solve
from tacit.node.peer_compatibility import LiveRules, rules_of
from tacit.node.push_sum.sum_rules import SumRules
from tacit.peer_sampling.personalized import choose_view
from tacit.peer_sampling.uniform import pick
from tacit.privacy.row_limit import AtMost
from tacit.protocols.gossip.node import GossipRules
from tacit.protocols.push_sum.headcount import headcount


def is_warm(model: str) -> bool:
    """Whether the kernels of a model are compiled, for this version of the sources."""
    done = marker(f"live-{model}")
    return done is not None and done.exists()


def prepare(rules: LiveRules) -> None:
    """Load all that was compiled; compile the rest in a process of its own, because a compiler keeps 60 MB."""
    name = rules.model.name
    if kernel_folder() is not None and not is_warm(name):
        subprocess.run([sys.executable, "-m", __name__, name], env=environment(), check=False)
    warm_up(rules)


def warm_up(rules: LiveRules) -> None:
    """Let a small model do once whatever a node does."""
    if isinstance(rules, SumRules):
        _warm_sums(rules)
    else:
        _warm_models(rules)
    pick(rules.seed, 0, 0, 2)
    philox(rules.seed, Stream.LIVE_KEYS, 0, 0, 0)
    uniform(rules.seed, Stream.LIVE_CHOICE, 0, 0, 0)
    best_first(np.ones(3), 2, rules.seed, 0)
    folder = kernel_folder()
    if folder is not None:
        (folder / f"live-{rules.model.name}.warm").touch()


def _warm_sums(rules: SumRules) -> None:
    from tacit.node.push_sum.sum_learner import SumLearner

    names: Hashes = np.arange(6, dtype=np.uint64)
    one, other = (SumLearner(n, replace(rules, masks=0.0, members=1, wait=0, turns=2)) for n in (0, 1))
    for learner in (one, other):
        learner.know(names)
        learner.set_people([SharedRatings(names[:3], np.ones(3, np.float32))])
    for _ in range(4):
        one.wake(["other"], lambda peer: True)
        one.acknowledged()
        if one.epoch > other.epoch:
            other.join(one.epoch, one.names, one.good)
        other.take(0, one.book.words[0], one.book.sent_heads[0], one.good)
    codec.decode(codec.encode(one.share()))
    one.leave(["other"])
    codec.decode(codec.encode(one.share()))  # whole numbers, where that was packed
    state, positions = one.state, np.arange(3)
    solve(rules.model, state, positions, np.ones(3), positions + 3, rules.seed)
    score_all(rules.model, state.rows, state.dense, state.private)
    permutation(rules.seed, Stream.LIVE_PARTNERS, 0, 0, 2)
    headcount(one.book.heads[0])


def _warm_models(rules: GossipRules) -> None:
    learner = GossipLearner(0, rules)
    names: Hashes = np.arange(6, dtype=np.uint64)
    shared = SharedRatings(names[:3], np.ones(3, np.float32))
    learner.set_people([shared], names[:0])
    learner.know(names)
    for _ in range(2):
        learner.take(*learner.named(learner.release_now()))
    positions = np.arange(3)
    solve(rules.model, learner.state, positions, np.ones(3), positions + 3, rules.seed)
    sampler = rules.sampler
    sampler.pick(rules.seed, 0, 0, 2, sampler.shape)
    learner.set_people([shared, shared], names[:0])  # a cluster
    learner.learn()
    AtMost(1).apply(learner.release_now(), learner.rated, Draws(rules.seed, 0, 0))
    view = np.empty(1, np.int32)
    choose_view(rules.seed, 2, 0, 3, 0.5, np.zeros(1, np.int32), np.zeros(1, np.float32), view)


if __name__ == "__main__":
    warm_up(rules_of(sys.argv[1], 0, 1.0))
