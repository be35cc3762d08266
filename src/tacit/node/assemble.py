"""Assemble a node from its store and rules: the agent, or only the saved model."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tacit.node.agent import Agent
from tacit.node.exchange.gossip_learner import GossipLearner
from tacit.node.peer_compatibility import LiveRules
from tacit.node.push_sum.sum_rules import SumRules
from tacit.node.store.database import Store

if TYPE_CHECKING:
    from tacit.node.push_sum.sum_learner import SumLearner


def agent_of(
    store: Store,
    rules: LiveRules,
    *,
    number: int = 0,
    eager: bool = True,
    wall: Callable[[], float] = time.time,
) -> Agent:
    """An agent that sends models, or one that sends sums."""
    kind = Agent
    if isinstance(rules, SumRules):
        from tacit.node.push_sum.sum_agent import SumAgent

        kind = SumAgent
    return kind(store, rules, number=number, eager=eager, wall=wall)


def saved_model(store: Store, rules: LiveRules) -> GossipLearner | SumLearner:
    """The model as last saved, without the data it trains on."""
    saved = store.arrays()
    if isinstance(rules, SumRules):
        from tacit.node.push_sum.sum_learner import SumLearner
        from tacit.node.push_sum.sum_saving import restore

        sums = SumLearner(0, rules)
        restore(sums, saved)
        return sums
    learner = GossipLearner(0, rules)
    if saved:
        learner.restore(saved)
    return learner
