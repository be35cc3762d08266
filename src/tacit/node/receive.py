"""Handle received messages and answers. A message that is refused changes nothing and is answered with the reason."""

from __future__ import annotations

from dataclasses import replace

from tacit.core.errors import BadMessage
from tacit.node.agent import Agent
from tacit.node.catalogue.item_keys import key_fault
from tacit.node.catalogue.row_index import NOWHERE
from tacit.node.exchange.score_received import score_received
from tacit.node.network.transport import Outgoing
from tacit.node.network.wire import Exchange, Hello, Kind, NamedUpdate, Refusal, pack, plain, refuse, unpack
from tacit.node.push_sum.sum_wire import Ask, Catalogue, Share
from tacit.node.receive_limits import MAX_GREETING
from tacit.node.store.database import StoreFull
from tacit.node.store.records import Peer


def handle(agent: Agent, peer: str, data: bytes, now: int) -> bytes:
    """The answer to a message from an authenticated peer."""
    agent.received["bytes"] += len(data)
    try:
        return _take(agent, peer, data, now)
    except (BadMessage, StoreFull) as problem:
        agent.received["refused"] += 1
        agent.problem_log.add(peer, f"refused a message of {peer[:10]}: {problem}", now)
        return refuse(str(problem))


def _take(agent: Agent, peer: str, data: bytes, now: int) -> bytes:
    peers = agent.peers
    if peers.floods(peer, now):
        raise BadMessage("too many messages; wait a little")
    friend = peers.may_talk(peer)
    if not friend and len(data) > MAX_GREETING:
        raise BadMessage("not invited; ask for an invitation (tacit node join TICKET)")
    kind, body = unpack(data)
    if isinstance(body, Hello) and kind is Kind.HELLO:
        return _greet(agent, peer, body, friend)
    if not friend:
        raise BadMessage("not invited; ask for an invitation (tacit node join TICKET)")
    if isinstance(body, Share | Ask | Catalogue):
        peers.meet(peer)
        answer = agent.take_sum(peer, body)
        peers.heard(peer, agent.wall())
        return answer
    if isinstance(body, NamedUpdate):
        peers.meet(peer)
        _learn(agent, peer, body)
        peers.heard(peer, agent.wall())
        return pack(Kind.OK)
    if isinstance(body, Exchange) and kind is Kind.EXCHANGE:
        if agent.paused:
            raise BadMessage("paused")
        peers.meet(peer)
        _hear(agent, body)
        peers.heard(peer, agent.wall())
        return agent.answer(peer, Kind.ANSWER, agent.next_exchange())
    raise BadMessage(f"message {kind.name.lower()}: got an answer to nothing")


def _greet(agent: Agent, peer: str, hello: Hello, friend: bool) -> bytes:
    if hello.agreement != agent.agreement:
        raise BadMessage(f"nodes differ: this one has {agent.agreement}; got {plain(hello.agreement)}")
    if hello.secret:
        why = agent.contacts.accept(hello.secret, peer, agent.wall())
        if why and not friend:
            raise BadMessage(why)
        if not why:
            agent.peers.allow(replace(agent.peers.known.get(peer, Peer(peer)), allowed=True))
    elif not friend:
        raise BadMessage("not invited; ask for an invitation (tacit node join TICKET)")
    known = agent.peers.known.get(peer, Peer(peer))
    agent.peers.welcome(peer, hello, known.secret)  # they have not answered ours yet
    agent.peers.heard(peer, agent.wall())
    return agent.answer(peer, Kind.WELCOME, agent.hello())


def _learn(agent: Agent, peer: str, got: NamedUpdate) -> None:
    if got.agreement != agent.digest:
        raise BadMessage(f"nodes differ: this one has {agent.agreement}")
    known = agent.peers.known[peer]
    if got.sequence <= known.sequence:
        raise BadMessage(f"update number {got.sequence}: got it or a later one before")
    learner = agent.learner
    before = learner.row_index.find(got.names)
    score = score_received(learner, before, got.update) if (before != NOWHERE).any() else 0.5
    learner.take(got.names, got.update)
    agent.peers.received(peer, got.sequence, score)
    agent.received["updates"] += 1
    agent.received["rows"] += len(got.names)
    agent.dirty = True


def _hear(agent: Agent, got: Exchange) -> None:
    """Keys are proper or the message is not; a key is its own proof of what its row means."""
    for key in (*got.keys, *got.whispered):
        if fault := key_fault(key):
            raise BadMessage(f"key of an item: {fault}")
    agent.hear_keys(got)
    agent.peers.merge_view(got.peers)


def answered(agent: Agent, out: Outgoing, data: bytes, now: int) -> list[Outgoing]:
    """What a peer answered to a message of ours; what to say to that."""
    agent.received["bytes"] += len(data)
    try:
        kind, body = unpack(data)
        if out.kind in (Kind.SHARE, Kind.ASK, Kind.CATALOGUE):
            more = agent.sum_answered(out, kind, body)
            agent.peers.heard(out.peer, agent.wall())
            return more
        if isinstance(body, Refusal):
            raise BadMessage(plain(body.why))
        if out.kind is Kind.HELLO and kind is Kind.WELCOME and isinstance(body, Hello):
            agent.peers.welcome(out.peer, body)
        elif out.kind is Kind.EXCHANGE and kind is Kind.ANSWER and isinstance(body, Exchange):
            _hear(agent, body)
        elif not (out.kind is Kind.UPDATE and kind is Kind.OK):
            raise BadMessage(f"{kind.name.lower()} is no answer to {out.kind.name.lower()}")
    except (BadMessage, StoreFull) as problem:
        agent.peers.failed(out.peer, now, str(problem))
        agent.problem_log.add(out.peer, f"{out.peer[:10]} refused {out.kind.name.lower()}: {problem}", now)
        return []
    agent.peers.heard(out.peer, agent.wall())
    return []
