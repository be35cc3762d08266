"""Live nodes that exchange sums, for tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tacit.core.interactions import Interactions
from tacit.core.message import codec
from tacit.core.message.update import Update
from tacit.node.network.wire import unpack
from tacit.node.peer_compatibility import rules_of
from tacit.node.push_sum.sum_agent import SumAgent
from tacit.node.push_sum.sum_rules import SumRules
from tacit.node.push_sum.sum_wire import Share
from tacit.node.store.records import Rating
from tacit.testing.in_memory_network import MemoryNetwork
from tests.node.live_network import LiveNetwork, key_of

PERIOD = 10.0


def sum_rules(**changes: object) -> SumRules:
    rules = rules_of("ials", 7, PERIOD)
    assert isinstance(rules, SumRules)
    return replace(rules, **changes)  # type: ignore[arg-type]


def liked(items: Iterable[int]) -> list[Rating]:
    return [Rating(key_of(int(i)), f"Film {i}", value=5.0) for i in items]


def tastes(people: int, items: int = 60, each: int = 12) -> list[np.ndarray]:
    """Two kinds of people, who like the first and the last two thirds of all items."""
    rng = np.random.default_rng(5)
    halves = (np.arange(0, 2 * items // 3), np.arange(items // 3, items))
    return [np.sort(rng.choice(halves[n % 2], each, replace=False)) for n in range(people)]


def table(chosen: Sequence[np.ndarray], items: int = 60) -> Interactions:
    users = np.repeat(np.arange(len(chosen)), [len(one) for one in chosen])
    return Interactions.from_pairs(
        users, np.concatenate(chosen), np.ones(len(users)), users=len(chosen), items=items
    )


class SumNetwork(LiveNetwork):
    """Nodes with seeds and keys of their own."""

    def person(
        self, ratings: list[Rating], known: list[int], catalogue: int = 0, **settings: object
    ) -> SumAgent:
        number = len(self.agents)
        own = {"model": "ials", "seed": 1_000 + number, "secret": f"{number + 1:064x}", **settings}
        before, self.rules = self.rules, replace(self.rules, seed=own["seed"])  # type: ignore[arg-type]
        agent = self.add(ratings, known, catalogue, **own)
        self.rules = before
        assert isinstance(agent, SumAgent)
        return agent

    @property
    def nodes(self) -> list[SumAgent]:
        return [agent for agent in self.agents if isinstance(agent, SumAgent)]


def everybody(
    home: Path, chosen: Sequence[np.ndarray], rules: SumRules | None = None, catalogue: int = 0
) -> SumNetwork:
    """People who all know each other, and the items 0 .. `catalogue`."""
    network = SumNetwork(home, rules or sum_rules(), eager=True)
    for number, items in enumerate(chosen):
        network.person(liked(items), [n for n in range(len(chosen)) if n != number], catalogue)
    return network


def shares(network: MemoryNetwork, sender: str | None = None) -> list[tuple[str, Share, Update]]:
    """Every share that ever left, by sender."""
    found = []
    for who, _, data in network.wire:
        _, body = unpack(data)
        if isinstance(body, Share) and sender in (None, who):
            found.append((who, body, codec.decode(body.update)))
    return found


def weight(update: Update) -> float:
    from tacit.protocols.push_sum.headcount import HEADS

    return float(update.dense[len(update.dense) - HEADS - 1])
