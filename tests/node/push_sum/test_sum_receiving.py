"""Whatever comes in about sums: taken as it should be, or refused with a reason and nothing changed."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacit.core.message import codec
from tacit.core.message.update import Update, received, reshape
from tacit.node.assemble import agent_of
from tacit.node.network.wire import Kind, Refusal, _framed, pack, unpack
from tacit.node.peer_compatibility import rules_of
from tacit.node.push_sum.sum_agent import SumAgent
from tacit.node.push_sum.sum_saving import save
from tacit.node.push_sum.sum_wire import Ask, Catalogue, Epoch, Share
from tacit.node.receive import handle
from tacit.node.receive_limits import MAX_CATALOGUE
from tacit.node.store.database import Store
from tacit.protocols.push_sum.headcount import HEADS
from tests.node.live_network import LiveNetwork, name_of
from tests.node.push_sum.sum_network import everybody, liked, shares, sum_rules, tastes

FRIEND, STRANGER = name_of(1), name_of(9)
SECOND = 1_000_000


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    network = everybody(tmp_path_factory.mktemp("n"), tastes(4, 30, 8), sum_rules(wait=0), 30)
    network.run(45)
    return network


@pytest.fixture
def agent(network, tmp_path: Path) -> SumAgent:  # type: ignore[no-untyped-def]
    """The first of four people, a copy for each test."""
    one = network.nodes[0]
    assert one.flush()
    home = tmp_path / "copy"
    copytree(one.store.home, home)
    agent = agent_of(Store(home), one.rules)
    assert isinstance(agent, SumAgent)
    assert agent.learner.put
    agent.flush()
    return agent


@pytest.fixture
def share(network, agent: SumAgent) -> tuple[Share, Update]:  # type: ignore[no-untyped-def]
    """The next share of a friend, as it would come."""
    _, body, update = [one for one in shares(network.network, FRIEND) if one[1].epoch == agent.learner.epoch][
        -1
    ]
    number = agent.peers.known[FRIEND].sequence + 1
    return msgspec.structs.replace(body, transfer=number), update


def state(agent: SumAgent) -> object:
    """Everything a message could change."""
    return (
        save(agent.learner, everything=True),
        agent.store.arrays(),
        [(p.id, p.allowed, p.sequence) for p in agent.contacts.peers()],
        [(p.id, p.sequence) for p in agent.peers.known.values()],
        agent.ledger.entries(),
        agent.learner.transfer,
    )


def why(answer: bytes) -> str:
    kind, body = unpack(answer)
    return body.why if isinstance(body, Refusal) else kind.name


def spoiled(update: Update, **changes: object) -> bytes:
    return codec.encode(reshape(update, **changes))


def with_dense(update: Update, place: int, value: float) -> bytes:
    dense = update.dense.copy()
    dense[place] = value
    return spoiled(update, dense=dense)


def wide(update: Update) -> bytes:
    rows = np.zeros((update.items, update.rows.shape[1] + 1), np.float16)
    return codec.encode(received(update.items, None, rows, update.ages, update.dense, 1))


def not_a_number(update: Update) -> bytes:
    data = bytearray(codec.encode(update))
    data[-2:] = b"\x00\x7e"
    return bytes(data)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda s, u: {"update": not_a_number(u)}, "NaN or infinity"),
        (lambda s, u: {"update": s.update[:-3]}, "message rows: got bits that are no numbers"),
        (lambda s, u: {"update": wide(u)}, "share (items, width, dense"),
        (lambda s, u: {"update": spoiled(u, dense=u.dense[:-1])}, "share (items, width, dense"),
        (lambda s, u: {"update": with_dense(u, 0, 40_000)}, "beyond 30000"),
        (lambda s, u: {"update": with_dense(u, -HEADS - 1, -0.5)}, "weight of -0.5"),
        (lambda s, u: {"update": with_dense(u, -HEADS - 1, 2_000)}, "weight of 2000"),
        (lambda s, u: {"update": with_dense(u, -1, 60)}, "cannot be"),
        (lambda s, u: {"update": spoiled(u, clock=1_001)}, "turn"),
        (lambda s, u: {"number": s.number + 10**6}, "epoch: got"),
        (lambda s, u: {"good": s.number + 1}, "epoch: got"),
        (lambda s, u: {"agreement": b"12345678"}, "nodes differ: this one has keys 1, model ials k=16"),
    ],
)
def test_a_share_that_cannot_be_is_refused_and_changes_nothing(  # type: ignore[no-untyped-def]
    agent: SumAgent, share: tuple[Share, Update], change, reason: str
) -> None:
    body, update = share
    before = state(agent)
    data = pack(Kind.SHARE, msgspec.structs.replace(body, **change(body, update)))
    assert reason in why(handle(agent, FRIEND, data, 100 * SECOND))
    assert state(agent) == before


def test_shares_questions_and_catalogues_of_strangers_are_refused(
    agent: SumAgent, share: tuple[Share, Update]
) -> None:
    before = state(agent)
    epoch = agent.learner.epoch
    for kind, body in (
        (Kind.SHARE, share[0]),
        (Kind.ASK, Ask(agent.digest, *epoch, -1, True, b"x" * 32)),
        (Kind.CATALOGUE, Catalogue(agent.digest, b"")),
    ):
        assert "not invited" in why(handle(agent, STRANGER, pack(kind, body), SECOND))
    assert state(agent) == before


def test_an_epoch_over_an_unknown_catalogue_is_joined_once_that_is_told(agent: SumAgent) -> None:
    learner = agent.learner
    names = np.union1d(learner.names, np.array([5, 7], np.uint64))
    later = Epoch.of(learner.epoch.number + 1, names)
    ask = pack(Kind.ASK, Ask(agent.digest, *later, learner.good, True, b"x" * 32))
    before = state(agent)
    kind, body = unpack(handle(agent, FRIEND, ask, SECOND))
    assert (kind, getattr(body, "catalogue", b"")) == (Kind.WANTED, later.digest)
    for wrong in (b"1234567", names[::-1].tobytes()):
        data = pack(Kind.CATALOGUE, Catalogue(agent.digest, wrong))
        assert "catalogue: got" in why(handle(agent, FRIEND, data, SECOND))
    assert state(agent) == before
    data = pack(Kind.CATALOGUE, Catalogue(agent.digest, names.tobytes()))
    assert why(handle(agent, FRIEND, data, SECOND)) == "OK"
    assert why(handle(agent, FRIEND, ask, SECOND)) == "AGREED"
    assert learner.epoch == later
    assert list(learner.pairs) == [FRIEND]
    assert not learner.put
    entry = agent.ledger.entries(1)[0]
    assert (entry.kind, entry.peer, entry.rows) == ("agreed", FRIEND, 0)


def test_a_catalogue_that_is_too_large_is_not_even_read(agent: SumAgent) -> None:
    names = np.arange(MAX_CATALOGUE + 1, dtype="<u8").tobytes()
    data = _framed(Kind.CATALOGUE, msgspec.msgpack.encode(Catalogue(agent.digest, names)))
    assert "another form" in why(handle(agent, FRIEND, data, SECOND))


def test_a_share_of_an_earlier_epoch_says_nothing_and_is_acknowledged(
    agent: SumAgent, share: tuple[Share, Update]
) -> None:
    body, _ = share
    learner = agent.learner
    learner.join(Epoch.of(learner.epoch.number + 1, learner.names), learner.names, -1)
    sums = learner.book.sums.copy()
    assert why(handle(agent, FRIEND, pack(Kind.SHARE, body), SECOND)) == "OK"
    assert np.array_equal(learner.book.sums, sums)


def test_paused_a_node_takes_no_share_and_says_so(agent: SumAgent, share: tuple[Share, Update]) -> None:
    agent.paused = True
    before = state(agent)
    try:
        assert why(handle(agent, FRIEND, pack(Kind.SHARE, share[0]), SECOND)) == "paused"
        assert agent.wake(10**12) == agent.asks(10**12) == []
    finally:
        agent.paused = False
    assert state(agent)[1:] == before[1:]  # type: ignore[index]


def test_a_node_of_another_kind_is_refused_both_ways(
    agent: SumAgent, share: tuple[Share, Update], tmp_path: Path
) -> None:
    other = LiveNetwork(tmp_path, rules_of("bpr", 7, 10.0), eager=True).add(liked(range(9)), [1], model="bpr")
    assert "nodes differ: this one has keys 1, model bpr" in why(
        handle(other, FRIEND, pack(Kind.SHARE, share[0]), SECOND)
    )
    (update,) = other.wake(10**12)
    assert "nodes differ: this one has keys 1, model ials" in why(handle(agent, FRIEND, update.data, SECOND))
    answer = why(handle(agent, FRIEND, pack(Kind.HELLO, other.hello()), SECOND))
    assert "model ials" in answer
    assert "got keys 1, model bpr" in answer


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_spoiled_messages_change_nothing(agent: SumAgent, share: tuple[Share, Update], data) -> None:  # type: ignore[no-untyped-def]
    whole = msgspec.msgpack.encode(share[0])
    place = data.draw(st.one_of(st.integers(0, 120), st.integers(0, len(whole) - 1)))
    spoiled_ = bytearray(whole)
    spoiled_[place] ^= data.draw(st.integers(1, 255))
    cut = data.draw(st.sampled_from([len(whole), place]))
    kind = data.draw(
        st.sampled_from([Kind.SHARE, Kind.SHARE, Kind.ASK, Kind.CATALOGUE, Kind.WANTED, Kind.LATER])
    )
    agent.peers._tokens.clear()
    before = state(agent)
    answer = why(handle(agent, FRIEND, _framed(kind, bytes(spoiled_[:cut])), SECOND))
    if answer in ("OK", "WANTED"):
        return  # other numbers that could be
    assert state(agent) == before
