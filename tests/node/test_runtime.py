"""Whole nodes in virtual time: they meet by invitation, learn from each other, and say nothing they should not."""

from __future__ import annotations

import asyncio
import itertools
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.errors import BadInput
from tacit.node.agent import Agent
from tacit.node.catalogue.item_keys import row_id
from tacit.node.exchange.disclosure import takes_part
from tacit.node.network.wire import Kind, NamedUpdate, unpack
from tacit.node.peer_compatibility import rules_of
from tacit.node.runtime import NodeRuntime
from tacit.node.service import Service
from tacit.node.store.records import Peer, Rating
from tacit.testing.virtual_time import run_virtual
from tests.node.live_network import LiveNetwork, key_of, make_store, name_of


def films(items: range, person: str = "") -> list[Rating]:
    """Everybody likes even numbers."""
    return [Rating(key_of(i), f"Film {i}", value=5.0 if i % 2 == 0 else 1.0, person=person) for i in items]


def pair(home: Path, model: str = "bpr", **settings: object) -> LiveNetwork:
    """Two people who know each other and share some films."""
    network = LiveNetwork(home, rules_of(model, 7, 10.0), eager=True)
    network.add(films(range(30)), [1], model=model, **settings)
    network.add(films(range(20, 50)), [0], model=model, **settings)
    return network


def of(network: LiveNetwork, number: int) -> Service:
    return Service(network.agents[number].store.home)


@pytest.mark.parametrize("model", ["bpr", "gmf", "mf"])
def test_within_minutes_each_is_shown_what_only_the_other_rated(tmp_path: Path, model: str) -> None:
    network = pair(tmp_path, model)
    assert of(network, 0).recommend(10) == []
    network.run(400)
    shown = of(network, 0).recommend(10)
    other = {key_of(i) for i in range(30, 50)}
    assert len(shown) == 10
    assert {item.key for item in shown} <= other
    if model == "mf":  # both like even numbers; two people are too few for learning to rank to notice
        assert sum(int(item.key.removeprefix("csv:")) % 2 == 0 for item in shown) >= 8
    assert all(near.startswith("Film ") for item in shown for near in item.because)
    assert len(shown[0].because) == 2


def test_the_ledger_tells_every_byte_that_left(tmp_path: Path) -> None:
    network = pair(tmp_path)
    network.run(95)
    for number, agent in enumerate(network.agents):
        silent = {Kind.OK, Kind.REFUSED}  # they say nothing
        left = [data for who, _, data in network.network.wire if who == agent.me]
        left = [data for data in left if unpack(data)[0] not in silent]
        entries = of(network, number).ledger.entries(1000)
        assert sorted(entry.bytes for entry in entries) == sorted(len(data) for data in left)
        updates = [unpack(data)[1] for data in left if unpack(data)[0] is Kind.UPDATE]
        assert 8 <= len(updates) <= 10
        rows = [len(update.names) for update in updates if isinstance(update, NamedUpdate)]
        assert sorted(rows) == sorted(entry.rows for entry in entries if entry.kind == "update")
        assert of(network, number).status().sent.updates == len(updates)


def test_what_is_previewed_is_what_leaves(tmp_path: Path) -> None:
    network = pair(tmp_path)
    network.run(40)
    agent, service = network.agents[0], of(network, 0)
    shown = service.preview()
    sent = agent.wake(10**9)[0]
    entry = service.ledger.entries(1)[0]
    assert (shown.rows, shown.rows_rated, shown.bytes) == (entry.rows, entry.rows_rated, len(sent.data))
    assert sum(mine for _, mine in shown.items) == shown.rows_rated > 0
    assert len(shown.items) == shown.rows


