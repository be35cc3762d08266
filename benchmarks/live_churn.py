"""Node processes that are killed and started again all the time, while their people go on rating. For `live_node.py`.

Checked while it runs, and at the end. Each violation is a line of the summary, and the program ends with 1:

    ratings    every rating that was acknowledged is there, with its value, before each kill and at the end
    ledger     its numbers have no gap; the last model a peer took of a node stands in that node's ledger, for that peer
    stores     sound (SQLite's own check), and the saved model can be read and is finite
    crashes    no process ends by itself, all end with 0 when asked to, none says anything on the way
    starts     every process is up before its turn comes again; kills come as often as they should
    learning   every node goes on learning in the second half; the error on held-out ratings falls
"""

from __future__ import annotations

import math
import os
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from live_network import Process, folder, kill, movielens, named, network, quality, saved

from tacit.core.interactions import Interactions
from tacit.node.peer_compatibility import rules_of
from tacit.node.service import Service
from tacit.node.store.records import Rating
from tacit.node.warmup import warm_up

_MODEL = "mf"
_AT_ONCE = 4
"""Processes started at the same time in the beginning."""
_PROGRESS = 15.0


class Churn:
    """One run."""

    def __init__(self, home: Path, nodes: int, minutes: float, pace: float, every: float) -> None:
        self.nodes, self.minutes, self.pace, self.every = nodes, minutes, pace, every
        self.train, self.test = movielens(nodes)
        turns = math.ceil(60 * minutes / pace / nodes)
        self.later: list[list[Rating]] = []
        """What each person will rate while it runs: up to half of what they have."""
        self.said: list[dict[str, float]] = []
        """What each person's node acknowledged."""
        people = []
        for user in range(nodes):
            items, values = self.train.of(user)
            own = [Rating(f"csv:{i}", "", value=float(v)) for i, v in zip(items, values, strict=True)]
            first = max(len(own) // 2, len(own) - turns)
            people.append(own[:first])
            self.later.append(own[first:])
            self.said.append({rating.key: float(rating.value or 0) for rating in own[:first]})
        self.homes = network(home, people, _MODEL)
        self.running: list[Process] = []
        self.violations: list[str] = []
        self.killed = 0
        self.most_memory = (0.0, 0.0)

    def start(self) -> None:
        """A few at a time: all at once would only wait for each other. Until each has learned and saved."""
        warm_up(rules_of(_MODEL, 1, 1.0))
        for first in range(0, self.nodes, _AT_ONCE):
            group = [Process(one, self.every, wait=False) for one in self.homes[first : first + _AT_ONCE]]
            self.running += group
            for node in group:
                self.expect(node.ready(), f"a process did not start in {node.home.name}")
            say(f"{len(self.running)} of {self.nodes} processes run")
        patience = time.perf_counter() + 60
        while min(self.rounds()) == 0 and time.perf_counter() < patience:
            time.sleep(1)
        self.expect(min(self.rounds()) > 0, "a node had no model on disk a minute after its start")

    def run(self) -> list[int]:
        """Kill and start for the time given; how often each node had learned in the middle of it."""
        begin = now = told = time.perf_counter()
        rounds: list[int] = []
        end = begin + 60 * self.minutes
        while now < end:
            self.turn(self.killed % self.nodes)
            if not rounds and now > (begin + end) / 2:
                rounds = self.rounds()
            if now > told + _PROGRESS:
                told = now
                self.tell(now - begin)
            time.sleep(max(0.0, begin + self.pace * self.killed - time.perf_counter()))
            now = time.perf_counter()
        gap = (now - begin) / self.killed
        self.expect(gap < 1.25 * self.pace, f"a kill every {gap:.2f} seconds instead of {self.pace:g}")
        return rounds

    def turn(self, number: int) -> None:
        """One person rates, and at once their node is killed without warning and started again."""
        node, service = self.running[number], Service(self.homes[number])
        self.expect(node.ready(0), f"a process was not up within {self.nodes * self.pace:g} seconds")
        self.check_ratings(number, service)
        if self.later[number]:
            rating = self.later[number].pop(0)
        else:
            rating = Rating(f"csv:{10_000 + self.killed}", "", value=3.0)
        service.rate(rating.key, float(rating.value or 0))
        self.said[number][rating.key] = float(rating.value or 0)
        service.close()
        self.expect(node.process.poll() is None, f"a process ended by itself with {node.process.returncode}")
        _, said = node.stop(signal.SIGKILL)
        self.expect(not said, f"a process said: {said.strip()[-300:]}")
        self.running[number] = Process(self.homes[number], self.every, wait=False)
        self.killed += 1

    def stop(self) -> None:
        """Ask all to end."""
        for node in self.running:
            self.expect(node.ready(), "a process was not up at the end")
        time.sleep(2 * self.every)
        for node in self.running:
            code, said = node.stop()
            self.expect(code == 0, f"a process ended with {code} when asked to")
            self.expect(not said, f"a process said: {said.strip()[-300:]}")

    def check_ratings(self, number: int, service: Service) -> None:
        """Everything acknowledged is there."""
        there = {rating.key: rating.value for rating in service.ratings()}
        self.expect(there == self.said[number], f"ratings of node {number} are not what was acknowledged")

    def check_stores(self) -> dict[str, Any]:
        """Every store, and each against those it talked to."""
        services = [Service(one) for one in self.homes]
        ids = [service.store.setting("id") for service in services]
        ledgers = [
            {entry.id: entry.peer for entry in service.ledger.entries(10**9) if entry.kind == "update"}
            for service in services
        ]
        sent = taken = refused = 0
        notes: Counter[str] = Counter()
        for number, service in enumerate(services):
            self.check_ratings(number, service)
            check = service.store.read("PRAGMA integrity_check")
            self.expect(check == [("ok",)], f"the store of node {number} is damaged: {check[0][0]}")
            count, last = service.store.read("SELECT count(*), max(id) FROM ledger")[0]
            self.expect(
                count == last, f"the ledger of node {number} has {count} lines, the last is number {last}"
            )
            for peer in service.peers():
                if peer.sequence:
                    entered = ledgers[ids.index(peer.id)].get(peer.sequence)
                    self.expect(entered == ids[number], f"node {number} took a model that is in no ledger")
            status = service.status()
            sent += status.sent.updates
            taken += status.received.updates
            refused += status.received.refused
            notes.update(
                " ".join(w for w in note.line.split() if len(w) < 10)
                for note in service.problem_log.latest(10**6)
            )
            service.close()
        self.expect(taken <= sent, f"{taken} models taken, {sent} in the ledgers")
        return {"models_sent": sent, "models_taken": taken, "refused": refused, "notes": notes.most_common(8)}

    def quality(self) -> dict[str, float]:
        """On held-out ratings, from the models on disk."""
        learners = [saved(one, _MODEL) for one in self.homes]
        for number, learner in enumerate(learners):
            self.expect(
                bool(np.isfinite(learner.state.rows).all()), f"node {number} has numbers that are none"
            )
        models = [named(learner, self.train.items) for learner in learners]
        train = _everything(self.said, self.train)
        return quality(rules_of(_MODEL, 1, 1.0).model, models, train, self.test)

    def rounds(self) -> list[int]:
        """How often each node learned, as far as it is on disk."""
        return [saved(one, _MODEL).rounds for one in self.homes]

    def tell(self, seconds: float) -> None:
        """A line of progress."""
        memory = [node.memory() for node in self.running if node.process.poll() is None]
        total = sum(own for _, own in memory)
        self.most_memory = (
            max(self.most_memory[0], max(all_ for all_, _ in memory)),
            max(self.most_memory[1], total),
        )
        say(
            f"{seconds:.0f} s: {self.killed} killed, {sum(node.ready(0) for node in self.running)} up, "
            f"{total:,.0f} MB, load {os.getloadavg()[0]:.1f}, {len(self.violations)} violations"
        )

    def expect(self, holds: bool, otherwise: str) -> None:
        """Note a violation once, and say it at once."""
        if not holds and otherwise not in self.violations:
            self.violations.append(otherwise)
            say(f"violated: {otherwise}")


def churn(nodes: int, minutes: float, pace: float, every: float) -> dict[str, Any]:
    """Every `pace` seconds one node is killed without warning and started again, while people go on rating."""
    with folder() as home:
        run = Churn(home, nodes, minutes, pace, every)
        began = time.perf_counter()
        try:
            run.start()
            first = run.quality()
            middle = run.run()
            run.stop()
        finally:
            kill(run.running)
        last = run.quality()
        traffic = run.check_stores()
        second_half = [end - before for before, end in zip(middle, run.rounds(), strict=True)]
        run.expect(min(second_half) > 0, f"{sum(r <= 0 for r in second_half)} nodes stopped learning")
        run.expect(
            last["rmse"] < first["rmse"], f"the error went from {first['rmse']:.3f} to {last['rmse']:.3f}"
        )
        return {
            "processes": nodes, "minutes": minutes, "pace": pace, "every": every, "killed": run.killed,
            "ratings_acknowledged_while_running": run.killed, "first": first, "last": last,
            "rounds_in_the_second_half": {"least": min(second_half), "all": sum(second_half)}, **traffic,
            "most_megabytes": {"one_resident": round(run.most_memory[0]), "all": round(run.most_memory[1])},
            "seconds": round(time.perf_counter() - began), "violations": run.violations,
        }  # fmt: skip


def say(line: str) -> None:
    """Progress."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def _everything(said: list[dict[str, float]], like: Interactions) -> Interactions:
    rows = [
        (user, int(key.removeprefix("csv:")), value)
        for user, ratings in enumerate(said)
        for key, value in ratings.items()
        if int(key.removeprefix("csv:")) < like.items
    ]
    return Interactions.from_pairs(*zip(*rows, strict=True), users=len(said), items=like.items)
