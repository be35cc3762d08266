"""A node's mind and its model, of the kind that its rules ask for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tacit.hosts.live.agent import Agent
from tacit.hosts.live.learner import Learner
from tacit.hosts.live.limits import MAX_ROWS
from tacit.hosts.live.models import LiveRules
from tacit.hosts.live.store import Store
from tacit.hosts.live.sum_rules import SumRules

if TYPE_CHECKING:
    from tacit.hosts.live.sum_learner import SumLearner


def agent_of(
    store: Store,
    rules: LiveRules,
    *,
    number: int = 0,
    cap: int = MAX_ROWS,
    eager: bool = True,
    wall: Callable[[], float] = time.time,
) -> Agent:
    """One that sends models, or one that sends sums."""
    kind = Agent
    if isinstance(rules, SumRules):
        from tacit.hosts.live.sum_agent import SumAgent

        kind = SumAgent
    return kind(store, rules, number=number, cap=cap, eager=eager, wall=wall)


def saved_model(store: Store, rules: LiveRules) -> Learner | SumLearner:
    """The model as last saved; what it learns from is not loaded."""
    saved = store.arrays()
    if isinstance(rules, SumRules):
        from tacit.hosts.live.sum_learner import SumLearner
        from tacit.hosts.live.sum_saving import restore

        sums = SumLearner(0, rules)
        restore(sums, saved)
        return sums
    learner = Learner(0, rules)
    if saved:
        learner.restore(saved)
    return learner