@pytest.mark.parametrize("model", ["bpr", "gmf", "mf"])
def test_neither_ratings_nor_the_person_s_part_nor_titles_ever_leave(tmp_path: Path, model: str) -> None:
    network = LiveNetwork(tmp_path, rules_of(model, 7, 10.0), eager=True)
    rng = np.random.default_rng(3)
    odd = (rng.random(40) * 3.9 + 1.0).astype(np.float32)
    for number in range(3):
        mine = range(number * 10, number * 10 + 20)
        ratings = [Rating(key_of(i), f"Secret title {i}", value=float(odd[i])) for i in mine]
        network.add(ratings, [n for n in range(3) if n != number], model=model, name="")
    secrets: set[bytes] = set()
    for agent in network.agents:
        learn = agent.learner.learn

        def watched(agent: Agent = agent, learn=learn) -> None:  # type: ignore[no-untyped-def]
            learn()
            secrets.update(number.tobytes() for number in agent.learner.state.private)

        agent.learner.learn = watched  # type: ignore[method-assign]
    network.run(120)
    wire = b"|".join(data for _, _, data in network.network.wire)
    assert len(wire) > 10_000
    assert len(secrets) > 200
    assert not [secret for secret in secrets if secret in wire]
    for rating in odd:
        assert struct.pack("<f", rating) not in wire
        assert struct.pack("<d", float(rating)) not in wire
    assert b"Secret" not in wire
    assert network.agents[0].learner.state.rows[0].tobytes() in wire or network.agents[0].learner.rounds > 0


@settings(max_examples=8)
@given(st.lists(st.floats(1, 5), min_size=12, max_size=12), st.sampled_from(["mf", "bpr"]))
def test_ratings_that_take_no_part_leave_no_mark_in_any_byte(tmp_path_factory, values, model: str) -> None:  # type: ignore[no-untyped-def]
    """Hidden ratings other than they are, or not there at all: the same bytes leave."""
    pi, seed = 0.5, 7

    def sent(hidden: list[float] | None) -> list[bytes]:
        network = LiveNetwork(tmp_path_factory.mktemp("n"), rules_of(model, seed, 10.0), eager=True)
        ratings = []
        for i in range(12):
            shown = takes_part(seed, row_id(key_of(i)), pi)
            if shown or hidden is not None:
                value = 1.0 + i % 5 if shown or hidden is None else hidden[i]
                ratings.append(Rating(key_of(i), "", value=value))
        network.add(ratings, [1], model=model, disclosure=pi)
        network.add(films(range(6, 20)), [0], model=model)
        network.run(65)
        return [data for who, _, data in network.network.wire if who == name_of(0)]

    without = sent(None)
    assert len(without) > 6
    assert sent(values) == without


@pytest.mark.parametrize("model", ["mf", "bpr"])
def test_rows_of_ratings_that_take_no_part_are_not_kept_before_others(tmp_path: Path, model: str) -> None:
    """Which rows stay where there is no more room shows in what is sent."""
    network = LiveNetwork(tmp_path, rules_of(model, 7, 10.0))
    agent = network.add(films(range(12)), [], catalogue=12, model=model, disclosure=0.5)
    shown = {row_id(key_of(i)) for i in range(12) if takes_part(7, row_id(key_of(i)), 0.5)}
    assert 0 < len(shown) < 12
    assert set(agent.learner.row_index.names[agent.learner.pinned].tolist()) == shown


def test_about_the_chosen_share_takes_part_and_raising_it_keeps_those_that_did() -> None:
    rows = [row_id(key_of(i)) for i in range(4000)]
    some = {row for row in rows if takes_part(3, row, 0.4)}
    more = {row for row in rows if takes_part(3, row, 0.6)}
    assert 0.37 < len(some) / len(rows) < 0.43
    assert some < more
    assert not any(takes_part(3, row, 0.0) for row in rows)
    assert all(takes_part(3, row, 1.0) for row in rows)
    assert some != {row for row in rows if takes_part(4, row, 0.4)}


