"""Have everything compiled that a node will need: once after an installation or an update, then it is on disk."""

from __future__ import annotations

import numpy as np

from tacit.core.compiling import kernel_folder
from tacit.hosts.live.learner import Learner, Told
from tacit.hosts.live.rows import Hashes
from tacit.hosts.live.solving import solve
from tacit.protocols.gossip import GossipRules


def is_warm(model: str) -> bool:
    """Whether this was done before, for this version of the sources."""
    folder = kernel_folder()
    return folder is not None and (folder / f"live-{model}.warm").exists()


def warm_up(rules: GossipRules) -> None:
    """Let a spare model of a few rows do once whatever a node does."""
    learner = Learner(0, rules)
    names: Hashes = np.arange(6, dtype=np.uint64)
    learner.set_people([Told(names[:3], np.ones(3, np.float32))], names[:0])
    learner.know(names)
    for _ in range(2):
        learner.take(*learner.named(learner.release_now()))
    places = np.arange(3)
    solve(rules.model, learner.state, places, np.ones(3), places + 3, rules.seed)
    folder = kernel_folder()
    if folder is not None:
        (folder / f"live-{rules.model.name}.warm").touch()
