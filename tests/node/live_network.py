"""Live nodes over a network in memory, for tests."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tacit.node.agent import Agent
from tacit.node.assemble import agent_of
from tacit.node.catalogue.item_keys import csv_key, row_id
from tacit.node.peer_compatibility import LiveRules
from tacit.node.runtime import NodeRuntime
from tacit.node.service import Service
from tacit.node.store.database import Store
from tacit.node.store.records import Peer, Rating
from tacit.testing.in_memory_network import MemoryNetwork
from tacit.testing.virtual_time import run_virtual


def name_of(number: int) -> str:
    """An id whose order is that of the numbers."""
    return f"{number:064x}"


def key_of(item: int) -> str:
    return csv_key(str(item))


def make_store(home: Path, number: int = 0, **settings: object) -> Store:
    """A store as `init` would make it, with a key that needs no network library."""
    store = Store.create(home)
    store.set(
        **{
            "id": name_of(number), "secret": "00" * 32, "seed": 7, "name": "", "model": "mf", "cluster": False,
            "port": 20_000, "disclosure": 1.0, "paused": False, "open": False, **settings,
        }
    )  # fmt: skip
    return store


@dataclass
class LiveNetwork:
    """Nodes that all may talk to those they know."""

    home: Path
    rules: LiveRules
    eager: bool = False
    network: MemoryNetwork = field(default_factory=MemoryNetwork)
    agents: list[Agent] = field(default_factory=list)
    wall: float = 1_000_000_000.0

    def add(self, ratings: list[Rating], known: list[int], catalogue: int = 0, **settings: object) -> Agent:
        """One more node. `catalogue`: items 0 .. are known beforehand, in this order."""
        number = len(self.agents)
        store = make_store(self.home / str(number), number, **settings)
        service = Service(store.home)
        for other in known:
            service.contacts.save(Peer(name_of(other), allowed=True))
        service.close()
        # What survives a power cut is tested with stores of its own; here nobody waits for the disk.
        store.read("PRAGMA synchronous = OFF")
        agent = agent_of(store, self.rules, number=number, eager=self.eager, wall=lambda: self.wall)
        agent.learner.know(np.array([row_id(key_of(i)) for i in range(catalogue)], np.uint64))
        agent.rating_store.rate(ratings)
        agent._seen = -1
        agent.refresh()
        self.agents.append(agent)
        return agent

    def run(self, seconds: float, exchanges: int | None = 2, poll: float = 1.0) -> None:
        """Let them all be there for some virtual seconds."""

        async def everybody() -> None:
            stop = asyncio.Event()
            nodes = [
                NodeRuntime(
                    agent,
                    self.network.join(agent.me),
                    jitter=0.0,
                    exchanges=exchanges,
                    poll=poll,
                    leave=False,
                ).run(stop)
                for agent in self.agents
            ]
            running = [asyncio.create_task(node) for node in nodes]
            await asyncio.sleep(seconds)
            stop.set()
            await asyncio.gather(*running)

        run_virtual(everybody())
