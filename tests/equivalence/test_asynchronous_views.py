"""Asynchronous gossip to views: a simulated fleet and real nodes, each in its own time, end with the same bits."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit.core.compiled.threads import Workers
from tacit.core.interactions import Positions
from tacit.core.message import codec
from tacit.core.message.update import Draws, Update, reshape
from tacit.core.rng import Stream, normals
from tacit.merges import model_age, performance, samples
from tacit.models.gmf import GeneralizedMatrixFactorization as Gmf
from tacit.protocols.view_gossip.asynchronous_simulation import AsynchronousSimulation, Pace
from tacit.protocols.view_gossip.network_simulation import Held
from tacit.protocols.view_gossip.node import Agreed, Habits, ViewNode
from tacit.simulator import checkpoint as snapshot
from tacit.simulator.churn.sessions import always, online_at, online_through
from tacit.simulator.simulation import Scenario
from tests.equivalence.networks import FULL, fingerprint, ratings, sessions

ROUNDS = 6
PACE = Pace(periods=4.0, bandwidths=3.0)
MERGES = {
    "performance": performance.merge(k=3, negatives=8),
    "samples": samples.merge(),
    "model-age": model_age.merge(),
}


@dataclass(frozen=True)
class Noise:
    """Moves every row that leaves, by another number each time."""

    def apply(self, update: Update, rated: Positions, draws: Draws) -> Update:
        moved = normals(draws.seed, Stream.MASK_NOISE, draws.event, draws.node + 1, update.rows.size)[
            draws.node
        ]
        return reshape(update, rows=update.rows + 0.1 * moved.reshape(update.rows.shape).astype("float32"))


def simulation(
    habits: Habits,
    *,
    users: int = 12,
    pace: Pace = PACE,
    staggered: bool = True,
    paper: bool = False,
    churn: bool = False,
    threads: int = 1,
) -> AsynchronousSimulation:
    train = ratings(users, 25)
    online = sessions(users, hours=20) if churn else always()
    setting = Scenario(
        Gmf(k=3, lr=0.2), train, 7, online, full_seconds=FULL, workers=Workers(threads), staggered=staggered
    )
    weighting = np.minimum(train.counts // 3, train.counts - 1)
    avoid = ratings(users, 25, 0) if paper else None
    return AsynchronousSimulation(setting, habits, Held(weighting, avoid), pace)


def nodes_of(simulated: AsynchronousSimulation) -> list[ViewNode]:
    s, held = simulated._scenario, simulated._held
    agreed = Agreed(s.model, simulated._habits, s.seed, s.epochs)
    return [
        ViewNode(
            u, s.train.users, agreed, s.train.items, s.train.of(u)[0], int(held.weighting[u]),
            None if held.avoid is None else held.avoid.of(u)[0],
        )
        for u in range(s.train.users)
    ]  # fmt: skip


def play(nodes: list[ViewNode], simulated: AsynchronousSimulation, until: int) -> list[int]:
    """A host of a few lines: one event after the other. How many messages left each node."""
    online, transfer, periods = simulated._scenario.sessions, simulated._clocks.transfer, simulated._periods
    left = [0] * len(nodes)
    arrival, wake = 0, 1  # at one instant arrivals come first, by ascending sender
    queue: list[tuple[int, int, int, int, Any]] = [
        (int(simulated._clocks.due[n.number]), wake, n.number, n.number, None) for n in nodes
    ]
    heapq.heapify(queue)
    while queue and queue[0][0] <= until:
        now, kind, sender, number, came = heapq.heappop(queue)
        if kind == arrival:
            data, told = came
            nodes[number].receive(sender, codec.decode(data), nodes[sender].samples, told)
            continue
        heapq.heappush(queue, (now + int(periods[number]), wake, number, number, None))
        if not online_at(online, number, now):
            continue
        for place, send in enumerate(nodes[number].wake()):
            begin = now + place * int(transfer[number])
            end = begin + int(transfer[number])
            left[number] += online_through(online, number, now, begin)
            if online_through(online, number, now, end) and online_through(online, send.peer, begin, end):
                message = (codec.encode(send.update), nodes[number].told())
                heapq.heappush(queue, (end, arrival, number, send.peer, message))
    return left


CASES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "as in the paper": ({}, {}),
    "alike, but staggered": ({}, {"pace": Pace()}),
    "all at once, then apart": ({}, {"staggered": False}),
    "strangers from everybody": ({"from_views": False, "best": True}, {}),
    "paper negatives": ({}, {"paper": True}),
    "churn": ({}, {"churn": True}),
    "two nodes": ({}, {"users": 2}),
    "reptile's step": ({"step": 0.4, "common": False, "alpha": 1.0}, {}),
    "averaged read-out": ({"read_out": "averaged", "fresh": 0.3}, {}),
    "refreshed weighting sets, slow views": ({"refresh": 2, "period": 3, "memory": 4}, {}),
    "noise": ({"shields": (Noise(),)}, {}),
    "noise and churn": ({"shields": (Noise(),)}, {"churn": True}),
}


def build(case: str, merge: str = "performance", **more: Any) -> AsynchronousSimulation:
    habit, network = CASES[case]
    return simulation(Habits(MERGES[merge], **habit), **network, **more)


def ended(simulated: AsynchronousSimulation) -> dict[str, bytes | int]:
    simulated.advance(ROUNDS * simulated.period)
    return fingerprint(simulated)


@pytest.mark.parametrize("merge", MERGES)
@pytest.mark.parametrize("case", CASES)
def test_simulated_and_real_nodes_end_with_the_same_bits(merge: str, case: str) -> None:
    simulated = build(case, merge)
    nodes = nodes_of(simulated)
    left = play(nodes, simulated, ROUNDS * simulated.period)
    ended(simulated)
    assert simulated.node_rounds > 0
    assert simulated.traffic.updates.tolist() == left
    for u, node in enumerate(nodes):
        shown = simulated.fleet.node(u)
        assert simulated._received[u] == node.received
        assert shown.rows.tobytes() == node.shown.rows.tobytes(), f"rows node {u} recommends with"
        assert shown.private.tobytes() == node.state.private.tobytes(), f"private part of node {u}"
        own, at = simulated._own()
        assert own.rows[at[u]].tobytes() == node.state.rows.tobytes(), f"rows of node {u}"
        assert own.clock[at[u]] == node.state.clock, f"clock of node {u}"


@pytest.mark.parametrize("case", ["as in the paper", "averaged read-out", "churn", "noise"])
def test_neither_threads_nor_windows_matter(case: str) -> None:
    plain, threaded, narrow = build(case), build(case, threads=3), build(case)
    narrow._window = max(1, narrow._window // 7)
    assert ended(plain) == ended(threaded) == ended(narrow)


@pytest.mark.parametrize(
    "case", ["as in the paper", "averaged read-out", "refreshed weighting sets, slow views", "noise", "churn"]
)
def test_a_run_goes_on_where_it_was_saved(case: str, tmp_path: Path) -> None:
    first, second = build(case), build(case)
    first.advance(2 * first.period + 12345)
    snapshot.write(tmp_path / "state.npz", first.save())
    with snapshot.Reader(tmp_path / "state.npz") as arrays:
        second.restore(arrays)
    assert ended(second) == ended(build(case))


def test_nodes_that_are_slower_send_less_often_and_nobody_overtakes_itself() -> None:
    simulated = build("as in the paper")
    ended(simulated)
    periods, transfer = simulated._periods, simulated._clocks.transfer
    assert periods.max() / periods.min() > 1.5
    assert transfer.max() / transfer.min() > 1.5
    assert (periods >= 3 * transfer).all()
    slowest, fastest = periods.argmax(), periods.argmin()
    assert simulated.traffic.updates[slowest] < simulated.traffic.updates[fastest]


def test_periods_and_transfers_spread_evenly_on_a_logarithmic_scale() -> None:
    simulated = simulation(Habits(MERGES["samples"]), users=400, pace=Pace(periods=4.0))
    factors = simulated._periods / simulated.period
    assert 1.0 <= factors.min() < 1.02 < 3.9 < factors.max() <= 4.0
    assert (factors < 2).mean() == pytest.approx(0.5, abs=0.05)
    links = simulation(Habits(MERGES["samples"]), users=400, pace=Pace(bandwidths=3.0))._clocks.transfer
    assert 2.9 < links.max() / links.min() <= 3.0