def test_with_disclosure_0_nothing_of_one_s_own_leaves_and_one_still_learns_from_others(
    tmp_path: Path,
) -> None:
    network = LiveNetwork(tmp_path, rules_of("mf", 7, 10.0), eager=True)
    network.add(films(range(20)), [1], disclosure=0.0)
    network.add(films(range(10, 30)), [0])
    network.run(120)
    told = [unpack(data)[1] for who, _, data in network.network.wire if who == name_of(0)]
    own = {row_id(key_of(i)) for i in range(10)}
    for body in told:
        if isinstance(body, NamedUpdate):
            assert not own & set(body.names.tolist())
    assert {key_of(i) for i in range(10)}.isdisjoint(network.agents[0].next_exchange().keys)
    assert len(of(network, 0).recommend(5)) == 5


def test_an_invitation_brings_two_strangers_together(tmp_path: Path) -> None:
    network = LiveNetwork(tmp_path, rules_of("bpr", 7, 10.0), eager=True)
    network.add(films(range(20)), [], model="bpr", name="Ana")
    network.add(films(range(10, 30)), [], model="bpr", name="Bo")
    ana, bo = of(network, 0), of(network, 1)
    bo.join(ana.invite())
    with pytest.raises(BadInput, match="own"):
        ana.join(ana.invite())
    network.run(60)
    assert [(peer.name, peer.allowed, peer.secret) for peer in ana.peers()] == [("Bo", True, "")]
    assert [(peer.name, peer.allowed, peer.secret) for peer in bo.peers()] == [("Ana", True, "")]
    assert ana.status().received.updates > 2
    assert bo.status().received.updates > 2


def test_nodes_that_differ_say_so_to_both_people(tmp_path: Path) -> None:
    one = LiveNetwork(tmp_path / "a", rules_of("mf", 7, 10.0), eager=True)
    one.add(films(range(20)), [1])
    other = LiveNetwork(tmp_path / "b", rules_of("bpr", 7, 10.0), eager=True, network=one.network)
    other.agents.append(one.agents[0])
    other.add(films(range(20)), [0], model="bpr")
    before = one.agents[0].learner.rounds
    other.run(60)
    assert one.agents[0].learner.rounds == before
    assert "model mf" in of(other, 1).problem_log.latest()[0].line
    assert "nodes differ" in of(other, 1).peers()[0].problem
    assert of(other, 0).status().received.refused > 0


def test_pausing_resuming_and_new_ratings_are_followed_within_a_second(tmp_path: Path) -> None:
    network = pair(tmp_path, "mf")
    service = of(network, 0)

    async def story() -> list[int]:
        stop = asyncio.Event()
        nodes = [NodeRuntime(a, network.network.join(a.me), jitter=0.0) for a in network.agents]
        running = [asyncio.create_task(node.run(stop)) for node in nodes]
        counts = []
        for change in ("pause", "resume", "rate", "stop"):
            await asyncio.sleep(60)
            counts.append(len(service.ledger.entries(1000)))
            if change in ("pause", "resume"):
                service.set_sharing(paused=change == "pause")
                await asyncio.sleep(1.5)
                counts.append(len(service.ledger.entries(1000)))
            if change == "rate":
                rounds = network.agents[0].learner.rounds
                service.rate("film:t:night ferry:2010", 5.0)
                await asyncio.sleep(1.5)
                assert network.agents[0].learner.rounds > rounds
        stop.set()
        await asyncio.gather(*running)
        return counts

    counts = run_virtual(story())
    assert counts[0] > 5
    assert counts[2] == counts[1]  # nothing left while paused
    assert counts[-1] > counts[2]
    assert row_id("film:t:night ferry:2010") in network.agents[0].learner.row_index.names.tolist()


def test_a_slow_way_does_not_make_models_overtake_each_other(tmp_path: Path) -> None:
    """Every other message takes longer than a period: what is sent after it must not make it look like a replay."""
    network = pair(tmp_path, "mf")
    slow = itertools.cycle([14.0, 14.0, 1.0, 1.0, 1.0, 1.0])  # the network asks twice a message
    network.network.seconds = lambda size: next(slow)
    network.run(300)
    for n in range(2):
        received = of(network, n).status().received
        assert received.updates > 10
        assert received.refused == 0
        assert of(network, n).problem_log.latest() == []


