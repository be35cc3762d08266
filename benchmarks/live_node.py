"""Speed and endurance of the live node. Each part says what it did and prints one JSON object.

    python benchmarks/live_node.py latency                        one message of 60 KB; top 10 of 100,000 rows
    python benchmarks/live_node.py process                        start, memory with 10,000 rows, idle CPU
    python benchmarks/live_node.py fuzz [--messages 100000]       spoiled messages change no state
    python benchmarks/live_node.py twenty [--nodes 20]            real processes against the simulator, MovieLens-100K
    python benchmarks/live_node.py churn [--nodes 50] [--minutes 10] [--pace 1] [--every 10]
                                                     one is killed and started again every second; ends with 1
                                                     when anything was lost, crashed or stopped learning (live_churn.py)

Everything runs on this machine only: loopback, relays off, stores in a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from live_churn import churn
from live_network import Process, folder, twenty

from tacit.core.message.update import received
from tacit.node.agent import Agent
from tacit.node.catalogue.item_keys import row_id
from tacit.node.first_setup import create
from tacit.node.network.wire import Kind, pack_update, unpack
from tacit.node.peer_compatibility import MODELS, rules_of
from tacit.node.receive import handle
from tacit.node.service import Service
from tacit.node.store.records import Peer, Rating

FRIEND = "ab" * 32
TRAVELLING = [name for name in MODELS if name != "ials"]
"""Models that are sent as they are; sums have `live_sums.py`."""


def key(item: int) -> str:
    """An item's key."""
    return f"csv:{item}"


def some_agent(home: Path, model: str, rated: int, rows: int) -> Agent:
    """A node with some ratings, one friend, and a model of many rows."""
    create(home, model=model)
    service = Service(home)
    service.add([Rating(key(i), f"Film {i}", value=float(3 + i % 3)) for i in range(rated)])
    service.contacts.save(Peer(FRIEND, allowed=True))
    service.rating_store.add_public_keys(key(i) for i in range(rows))
    agent = Agent(service.store, rules_of(model, 1, 10.0))
    for first in range(0, rows, 10_000):
        names, update = a_model(agent, range(first, min(rows, first + 10_000)))
        agent.learner.take(names, update)
    return agent


def a_model(agent: Agent, items: range, seed: int = 0) -> tuple[np.ndarray, Any]:
    """A model of some rows, as somebody could have sent it."""
    names = np.sort(np.array([row_id(key(i)) for i in items], np.uint64))
    rng = np.random.default_rng(seed)
    rows = rng.normal(0, 0.3, (len(names), agent.rules.model.row_width)).astype(np.float32)
    ages = rng.integers(1, 50, len(names)).astype(np.int32)
    dense = np.ones(agent.rules.model.dense_size, np.float32)
    return names, received(len(names), None, rows, ages, dense, 9)


def times(
    what: Callable[[int], object], repeat: int = 40, before: Callable[[], object] = lambda: None
) -> dict[str, float]:
    """Wall and CPU time of one call, in milliseconds; of `before` none is counted."""
    what(0)
    wall, cpu = [], []
    for turn in range(1, repeat + 1):
        before()
        start, used = time.perf_counter(), time.process_time()
        what(turn)
        wall.append(1000 * (time.perf_counter() - start))
        cpu.append(1000 * (time.process_time() - used))
    found = {"median": np.median(wall), "p95": np.quantile(wall, 0.95), "median_cpu": np.median(cpu)}
    return {f"{name}_ms": round(float(value), 2) for name, value in found.items()}


def latency() -> dict[str, Any]:
    """How long a message takes to be learned from, and a list of recommendations to be made."""
    found: dict[str, Any] = {}
    for model in TRAVELLING:
        with folder() as home:
            agent = some_agent(home / "n", model, rated=200, rows=10_000)
            size = (60_000 - 64) // (12 + 4 * agent.rules.model.row_width)
            names, update = a_model(agent, range(100, 100 + size), 3)
            messages = [pack_update(agent.digest, n + 1, names, update) for n in range(60)]

            def take(turn: int, agent: Agent = agent, messages: list[bytes] = messages) -> None:
                answer = handle(agent, FRIEND, messages[turn], turn * 10**7)
                assert unpack(answer)[0] is Kind.OK, answer

            found[f"receive {len(messages[0])} bytes, {model}"] = times(take)
        with folder() as home:
            agent = some_agent(home / "n", model, rated=200, rows=100_000)
            agent.flush()
            # What the page and the command ask: ratings read, the person's part solved, titles and reasons looked up.
            service, what = Service(home / "n"), f"top 10 of {len(agent.learner.row_index)} rows, {model}"
            found[what] = times(lambda turn, service=service: service.recommend(10))  # type: ignore[misc]

            def save(agent: Agent = agent) -> None:
                agent.dirty = True
                agent.flush()

            found[f"{what}, model saved anew"] = times(  # type: ignore[misc]
                lambda turn, service=service: service.recommend(10), before=save
            )
    return found


