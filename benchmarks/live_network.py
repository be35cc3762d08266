"""Many real node processes on one machine, for `live_node.py`."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tacit.core.interactions import Interactions
from tacit.data.dataset import load
from tacit.models.base import Model
from tacit.models.score_all import score_all
from tacit.node.catalogue.item_keys import row_id
from tacit.node.catalogue.row_index import NOWHERE
from tacit.node.exchange.gossip_learner import GossipLearner
from tacit.node.first_setup import create
from tacit.node.peer_compatibility import rules_of
from tacit.node.service import Service
from tacit.node.store.records import Rating
from tacit.protocols.gossip.node import GossipNode, GossipRules
from tacit.simulator.churn.sessions import always
from tacit.testing.in_memory_host import MemoryHost

HELD_OUT = 10


@contextmanager
def folder() -> Iterator[Path]:
    """A place for stores, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="tacit-bench-") as name:
        yield Path(name)


class Process:
    """`tacit node start`."""

    def __init__(self, home: Path, every: float, wait: bool = True) -> None:
        code = "import sys; from tacit.cli.main import call; sys.exit(call(sys.argv[1:]))"
        words = [
            "node",
            "start",
            "--home",
            str(home),
            "--no-relay",
            "--no-local",
            "--json",
            "--every",
            str(every),
        ]
        self.home = home
        start = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.facts: dict[str, Any] = {}
        if wait:
            self.ready()
        self.seconds = time.perf_counter() - start

    def ready(self, seconds: float = 120.0) -> bool:
        """Wait for its first line; whether it came."""
        assert self.process.stdout is not None
        if not self.facts and select.select([self.process.stdout], [], [], seconds)[0]:
            line = self.process.stdout.readline()
            self.facts = json.loads(line) if line else {}
        return bool(self.facts)

    def memory(self) -> tuple[float, float]:
        """Megabytes resident, and the same with pages that processes share counted in parts."""
        text = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        return tuple(  # type: ignore[return-value]
            int(next(line for line in text.splitlines() if line.startswith(name)).split()[1]) / 1024
            for name in ("Rss:", "Pss:")
        )

    def cpu(self) -> float:
        """Seconds of CPU used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Its exit code, and what it had to say."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        _, err = self.process.communicate(timeout=120)
        return self.process.returncode, err


def kill(running: list[Process]) -> None:
    """Leave none behind, whatever happened."""
    for node in running:
        if node.process.poll() is None:
            node.process.kill()
            node.process.communicate()


def network(home: Path, people: list[list[Rating]], model: str) -> list[Path]:
    """Open nodes that all joined the first."""
    homes = [home / str(number) for number in range(len(people))]
    services = []
    for one, ratings in zip(homes, people, strict=True):
        create(one, model=model)
        service = Service(one)
        service.add(ratings)
        service.set_sharing(open=True)
        services.append(service)
    for service in services[1:]:
        service.join(services[0].invite())
    for service in services:
        service.close()
    return homes


def saved(home: Path, model: str) -> GossipLearner:
    """The model a node has on disk."""
    service = Service(home)
    try:
        rules = rules_of(model, 1, 1.0)
        assert isinstance(rules, GossipRules)
        learner = GossipLearner(0, rules)
        parts = service.store.arrays()
        if parts:
            learner.restore(parts)
        return learner
    finally:
        service.close()


def movielens(nodes: int, draw: int = 0) -> tuple[Interactions, Interactions]:
    """Some users of MovieLens-100K, ten ratings each held out."""
    table = load("movielens-100k").table
    rng = np.random.default_rng(draw)
    users = rng.choice(np.flatnonzero(table.counts >= 40), nodes, replace=False)
    train: list[tuple[int, int, float]] = []
    test: list[tuple[int, int, float]] = []
    for place, user in enumerate(np.sort(users)):
        items, values = table.of(int(user))
        out = np.isin(np.arange(len(items)), rng.choice(len(items), HELD_OUT, replace=False))
        for rows, chosen in ((train, ~out), (test, out)):
            rows.extend((place, int(i), float(v)) for i, v in zip(items[chosen], values[chosen], strict=True))

    def made(rows: list[tuple[int, int, float]]) -> Interactions:
        return Interactions.from_pairs(*zip(*rows, strict=True), users=nodes, items=table.items)

    return made(train), made(test)


def quality(
    model: Model, models: list[tuple[Any, Any, Any, Any]], train: Interactions, test: Interactions
) -> dict[str, float]:
    """RMSE of all held-out ratings, and the share of people with one they liked among their top 10."""
    errors: list[float] = []
    hits: list[bool] = []
    for user, (rows, ages, dense, private) in enumerate(models):
        score = score_all(model, rows, dense, private)
        unseen = float(model.kernels.unseen(private, model.hyper()))
        score = np.where(ages > 0, score, unseen)
        items, values = test.of(user)
        errors.extend(score[items] - values)
        score[ages == 0] = -np.inf
        score[train.of(user)[0]] = -np.inf
        hits.append(bool(np.isin(np.argsort(-score)[:10], items[values >= 4]).any()))
    return {"rmse": float(np.sqrt(np.mean(np.square(errors)))), "hr@10": float(np.mean(hits))}


def named(learner: GossipLearner, items: int) -> tuple[Any, Any, Any, Any]:
    """The rows of items csv:0 .. in this order, as `quality` takes them."""
    place = learner.row_index.find(np.array([row_id(f"csv:{i}") for i in range(items)], np.uint64))
    at = np.maximum(place, 0)
    if not len(learner.row_index):
        rows = np.zeros((items, learner.rules.model.row_width), np.float32)
        return rows, np.zeros(items, np.int32), learner.state.dense, learner.state.private
    ages = np.where(place == NOWHERE, 0, learner.state.ages[at])
    return learner.state.rows[at], ages, learner.state.dense, learner.state.private


def twenty(nodes: int, seconds: float = 120.0, every: float = 2.0) -> dict[str, Any]:
    """The same people as real processes and in virtual time, after the same number of rounds.

    Virtual time is `testing.memory_host`, to which the simulator is held bit for bit (tests/equivalence).
    """
    train, test = movielens(nodes)
    rules = rules_of("mf", 1, every)
    assert isinstance(rules, GossipRules)
    people = [
        [Rating(f"csv:{i}", "", value=float(v)) for i, v in zip(*train.of(user), strict=True)]
        for user in range(nodes)
    ]
    with folder() as home:
        homes = network(home, people, "mf")
        running: list[Process] = []
        try:
            running += [Process(one, every) for one in homes]
            started = time.perf_counter()
            time.sleep(seconds)
            ends = [node.stop() for node in running]
        finally:
            kill(running)
        learners = [saved(one, "mf") for one in homes]
    live = [named(learner, train.items) for learner in learners]
    rounds = float(np.mean([learner.rounds for learner in learners]))
    simulated = []
    for seed in range(5):
        agreed = replace(rules, seed=seed, shields=())
        everybody = [
            GossipNode(user, agreed, train.items, *train.of(user), [n for n in range(nodes) if n != user])
            for user in range(nodes)
        ]
        # Messages on the loopback interface take milliseconds; in the simulator's own networks they take a period.
        MemoryHost(everybody, always(), transfer=10_000).run(int(rounds * rules.period))
        states = [node.state for node in everybody]
        models = [(s.rows, s.ages, s.dense, s.private) for s in states]
        simulated.append(quality(rules.model, models, train, test))
    return {
        "processes": nodes,
        "seconds": round(time.perf_counter() - started),
        "rounds_a_node": round(rounds, 1),
        "exit_codes": sorted({code for code, _ in ends}),
        "live": quality(rules.model, live, train, test),
        "simulated_by_seed": simulated,
    }
