"""What comes in at a node that exchanges sums: shares, questions for masks, catalogues, and answers to its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tacit.core.errors import BadMessage
from tacit.core.message import codec
from tacit.core.message.half_precision import Singles, Words
from tacit.models.base import Model, sum_width
from tacit.node.network.transport import Outgoing
from tacit.node.network.wire import Body, Kind, Refusal, pack, plain, refuse, unpack
from tacit.node.push_sum.mask_secrets import MOST
from tacit.node.push_sum.sum_wire import Agreed, Ask, Catalogue, Share, Wanted
from tacit.node.receive_limits import MAX_CATALOGUE, MAX_SUM, MAX_WEIGHT
from tacit.protocols.push_sum.headcount import HEADS, NOBODY
from tacit.protocols.push_sum.state import flat_size

if TYPE_CHECKING:
    from tacit.node.push_sum.sum_agent import SumAgent

_FURTHEST = 100_000
"""Epochs that others may be ahead: a year and more of them."""
_TURNS = 1_000
_LARGEST_HEAD = 50.0


def take_sum(agent: SumAgent, peer: str, body: Share | Ask | Catalogue) -> bytes:
    """The answer; BadMessage, and nothing changed, where it cannot be taken."""
    if body.agreement != agent.digest:
        raise BadMessage(f"nodes differ: this one has {agent.agreement}")
    if isinstance(body, Share) and body.transfer <= agent.peers.known[peer].sequence:
        return pack(Kind.OK)  # had it; the acknowledgement was lost
    if agent.paused:
        raise BadMessage("paused")
    if isinstance(body, Catalogue):
        names = body.rows()
        if len(names) > MAX_CATALOGUE:
            raise BadMessage(f"catalogue: got {len(names)} rows; allowed: up to {MAX_CATALOGUE}")
        agent.hear(names)
        return pack(Kind.OK)
    now = agent.learner.epoch
    if body.epoch.number > now.number + _FURTHEST or body.good > body.epoch.number:
        raise BadMessage(f"epoch: got {body.epoch.number}, read out {body.good}; here it is {now.number}")
    if body.epoch < now:
        if isinstance(body, Ask):
            return refuse("this epoch is over")  # nobody's fault
        return _kept(agent, peer, body)  # says nothing any more
    names_known = agent.rows_of(body.epoch)
    if names_known is None:
        return pack(Kind.WANTED, Wanted(body.catalogue))
    if isinstance(body, Ask):
        return _agree(agent, peer, body)
    turn, words, heads = _checked(body, agent.learner.rules.model)
    if body.epoch > now:
        agent.learner.join(body.epoch, names_known, body.good)
    agent.learner.take(turn, words, heads, body.good)
    agent.received["rows"] += body.size
    return _kept(agent, peer, body)


def _kept(agent: SumAgent, peer: str, share: Share) -> bytes:
    """Acknowledge a share once it is on disk that it came."""
    agent.peers.received(peer, share.transfer, 0.5)
    agent.received["updates"] += 1
    return pack(Kind.OK if agent.flush() else Kind.LATER)


def _checked(share: Share, model: Model) -> tuple[int, Words, Singles]:
    """Turn, sums and headcount of a share, if they can be what they say."""
    update = codec.decode(share.update)
    columns = sum_width(model)
    rest = flat_size(share.size, model.row_width, columns) - share.size * columns
    got = (update.items, update.rows.shape[1], len(update.dense), update.rows.dtype.name, len(update.ages))
    own = (share.size, columns, rest + HEADS, "float16", 0)
    if got != own:
        raise BadMessage(f"share (items, width, dense, numbers, ages): got {got}; allowed: {own}")
    whole = np.zeros((share.size, columns), np.float16)
    whole[slice(None) if update.index is None else update.index] = update.rows
    flat = np.concatenate((whole.reshape(-1), update.dense[:rest].astype(np.float16)))
    heads = update.dense[rest:].astype(np.float32)
    if float(np.abs(flat).max()) > MAX_SUM:
        raise BadMessage(f"share: got a number beyond {MAX_SUM:g}; allowed: up to that")
    if not 0 <= flat[-1] <= MAX_WEIGHT:
        raise BadMessage(f"share: got a weight of {flat[-1]:g}; allowed: 0 to {MAX_WEIGHT:g}")
    if heads.min() < NOBODY or heads.max() > _LARGEST_HEAD:
        raise BadMessage("share: got a count of people that cannot be")
    if update.clock > _TURNS:
        raise BadMessage(f"share: got turn {update.clock}; allowed: up to {_TURNS}")
    return update.clock, flat.view(np.uint16), heads


def _agree(agent: SumAgent, peer: str, ask: Ask) -> bytes:
    learner = agent.learner
    if ask.epoch > learner.epoch:
        names = agent.rows_of(ask.epoch)
        assert names is not None
        learner.join(ask.epoch, names, ask.good)
    if peer not in learner.pairs:
        if learner.late:
            return refuse("too late in this epoch for masks")
        if len(learner.pairs) >= MOST:
            return refuse("enough masks in this epoch")
    mine, one = agent.pair_with(peer, ask.part, ask.able)
    answer = agent.answer(peer, Kind.AGREED, Agreed(learner.good, agent.able, mine))
    learner.agree(peer, one, ask.good)
    return answer if agent.flush() else pack(Kind.LATER)


def sum_answered(agent: SumAgent, out: Outgoing, kind: Kind, body: Body) -> list[Outgoing]:
    """What a peer answered to a share, a question or a catalogue; what to say to that."""
    _, said = unpack(out.data)
    learner, peer = agent.learner, out.peer
    if isinstance(said, Catalogue):
        _refused(kind, body, (Kind.OK,))
        more = agent.share() if learner.waiting and learner.to == peer else []
        return more + (agent.ask(peer) if peer in learner.asked else [])
    assert isinstance(said, Share | Ask)
    if isinstance(said, Ask):
        agent.landed(peer, kind is not Kind.LATER)
    if said.epoch != learner.epoch:
        return []  # the epoch it was about is over
    if kind is Kind.WANTED:
        return agent.listing(peer)
    if isinstance(said, Share):
        if said.transfer != learner.transfer or not learner.waiting:
            return []
        if kind is Kind.OK:
            learner.acknowledged()
        elif kind is Kind.REFUSED:
            learner.take_back()
        else:
            learner.doubt = True
        _refused(kind, body, (Kind.OK, Kind.LATER))
        return []
    if isinstance(body, Agreed):
        _, one = agent.pair_with(peer, body.part, body.able)
        learner.agree(peer, one, body.good)
        agent.flush()
        return []
    if kind is Kind.REFUSED:
        agent.declined(peer)  # somebody else will agree
    elif kind is not Kind.LATER:
        raise BadMessage(f"{kind.name.lower()} is no answer to this")
    return []


def _refused(kind: Kind, body: Body, allowed: tuple[Kind, ...]) -> None:
    if isinstance(body, Refusal):
        raise BadMessage(plain(body.why))
    if kind not in allowed:
        raise BadMessage(f"{kind.name.lower()} is no answer to this")
