"""Whole nodes that exchange sums, in virtual time: they recommend, come late, go away, and tell what left."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from tacit.node.assemble import agent_of
from tacit.node.network.wire import Kind, unpack
from tacit.node.push_sum.sum_agent import SumAgent
from tacit.node.runtime import NodeRuntime
from tacit.node.service import Service
from tacit.node.store.records import Rating
from tacit.protocols.push_sum.state import DISCARDED
from tacit.testing.virtual_time import run_virtual
from tests.node.live_network import key_of
from tests.node.push_sum.sum_network import (
    PERIOD,
    SumNetwork,
    everybody,
    liked,
    shares,
    sum_rules,
    tastes,
    weight,
)

EPOCH = 36 * PERIOD
"""The first epoch, in which how many people there are is a guess, and what comes before it."""


def of(agent: SumAgent) -> Service:
    return Service(agent.store.home)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> SumNetwork:
    """Eight people of two tastes after two epochs. Looked at, not touched."""
    network = everybody(tmp_path_factory.mktemp("club"), tastes(8, each=16), sum_rules(), 60)
    network.run(EPOCH + 35 * PERIOD)
    return network


def test_each_is_shown_what_others_of_their_taste_have(club: SumNetwork) -> None:
    assert all(agent.learner.rounds >= 2 for agent in club.nodes)
    right = []
    for number, agent in enumerate(club.nodes):
        shown = of(agent).recommend(8)
        assert len(shown) == 8
        mine = {rating.key for rating in of(agent).ratings()}
        assert mine.isdisjoint(item.key for item in shown)
        kind = range(40) if number % 2 == 0 else range(20, 60)
        right += [int(item.key.removeprefix("csv:")) in kind for item in shown]
        assert len(shown[0].because) == 2
    assert np.mean(right) > 0.85


def test_three_ratings_are_enough_and_a_new_one_changes_the_list_at_once(club: SumNetwork) -> None:
    from tacit.node.recommend import recommend

    agent = club.nodes[0]
    few = recommend(agent.learner, agent.rating_store, liked([1, 2, 3]), 10)
    assert len(few) == 10
    more = recommend(agent.learner, agent.rating_store, liked([1, 2, 3, 58]), 10)
    assert [item.key for item in more] != [item.key for item in few]
    none = recommend(agent.learner, agent.rating_store, [], 5)
    assert len(none) == 5
    assert {item.score for item in none} == {0.0}


def test_the_ledger_tells_every_byte_that_left(club: SumNetwork) -> None:
    for agent in club.nodes[:3]:
        silent = {Kind.OK, Kind.REFUSED, Kind.LATER, Kind.WANTED}  # they say nothing of one's own
        left = [data for who, _, data in club.network.wire if who == agent.me]
        left = [data for data in left if unpack(data)[0] not in silent]
        entries = of(agent).ledger.entries(10_000)
        assert sorted(entry.bytes for entry in entries) == sorted(len(data) for data in left)
        sent = shares(club.network, agent.me)
        assert len(sent) == of(agent).status().sent.updates > 50
        mine = len(of(agent).ratings())
        full = [entry for entry in entries if entry.kind == "update" and entry.rows]
        assert {(entry.rows, entry.rows_rated) for entry in full} == {(60, mine)}
        assert len(full) > 40
        told = [entry for entry in entries if entry.kind in ("exchange", "answer")]
        assert max(entry.rows_rated for entry in told) == mine


def test_neither_ratings_nor_vectors_nor_titles_ever_leave(club: SumNetwork) -> None:
    wire = b"|".join(data for _, _, data in club.network.wire)
    assert len(wire) > 100_000
    assert b"Film" not in wire
    for agent in club.nodes:
        rows = agent.learner.state.rows
        for one in (agent.learner.book.private[0], *rows[np.abs(rows).max(axis=1) > 0.01][:5]):
            assert one.any()
            assert one.tobytes() not in wire
            assert one.astype(np.float16).tobytes() not in wire


def test_what_is_previewed_is_what_leaves(tmp_path: Path) -> None:
    network = everybody(tmp_path, tastes(4), sum_rules(wait=0), 60)
    assert of(network.nodes[0]).preview().rows == 0
    network.run(4 * PERIOD + 1)
    agent = network.nodes[0]
    agent.flush()
    before = agent.store.arrays()
    shown = of(agent).preview()
    assert agent.store.arrays() == before
    (sent,) = agent.wake(10**12)
    entry = of(agent).ledger.entries(1)[0]
    assert (shown.rows, shown.rows_rated, shown.bytes) == (entry.rows, entry.rows_rated, len(sent.data))
    assert (shown.rows, shown.rows_rated) == (60, 12)


def test_a_late_joiner_joins_the_running_epoch_and_recommends_after_it(tmp_path: Path) -> None:
    chosen = tastes(7)
    network = SumNetwork(tmp_path, sum_rules(), eager=True)
    for number in range(6):
        network.person(liked(chosen[number]), [n for n in range(7) if n != number], 60)
    network.run(EPOCH + 45 * PERIOD)
    assert min(agent.learner.good for agent in network.nodes) >= 1
    late = network.person(liked(chosen[6]), list(range(6)))
    assert of(late).recommend(5) == []
    network.run(5 * PERIOD)
    assert late.learner.epoch == network.nodes[0].learner.epoch
    assert late.learner.passive
    assert not late.able
    network.run(60 * PERIOD)
    assert late.learner.rounds >= 1
    assert len(of(late).recommend(5)) == 5
    assert late.learner.able
    assert 0 < len(shares(network.network, late.me)) < 70


def test_somebody_who_leaves_spoils_an_epoch_and_the_others_go_on(tmp_path: Path) -> None:
    network = everybody(tmp_path, tastes(7), sum_rules(), 60)
    network.run(EPOCH + 8 * PERIOD)
    assert all(agent.learner.rounds == 1 for agent in network.nodes)
    assert all(agent.learner.put for agent in network.nodes)
    gone = network.agents.pop()
    rows = network.nodes[0].learner.state.rows.copy()
    network.run(70 * PERIOD)
    assert sum(int(agent.learner.book.clock[0, DISCARDED]) for agent in network.nodes) >= 3
    assert network.nodes[0].learner.state.rows.shape == rows.shape
    network.run(70 * PERIOD)
    assert min(agent.learner.rounds for agent in network.nodes) >= 2
    # Whoever comes back is told where the others are.
    again = agent_of(gone.store, gone.rules, number=gone.learner.number)
    assert isinstance(again, SumAgent)
    network.agents.append(again)
    network.run(12 * PERIOD)
    assert again.learner.epoch == network.nodes[0].learner.epoch


@pytest.mark.parametrize("turn", [1, 4, 8, 20])
def test_somebody_who_is_stopped_hands_over_and_spoils_nothing(tmp_path: Path, turn: int) -> None:
    network = everybody(tmp_path, tastes(7), sum_rules(), 60)
    agents = network.nodes
    last = agents[-1].learner

    async def story() -> None:
        stops = [asyncio.Event() for _ in agents]
        nodes = [
            NodeRuntime(agent, network.network.join(agent.me), jitter=0.0, leave=agent is agents[-1])
            for agent in agents
        ]
        running = [asyncio.create_task(node.run(stop)) for node, stop in zip(nodes, stops, strict=True)]
        while last.rounds < 1 or last.turn < turn:
            await asyncio.sleep(1)
        stops[-1].set()
        await asyncio.sleep(45 * PERIOD)
        for stop in stops:
            stop.set()
        await asyncio.gather(*running)

    run_virtual(story())
    assert np.abs(last.book.sums).max() < 0.1, "all but a rounding was handed over"
    assert [int(agent.learner.book.clock[0, DISCARDED]) for agent in agents] == [0] * 7
    assert min(agent.learner.rounds for agent in agents[:-1]) >= 2


def test_who_agreed_to_masks_and_did_not_put_its_data_in_keeps_its_sums(tmp_path: Path) -> None:
    network = everybody(tmp_path, tastes(7), sum_rules(wait=0), 60)
    agents = network.nodes
    network.run(2 * PERIOD)
    one = next(agent for agent in agents if agent.learner.pairs)
    one.learner.put = False
    assert one.leave(0) == []
    one.learner.put = True
    assert [out.kind for out in one.leave(0)] == [Kind.SHARE]
    assert one.leave(0) == [], "it is on its way"


def test_killed_and_started_again_a_node_goes_on_in_its_epoch(tmp_path: Path) -> None:
    network = everybody(tmp_path, tastes(5), sum_rules(), 60)
    for turn in range(12):
        network.run(3 * PERIOD)
        old = network.nodes[turn % 5]
        again = agent_of(old.store, old.rules, number=old.learner.number)
        assert isinstance(again, SumAgent)
        assert again.learner.epoch == old.learner.epoch
        network.agents[turn % 5] = again
    network.run(15 * PERIOD)
    assert min(agent.learner.rounds for agent in network.nodes) >= 1
    assert {int(agent.learner.book.clock[0, DISCARDED]) for agent in network.nodes} == {0}


def test_a_cluster_counts_as_its_people(tmp_path: Path) -> None:
    chosen = tastes(6)
    network = SumNetwork(tmp_path, sum_rules(), eager=True)
    people = [
        Rating(key_of(int(i)), "", value=5.0, person=who)
        for who, n in (("ana", 4), ("bo", 5))
        for i in chosen[n]
    ]
    network.person(people, [1, 2, 3], 60, cluster=True)
    for number in range(1, 4):
        network.person(liked(chosen[number]), [n for n in range(4) if n != number], 60)
    network.run(8 * PERIOD)
    put = sum(float(agent.learner.book.sums[0, -1]) for agent in network.nodes)
    assert put == pytest.approx(5.0, abs=1e-3)
    network.run(EPOCH)
    service = of(network.nodes[0])
    ana, bo = service.recommend(5, "ana"), service.recommend(5, "bo")
    assert len(ana) == len(bo) == 5
    assert [item.key for item in ana] != [item.key for item in bo]


def test_paused_nothing_leaves_and_the_rest_goes_on(tmp_path: Path) -> None:
    network = everybody(tmp_path, tastes(6), sum_rules(), 60)
    service = of(network.nodes[0])

    async def story() -> list[int]:
        stop = asyncio.Event()
        nodes = [NodeRuntime(a, network.network.join(a.me), jitter=0.0) for a in network.agents]
        running = [asyncio.create_task(node.run(stop)) for node in nodes]
        counts = []
        for paused in (True, False):
            await asyncio.sleep(10 * PERIOD)
            service.set_sharing(paused=paused)
            await asyncio.sleep(1.5)
            counts.append(len(service.ledger.entries(10_000)))
        await asyncio.sleep(10 * PERIOD)
        counts.append(len(service.ledger.entries(10_000)))
        stop.set()
        await asyncio.gather(*running)
        return counts

    counts = run_virtual(story())
    assert counts[0] > 5
    assert counts[1] == counts[0]  # nothing left while paused
    assert counts[2] > counts[1]
    assert sum(weight(update) > 0 for _, _, update in shares(network.network, network.nodes[1].me)) > 5
