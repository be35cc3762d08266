"""Whatever comes in: taken as it should be, or refused with a reason and nothing changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacit.core.message.update import received
from tacit.node.agent import Agent
from tacit.node.catalogue.item_keys import row_id
from tacit.node.network.invitations import new_secret
from tacit.node.network.wire import (
    Exchange,
    Hello,
    Kind,
    PeerDescriptor,
    Refusal,
    _framed,
    pack,
    pack_update,
    refuse,
    unpack,
)
from tacit.node.peer_compatibility import rules_of
from tacit.node.receive import answered, handle
from tacit.node.receive_limits import BURST, MAX_GREETING
from tacit.node.store.database import StoreFull
from tacit.node.store.records import Peer, Rating
from tests.node.live_network import LiveNetwork, key_of, name_of

FRIEND, STRANGER = name_of(1), name_of(9)
SECOND = 1_000_000
MINE = [Rating(key_of(i), f"Film {i}", value=float(1 + i % 5)) for i in range(12)]


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    network = LiveNetwork(tmp_path, rules_of("mf", 7, 10.0), eager=True)
    return network.add(MINE, known=[1])


def state(agent: Agent) -> object:
    """Everything a message could change: the model, who is known, what is known, what left."""
    agent.flush()
    peers = [replace(p, last_seen=None, problem="") for p in agent.contacts.peers()]
    items = agent.store.read("SELECT * FROM items ORDER BY row")
    return (
        agent.learner.save(),
        agent.store.arrays(),
        peers,
        items,
        agent.rating_store.ratings(),
        agent.ledger.entries(),
    )


def why(answer: bytes) -> str:
    kind, body = unpack(answer)
    return body.why if isinstance(body, Refusal) else kind.name


def update(
    agent: Agent, sequence: int = 1, rows: int = 5, value: float = 0.5, digest: bytes | None = None
) -> bytes:
    names = np.sort(np.array([row_id(key_of(i)) for i in range(8, 8 + rows)], np.uint64))
    width = agent.rules.model.row_width
    model = received(
        rows,
        None,
        np.full((rows, width), value, np.float32),
        np.full(rows, 4, np.int32),
        np.zeros(0, np.float32),
        2,
    )
    return pack_update(agent.digest if digest is None else digest, sequence, names, model)


def test_an_update_of_a_friend_is_learned_from_and_scored(agent: Agent) -> None:
    rounds = agent.learner.rounds
    assert why(handle(agent, FRIEND, update(agent), SECOND)) == "OK"
    assert agent.learner.rounds == rounds + 1
    assert len(agent.learner.row_index) == 13
    agent.flush()
    peer = agent.contacts.peer(FRIEND)
    assert peer is not None
    assert (peer.last_seen, peer.sequence) == (1_000_000_000.0, 1)
    assert 0 < peer.score < 1
    assert agent.ledger.received().rows == 5


@pytest.mark.parametrize(
    ("peer", "data", "reason"),
    [
        (STRANGER, lambda a: update(a), "not invited"),
        (STRANGER, lambda a: b"x" * (MAX_GREETING + 1), "not invited"),
        (STRANGER, lambda a: pack(Kind.HELLO, a.hello()), "not invited"),
        (STRANGER, lambda a: pack(Kind.HELLO, a.hello(new_secret())), "not one of this node's"),
        (STRANGER, lambda a: pack(Kind.EXCHANGE, Exchange([], ["csv:99"])), "not invited"),
        (FRIEND, lambda a: update(a, digest=b"12345678"), "nodes differ: this one has keys 1, model mf k=10"),
        (FRIEND, lambda a: pack(Kind.HELLO, Hello("keys 2, model mf")), "got keys 2, model mf"),
        (FRIEND, lambda a: update(a, value=1e9), "beyond 1000"),
        (FRIEND, lambda a: update(a)[:-1], "damaged"),
        (FRIEND, lambda a: pack(Kind.EXCHANGE, Exchange([], ["csv:99", "film:t:Évil:2000"])), "normal form"),
        (FRIEND, lambda a: pack(Kind.EXCHANGE, Exchange([], ["csv:a\u202eb"])), "direction"),
        (FRIEND, lambda a: pack(Kind.EXCHANGE, Exchange([], ["csv:" + "x" * 999])), "bytes; allowed"),
        (FRIEND, lambda a: pack(Kind.ANSWER, Exchange([], ["csv:99"])), "answer to nothing"),
        (FRIEND, lambda a: pack(Kind.OK), "answer to nothing"),
        (FRIEND, lambda a: b"", "at least"),
    ],
)
def test_what_is_refused_changes_nothing_and_says_why(agent: Agent, peer: str, data, reason: str) -> None:  # type: ignore[no-untyped-def]
    before = state(agent)
    assert reason in why(handle(agent, peer, data(agent), SECOND))
    assert state(agent) == before
    assert agent.ledger.received().refused == 1
    assert len(agent.problem_log.latest()) == 1


def test_a_model_of_another_shape_under_the_right_name_is_refused(agent: Agent) -> None:
    before = state(agent)
    wide = received(1, None, np.ones((1, 3), np.float32), np.ones(1, np.int32), np.zeros(0, np.float32), 1)
    data = pack_update(agent.digest, 1, np.array([5], np.uint64), wide)
    assert "this node's own" in why(handle(agent, FRIEND, data, SECOND))
    assert state(agent) == before


def test_a_replay_is_refused_also_after_a_restart(agent: Agent) -> None:
    data = update(agent, sequence=5)
    assert why(handle(agent, FRIEND, data, SECOND)) == "OK"
    before = state(agent)
    assert "got it or a later one before" in why(handle(agent, FRIEND, data, 2 * SECOND))
    assert "before" in why(handle(agent, FRIEND, update(agent, sequence=4), 3 * SECOND))
    assert state(agent) == before
    again = Agent(agent.store, agent.rules)
    assert "before" in why(handle(again, FRIEND, data, 4 * SECOND))
    assert why(handle(again, FRIEND, update(agent, sequence=6), 5 * SECOND)) == "OK"


def test_a_flood_of_one_peer_is_stopped_and_others_are_heard(agent: Agent) -> None:
    agent.peers.allow(Peer(name_of(2), allowed=True))
    answers = [why(handle(agent, FRIEND, update(agent, n), SECOND)) for n in range(1, BURST + 50)]
    assert answers[:BURST] == ["OK"] * BURST
    assert set(answers[BURST:]) == {"too many messages; wait a little"}
    assert why(handle(agent, name_of(2), update(agent), SECOND)) == "OK"
    assert why(handle(agent, FRIEND, update(agent, 999), 2 * SECOND)) == "OK"
    agent.flush()
    assert len(agent.problem_log.latest()) == 1  # one line a minute, not one a message


def test_an_invited_stranger_is_taken_in_once(agent: Agent) -> None:
    secret = new_secret()
    agent.contacts.invite(secret, expires=agent.wall() + 1)
    hello = Hello(agent.agreement, "Ana\u202e", ["127.0.0.1:5", "rubbish\n"], False, secret)
    assert why(handle(agent, STRANGER, pack(Kind.HELLO, hello), SECOND)) == "WELCOME"
    peer = agent.contacts.peer(STRANGER)
    assert peer is not None
    assert (peer.name, peer.addresses, peer.allowed) == ("Ana", ("127.0.0.1:5",), True)
    assert agent.ledger.entries()[0].kind == "welcome"
    assert why(handle(agent, STRANGER, update(agent), 2 * SECOND)) == "OK"
    assert "each works for one node" in why(handle(agent, name_of(8), pack(Kind.HELLO, hello), 3 * SECOND))


def test_a_model_that_differs_does_not_use_up_an_invitation(agent: Agent) -> None:
    secret = new_secret()
    agent.contacts.invite(secret, expires=agent.wall() + 1)
    other = Hello("keys 1, model other", secret=secret)
    assert "nodes differ" in why(handle(agent, STRANGER, pack(Kind.HELLO, other), SECOND))
    right = Hello(agent.agreement, secret=secret)
    assert why(handle(agent, STRANGER, pack(Kind.HELLO, right), 2 * SECOND)) == "WELCOME"


def test_keys_are_heard_and_passed_on_but_own_ones_only_once_their_rows_have_left(agent: Agent) -> None:
    answer = handle(agent, FRIEND, pack(Kind.EXCHANGE, Exchange([], ["csv:77", "csv:1"])), SECOND)
    kind, body = unpack(answer)
    assert kind is Kind.ANSWER
    assert isinstance(body, Exchange)
    assert set(body.keys) == {"csv:77", "csv:1"}
    agent.wake(SECOND)
    assert set(agent.next_exchange().keys) == {"csv:77", *(rating.key for rating in MINE)}


def test_peers_are_passed_on_among_open_nodes_only(agent: Agent) -> None:
    told = pack(Kind.EXCHANGE, Exchange([PeerDescriptor(name_of(4), ["1.2.3.4:5"], 0)], []))
    handle(agent, FRIEND, told, SECOND)
    assert [peer.id for peer in agent.contacts.peers()] == [FRIEND]
    assert agent.next_exchange().peers == []
    agent.peers.reload(is_open=True)
    handle(agent, FRIEND, told, 2 * SECOND)
    assert [peer.id for peer in agent.contacts.peers()] == [FRIEND, name_of(4)]
    assert [contact.id for contact in agent.next_exchange().peers] == [agent.me, name_of(4)]
    assert agent.peers.candidates() == [FRIEND, name_of(4)]


def test_an_open_node_hears_strangers_but_does_not_fill_up_with_them(agent: Agent) -> None:
    agent.peers.reload(is_open=True)
    for n in range(300):
        assert why(handle(agent, name_of(1000 + n), update(agent), n * SECOND)) == "OK"
    assert len(agent.contacts.peers()) <= 202
    assert agent.peers.candidates() == [FRIEND]


def test_a_paused_node_listens_and_tells_nothing(agent: Agent) -> None:
    agent.paused = True
    assert why(handle(agent, FRIEND, update(agent), SECOND)) == "OK"
    assert why(handle(agent, FRIEND, pack(Kind.EXCHANGE, Exchange()), SECOND)) == "paused"
    assert agent.wake(SECOND) == agent.greetings(SECOND) == agent.exchange(SECOND) == []
    assert agent.ledger.entries() == []


@pytest.mark.parametrize("answer", [b"", b"noise", pack(Kind.WELCOME, Hello("x")), refuse("no \u202eway\n")])
def test_a_useless_answer_is_noted_and_the_peer_tried_later(agent: Agent, answer: bytes) -> None:
    out = agent.wake(SECOND)[0]
    before = agent.learner.save()
    answered(agent, out, answer, SECOND)
    assert agent.learner.save() == before
    assert not agent.peers.reachable(FRIEND, SECOND)
    assert agent.peers.reachable(FRIEND, SECOND + agent.rules.period)
    line = agent.problem_log.latest()[0].line
    assert "\u202e" not in line
    assert "\n" not in line


def test_who_does_not_answer_is_tried_less_and_less_often(agent: Agent) -> None:
    out = agent.wake(0)[0]
    waits = []
    for _ in range(16):
        agent.failed(out, 0, "no answer in time")
        waits.append(agent.peers._trouble[FRIEND].until)
    assert waits[:3] == [agent.rules.period, 2 * agent.rules.period, 4 * agent.rules.period]
    assert waits[-1] == 3600 * SECOND
    answered(agent, out, pack(Kind.OK), SECOND)
    assert agent.peers.reachable(FRIEND, SECOND)


def test_with_a_full_disk_questions_are_refused(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*entry: object) -> int:
        raise StoreFull("full")

    monkeypatch.setattr(agent.ledger, "enter", full)
    for question in (pack(Kind.EXCHANGE, Exchange()), pack(Kind.HELLO, Hello(agent.agreement))):
        answer = handle(agent, FRIEND, question, SECOND)
        assert unpack(answer)[0] is Kind.REFUSED
    assert agent.ledger.entries() == []


def test_with_a_full_disk_nothing_is_sent_and_later_it_goes_on(agent: Agent) -> None:
    agent.store.read(f"PRAGMA max_page_count = {agent.store.read('PRAGMA page_count')[0][0]}")
    sent = []
    for turn in range(400):  # until the pages that are there are full
        sent = agent.wake(turn * 10 * SECOND)
        if agent.problem:
            break
    assert sent == []
    assert "ledger cannot be written" in agent.problem
    assert len(agent.ledger.entries(1000)) == agent.ledger.sent().updates
    agent.store.read("PRAGMA max_page_count = 100000")
    assert len(agent.wake(5000 * SECOND)) == 1
    assert agent.problem == ""


MESSAGES = st.one_of(
    st.binary(max_size=300),
    st.builds(_framed, st.sampled_from(list(Kind)), st.binary(max_size=300)),
    st.tuples(st.sampled_from(["update", "exchange", "hello"]), st.integers(0, 10**6), st.integers(1, 255)),
)


def spoiled(agent: Agent, message: bytes | tuple[str, int, int]) -> bytes:
    """A message as drawn, or a proper one with one byte changed."""
    if isinstance(message, bytes):
        return message
    kind, at, change = message
    good = {
        "update": lambda: update(agent, 10**6),
        "exchange": lambda: pack(Kind.EXCHANGE, Exchange([], ["csv:500"])),
        "hello": lambda: pack(Kind.HELLO, agent.hello()),
    }[kind]()
    bad = bytearray(good)
    bad[at % len(bad)] ^= change
    return bytes(bad)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from([FRIEND, STRANGER]), MESSAGES), min_size=20, max_size=80))
def test_thousands_of_spoiled_messages_change_nothing(agent: Agent, messages) -> None:  # type: ignore[no-untyped-def]
    before = state(agent)
    start = len(agent.peers._tokens) + int(agent.received["refused"])
    for turn, (peer, message) in enumerate(messages):
        answer = handle(agent, peer, spoiled(agent, message), (start + turn) * 10 * SECOND)
        assert unpack(answer)[0] is Kind.REFUSED
    assert state(agent) == before


def test_who_invited_us_may_be_faster_with_a_model_than_with_the_welcome(tmp_path: Path) -> None:
    """The inviter sends from the moment it took our hello; its first model and its welcome cross."""
    network = LiveNetwork(tmp_path, rules_of("mf", 7, 10.0), eager=True)
    ana, bo = network.add(MINE, known=[]), network.add(MINE[:5], known=[])
    secret = new_secret()
    ana.contacts.invite(secret, expires=ana.wall() + 1)
    bo.peers.allow(Peer(ana.me, allowed=True, secret=secret))
    assert bo.wake(SECOND) == [], "nothing leaves before the other has answered"
    (hello,) = bo.greetings(SECOND)
    welcome = handle(ana, bo.me, hello.data, SECOND)
    for sent in (*ana.wake(SECOND), *ana.greetings(SECOND), *ana.exchange(SECOND)):
        assert why(handle(bo, ana.me, sent.data, SECOND)) in ("OK", "WELCOME", "ANSWER")
    assert bo.peers.invited_by(), "their hello is no answer to ours"
    answered(bo, hello, welcome, SECOND)
    assert bo.peers.candidates() == [ana.me]
    assert bo.peers.invited_by() == []
    for agent in (ana, bo):
        agent.flush()
        assert agent.ledger.received().refused == 0
        assert agent.problem_log.latest() == []
    assert bo.ledger.received().updates == 1
