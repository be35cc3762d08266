"""Gossip to views: a simulated fleet and real nodes, whose messages are encoded and decoded, end with the same bits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit.core.compiled.threads import Workers
from tacit.core.message import codec
from tacit.merges import model_age, performance, samples
from tacit.models.gmf import GeneralizedMatrixFactorization as Gmf
from tacit.protocols.view_gossip.network_simulation import Held
from tacit.protocols.view_gossip.node import Agreed, Habits, ViewNode
from tacit.protocols.view_gossip.simulation import ViewGossipSimulation
from tacit.simulator import checkpoint as snapshot
from tacit.simulator.churn.sessions import always, online_at, online_through
from tacit.simulator.simulation import Scenario
from tests.equivalence.networks import FULL, fingerprint, ratings, sessions

ROUNDS = 7
MERGES = {
    "performance": performance.merge(k=3, negatives=8),
    "samples": samples.merge(),
    "model-age": model_age.merge(),
    "performance, lists per item": performance.merge(k=3, negatives=8, drawn="item"),
}


def simulation(
    habits: Habits,
    *,
    users: int = 12,
    travel: bool = False,
    paper: bool = False,
    churn: bool = False,
    adam: bool = False,
    threads: int = 1,
) -> ViewGossipSimulation:
    train = ratings(users, 25)
    vectors, optimizer = "travel" if travel else "private", "adam" if adam else "sgd"
    model = Gmf(k=3, lr=0.02 if adam else 0.2, user_vectors=vectors, optimizer=optimizer)
    online = sessions(users, hours=20) if churn else always()
    setting = Scenario(model, train, 7, online, epochs=2, full_seconds=FULL, workers=Workers(threads))
    weighting = np.minimum(train.counts // 3, train.counts - 1)
    return ViewGossipSimulation(setting, habits, Held(weighting, ratings(users, 25, 0) if paper else None))


def nodes_of(simulated: ViewGossipSimulation) -> list[ViewNode]:
    s, habits, held = simulated._scenario, simulated._habits, simulated._held
    agreed = Agreed(s.model, habits, s.seed, s.epochs)
    return [
        ViewNode(
            u, s.train.users, agreed, s.train.items, s.train.of(u)[0], int(held.weighting[u]),
            None if held.avoid is None else held.avoid.of(u)[0],
        )
        for u in range(s.train.users)
    ]  # fmt: skip


def play(nodes: list[ViewNode], simulated: ViewGossipSimulation) -> None:
    """A host of a few lines: everybody sends, then everything that made it is delivered by ascending sender."""
    online, period = simulated._scenario.sessions, simulated.period
    for r in range(ROUNDS):
        begin, end = r * period, (r + 1) * period
        wire = []
        for node in nodes:
            for send in node.wake():
                ends = (node.number, send.peer)
                if online_at(online, node.number, begin) and all(
                    online_through(online, e, begin, end) for e in ends
                ):
                    wire.append((node.number, send.peer, codec.encode(send.update)))
        told = [node.told() for node in nodes]
        for sender, receiver, data in wire:
            nodes[receiver].receive(sender, codec.decode(data), nodes[sender].samples, told[sender])


def ended(simulated: ViewGossipSimulation) -> dict[str, bytes | int]:
    simulated.advance(ROUNDS * simulated.period)
    return fingerprint(simulated)


CASES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "as in the paper": ({}, {}),
    "travelling vectors": ({}, {"travel": True}),
    "paper negatives": ({}, {"paper": True}),
    "random peers": ({"alpha": 1.0}, {}),
    "strangers from everybody": ({"from_views": False}, {}),
    "best scores": ({"best": True}, {}),
    "churn": ({}, {"churn": True}),
    "two nodes": ({}, {"users": 2}),
    "reptile's step": ({"step": 0.4, "common": False}, {}),
    "reptile's step without the vector": ({"step": 0.4, "step_vector": False}, {}),
    "merged read-out": ({"read_out": "merged"}, {}),
    "averaged read-out": ({"read_out": "averaged", "fresh": 0.3}, {}),
    "refreshed weighting sets, slow views": ({"refresh": 2, "period": 3, "memory": 4}, {}),
    "adam": ({}, {"adam": True}),
    "adam, travelling vectors, refreshed weighting sets": ({"refresh": 2}, {"adam": True, "travel": True}),
}


@pytest.mark.parametrize("merge", MERGES)
@pytest.mark.parametrize("case", CASES)
def test_simulated_and_real_nodes_end_with_the_same_bits(merge: str, case: str) -> None:
    habit, network = CASES[case]
    simulated = simulation(Habits(MERGES[merge], **habit), **network)
    nodes = nodes_of(simulated)
    ended(simulated)
    play(nodes, simulated)
    assert simulated.node_rounds > 0
    for u, node in enumerate(nodes):
        shown = simulated.fleet.node(u)
        assert shown.rows.tobytes() == node.shown.rows.tobytes(), f"rows node {u} recommends with"
        assert shown.dense.tobytes() == node.shown.dense.tobytes(), f"dense part of node {u}"
        assert shown.private.tobytes() == node.state.private.tobytes(), f"private part of node {u}"
        own = simulated._sent
        assert own.rows[u].tobytes() == node.state.rows.tobytes(), f"rows of node {u}"
        assert own.ages[u].tolist() == node.state.ages.tolist(), f"ages of node {u}"
        assert own.clock[u] == node.state.clock, f"clock of node {u}"
        assert simulated._received[u] == node.received
        start = simulated._data.memory_start
        kept = simulated._data.memory[start[u] : start[u + 1]]
        assert kept.tobytes() == node.state.memory.tobytes(), f"what node {u} remembers"


@pytest.mark.parametrize("case", ["as in the paper", "averaged read-out", "churn", "adam"])
def test_the_number_of_threads_does_not_matter(case: str) -> None:
    habit, network = CASES[case]
    habits = Habits(MERGES["performance"], **habit)
    assert ended(simulation(habits, **network)) == ended(simulation(habits, threads=3, **network))


@pytest.mark.parametrize(
    "case", ["as in the paper", "merged read-out", "refreshed weighting sets, slow views", "adam"]
)
def test_a_run_goes_on_where_it_was_saved(case: str, tmp_path: Path) -> None:
    habit, network = CASES[case]
    habits = Habits(MERGES["performance"], **habit)
    first, second = simulation(habits, **network), simulation(habits, **network)
    first.advance(3 * first.period + 5)
    snapshot.write(tmp_path / "state.npz", first.save())
    with snapshot.Reader(tmp_path / "state.npz") as arrays:
        second.restore(arrays)
    assert ended(second) == ended(simulation(habits, **network))


@pytest.mark.parametrize("from_views", [True, False])
def test_bytes_are_those_that_are_encoded_and_what_travels_beside_the_model(from_views: bool) -> None:
    """A sample count has 8 bytes, and each of the three peers of a view that is told has 4."""
    for merge, samples_bytes in (("performance", 0), ("samples", 8)):
        extra = samples_bytes + (12 if from_views else 0)
        simulated = simulation(Habits(MERGES[merge], from_views=from_views))
        data = codec.encode(nodes_of(simulated)[0].wake()[0].update)
        ended(simulated)
        assert simulated.messages == ROUNDS * 12 * 3
        assert simulated.bytes == simulated.messages * (len(data) + extra)


def test_private_vectors_stay_and_travelling_ones_do_not() -> None:
    """With private vectors, what a node sends cannot tell two persons' vectors apart that learned nothing."""
    for travel in (False, True):
        nodes = nodes_of(simulation(Habits(MERGES["samples"], common=False), travel=travel))
        vector = nodes[0].state.dense[3:] if travel else nodes[0].state.private
        assert (vector.tobytes() in codec.encode(nodes[0].wake()[0].update)) == travel


def test_what_an_optimizer_remembers_is_in_no_message() -> None:
    """A whole run is searched for every moment any node ever had; counts of steps are numbers anybody could hit on."""
    simulated = simulation(Habits(MERGES["performance"]), users=5, adam=True)
    nodes, size = nodes_of(simulated), 1 + 2 * 3
    wire, secrets = b"", set()
    for _ in range(ROUNDS):
        sends = [(node.number, send) for node in nodes for send in node.wake()]
        wire += b"|".join(codec.encode(send.update) for _, send in sends)
        for sender, send in sends:
            nodes[send.peer].receive(sender, send.update, view=nodes[sender].told())
            moments = nodes[send.peer].state.memory.reshape(-1, size)[:, 1:]
            secrets |= {number.tobytes() for number in moments[moments != 0]}
    assert len(secrets) > 1000
    assert not [secret for secret in secrets if secret in wire]
    # The search does find what was sent.
    assert sends[0][1].update.rows[0].tobytes() in wire
