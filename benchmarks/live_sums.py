"""Live nodes over a network in memory, in virtual time: how well models recommend after the same number of exchanges.

    python benchmarks/live_sums.py --nodes 20 --exchanges 100 --draws 3

Users of MovieLens-100K with 40 ratings and more, ten of each held out. Hits: the share of people with one of these that
they liked (4 and more) among their top 10. Bytes: everything a node sent, keys and questions included.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from live_network import folder, movielens

from tacit.node.agent import Agent
from tacit.node.assemble import agent_of
from tacit.node.peer_compatibility import rules_of
from tacit.node.runtime import NodeRuntime
from tacit.node.service import Service
from tacit.node.store.database import Store
from tacit.node.store.records import Peer, Rating
from tacit.testing.in_memory_network import MemoryNetwork
from tacit.testing.virtual_time import run_virtual

EVERY = 15.0


def people(home: Path, model: str, train: Any) -> list[Agent]:
    """Nodes that all know each other."""
    ids = [f"{number + 1:064x}" for number in range(train.users)]
    agents = []
    for number, me in enumerate(ids):
        store = Store.create(home / str(number))
        store.read("PRAGMA synchronous = OFF")
        store.set(
            id=me, secret=me, seed=1_000 + number, name="", model=model, cluster=False, port=1, disclosure=1.0,
            paused=False, open=False,
        )  # fmt: skip
        service = Service(store.home)
        for other in ids:
            if other != me:
                service.contacts.save(Peer(other, allowed=True))
        items, values = train.of(number)
        service.add([Rating(f"csv:{i}", "", value=float(v)) for i, v in zip(items, values, strict=True)])
        service.close()
        agents.append(agent_of(store, rules_of(model, 1_000 + number, EVERY)))
    return agents


def measure(model: str, nodes: int, exchanges: int, draw: int) -> dict[str, float]:
    """One network."""
    train, test = movielens(nodes, draw)
    network = MemoryNetwork(lambda size: 0.05)

    async def live(agents: list[Agent]) -> None:
        stop = asyncio.Event()
        running = [
            asyncio.create_task(NodeRuntime(agent, network.join(agent.me)).run(stop)) for agent in agents
        ]
        await asyncio.sleep(exchanges * EVERY)
        stop.set()
        await asyncio.gather(*running)

    start = time.process_time()
    with folder() as home:
        agents = people(home, model, train)
        run_virtual(live(agents))
        hits, sent = [], []
        for user, agent in enumerate(agents):
            service = Service(agent.store.home)
            items, values = test.of(user)
            wanted = {f"csv:{i}" for i in items[values >= 4]}
            hits.append(any(item.key in wanted for item in service.recommend(10)))
            sent.append(service.status().sent.bytes)
            service.close()
            agent.store.close()
    return {
        "hits": round(float(np.mean(hits)), 3),
        "bytes": round(float(np.mean(sent))),
        "rounds": round(float(np.mean([agent.learner.rounds for agent in agents])), 1),
        "cpu": round(time.process_time() - start),
    }


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, default=20)
    parser.add_argument("--exchanges", type=int, default=100)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--models", default="bpr,ials")
    given = parser.parse_args()
    found = {
        model: [measure(model, given.nodes, given.exchanges, draw) for draw in range(given.draws)]
        for model in given.models.split(",")
    }
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