def process() -> dict[str, Any]:
    """What one real process costs."""
    with folder() as home:
        agent = some_agent(home / "n", "bpr", rated=200, rows=10_000)
        agent.flush()
        agent.store.close()
        node = Process(home / "n", 15.0)
        time.sleep(8)
        before, at = node.cpu(), time.perf_counter()
        time.sleep(30)
        idle = (node.cpu() - before) / (time.perf_counter() - at)
        resident, own = node.memory()
        start_cpu = before
        node.stop()
        again = Process(home / "n", 15.0)
        again.stop()
    return {
        "start_seconds": [round(node.seconds, 2), round(again.seconds, 2)],
        "start_cpu_seconds": round(start_cpu, 2),
        "resident_mb_10000_rows": round(resident, 1),
        "proportional_mb": round(own, 1),
        "idle_cpu_share": round(idle, 4),
        "load_average": os.getloadavg()[0],
    }


def fuzz(count: int) -> dict[str, Any]:
    """Proper messages spoiled in every way, and noise; after each thousand the whole state is compared."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import strategies as st

    from tacit.node.network.wire import Exchange, _framed, pack

    with folder() as home:
        agent = some_agent(home / "n", "mf", rated=50, rows=500)
        proper = [
            pack_update(agent.digest, 10**9, *a_model(agent, range(40, 60))),
            pack(Kind.HELLO, agent.hello()),
            pack(Kind.EXCHANGE, Exchange([], [key(10**6)])),
        ]

        def state() -> object:
            agent.flush()
            tables = [agent.store.read(f"SELECT * FROM {t}") for t in ("items", "ratings", "ledger", "model")]
            return agent.learner.save(), tables, [(p.id, p.sequence) for p in agent.contacts.peers()]

        spoiled = st.one_of(
            st.binary(max_size=2000),
            st.builds(_framed, st.sampled_from(list(Kind)), st.binary(min_size=2, max_size=500)),
            st.builds(
                lambda m, at, change: bytes(b ^ change if n == at % len(m) else b for n, b in enumerate(m)),
                st.sampled_from(proper), st.integers(0, 10**6), st.integers(1, 255),
            ),
            st.builds(lambda m, at: m[: at % len(m)], st.sampled_from(proper), st.integers(0, 10**6)),
            st.builds(lambda m, tail: m + tail, st.sampled_from(proper), st.binary(min_size=1, max_size=50)),
        )  # fmt: skip
        before = state()
        seen = {"messages": 0, "refused": 0}

        @settings(
            max_examples=count // 50, deadline=None, database=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(st.lists(spoiled, min_size=50, max_size=50))
        def run(messages: list[bytes]) -> None:
            for message in messages:
                seen["messages"] += 1
                answer = handle(agent, FRIEND, message, seen["messages"] * 10**7)
                seen["refused"] += unpack(answer)[0] is Kind.REFUSED
            if seen["messages"] % 1000 == 0:
                assert state() == before

        start = time.perf_counter()
        run()
        assert state() == before
        return {**seen, "state_unchanged": True, "seconds": round(time.perf_counter() - start, 1)}


def main() -> None:
    """Run one part."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=["latency", "process", "fuzz", "twenty", "churn"])
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--pace", type=float, default=1.0, help="seconds between two kills")
    parser.add_argument("--every", type=float, default=10.0, help="seconds between two messages of a node")
    parser.add_argument("--messages", type=int, default=100_000)
    given = parser.parse_args()
    parts: dict[str, Callable[[], dict[str, Any]]] = {
        "latency": latency,
        "process": process,
        "fuzz": lambda: fuzz(given.messages),
        "twenty": lambda: twenty(given.nodes or 20),
        "churn": lambda: churn(given.nodes or 50, given.minutes, given.pace, given.every),
    }
    found = parts[given.part]()
    print(json.dumps(found, indent=1))
    sys.exit(1 if found.get("violations") else 0)


if __name__ == "__main__":
    main()