def test_a_peer_that_never_answers_holds_nobody_up(tmp_path: Path) -> None:
    network = pair(tmp_path)
    network.agents[0].peers.allow(Peer(name_of(5), allowed=True))
    network.network.silent.add(name_of(5))
    network.run(300)
    peers = {peer.id: peer for peer in of(network, 0).peers()}
    assert peers[name_of(5)].problem == "no answer in time"
    assert peers[name_of(1)].problem == ""
    assert of(network, 0).status().sent.updates > 20


def test_a_clock_that_jumps_changes_only_what_people_read(tmp_path: Path) -> None:
    network = pair(tmp_path)
    network.run(50)
    network.wall -= 10**8
    network.run(50)
    network.wall += 10**9
    network.run(50)
    assert network.agents[0].learner.rounds > 12
    times = [entry.time for entry in of(network, 0).ledger.entries(1000)]
    assert len(set(times)) == 3


def test_who_moved_tells_everybody_where_to(tmp_path: Path) -> None:
    network = pair(tmp_path)

    async def story() -> None:
        stop = asyncio.Event()
        ways = [network.network.join(agent.me) for agent in network.agents]
        nodes = [
            NodeRuntime(a, way, jitter=0.0).run(stop) for a, way in zip(network.agents, ways, strict=True)
        ]
        running = [asyncio.create_task(node) for node in nodes]
        await asyncio.sleep(30)
        ways[0].addresses = ("10.0.0.7:5",)
        await asyncio.sleep(30)
        stop.set()
        await asyncio.gather(*running)

    run_virtual(story())
    assert of(network, 1).peers()[0].addresses == ("10.0.0.7:5",)
    assert of(network, 0).store.setting("addresses") == ["10.0.0.7:5"]
    hellos = [entry for entry in of(network, 0).ledger.entries(1000) if entry.kind == "hello"]
    assert len(hellos) == 2


def test_open_nodes_that_know_one_come_to_know_each_other(tmp_path: Path) -> None:
    network = LiveNetwork(tmp_path, rules_of("mf", 7, 10.0), eager=True)
    for number in range(8):
        network.add(films(range(number, number + 12)), [0] if number else [], open=True)
    network.run(300)
    for number in range(8):
        assert len(network.agents[number].peers.candidates()) >= 6
    assert len(of(network, 7).recommend(5)) == 5


def test_a_cluster_node_learns_for_many_and_gossips_as_one(tmp_path: Path) -> None:
    network = LiveNetwork(tmp_path, rules_of("mf", 7, 10.0), eager=True)
    network.add(films(range(20), "ana") + films(range(10, 30), "bo"), [1], cluster=True)
    network.add(films(range(25, 45)), [0])
    network.run(300)
    service = of(network, 0)
    assert service.people() == ["ana", "bo"]
    ana, bo = service.recommend(5, "ana"), service.recommend(5, "bo")
    met = {"ana": {key_of(i) for i in range(20)}, "bo": {key_of(i) for i in range(10, 30)}}
    assert met["ana"].isdisjoint(item.key for item in ana)
    assert met["bo"].isdisjoint(item.key for item in bo)
    assert len(ana) == len(bo) == 5
    assert len(network.agents[0].learner.people) == 2


def test_killed_and_started_again_a_node_goes_on(tmp_path: Path) -> None:
    network = pair(tmp_path)
    network.run(100)
    old = network.agents[0]
    rows = old.learner.save()
    network.agents[0] = Agent(old.store, old.rules, number=0)
    assert network.agents[0].learner.save() == rows
    network.run(100)
    assert network.agents[0].learner.rounds > old.learner.rounds


def test_forgetting_is_for_nodes_that_do_not_run(tmp_path: Path) -> None:
    store = make_store(tmp_path / "n")
    service = Service(store.home)
    with store.running(), pytest.raises(BadInput, match="stop it first"):
        service.forget()
    service.forget()
    assert list(store.home.iterdir()) == []
