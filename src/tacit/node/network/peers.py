"""The peers of a running node: permission, choice of receivers, back-off, rate limit, and the view of open nodes.

A node talks to peers it invited and to peers whose invitation it accepted. A node that is *open* also talks to other
open nodes; only those are named to others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tacit.node.network.addresses import told_addresses
from tacit.node.network.wire import Hello, PeerDescriptor, plain
from tacit.node.receive_limits import BURST, EVERY, MAX_VIEW
from tacit.node.store.contacts import Contacts
from tacit.node.store.records import Peer
from tacit.peer_sampling.newscast import Descriptor, merge_views, older
from tacit.peer_sampling.personalized import choose_view

_SECOND = 1_000_000
_LONGEST = 3600 * _SECOND
_STRANGERS = 200
_VIEW, _VIEW_WAKES, _EXPLORE = 8, 10, 0.4
"""Peers a node sends to at a time, wakes until others are chosen, and the share of those chosen at random."""


@dataclass(slots=True)
class _Trouble:
    """Failures in a row, and when to try again (microseconds)."""

    failures: int
    until: int


class Peers:
    """The peers of a running node. Times are microseconds of a clock that never jumps."""

    def __init__(self, contacts: Contacts, me: str, seed: int, period: int) -> None:
        self._contacts, self._me, self._seed, self._period = contacts, me, seed, period
        self.known: dict[str, Peer] = {}
        self.view: list[Descriptor] = []
        self.open = False
        self._blocked: frozenset[str] = frozenset()
        self._trouble: dict[str, _Trouble] = {}
        self._tokens: dict[str, tuple[float, int]] = {}
        self._changed: set[str] = set()
        self._exchanges = 0

    def reload(self, is_open: bool) -> None:
        """Read what is stored; what was heard since the last `flush` stays."""
        self.open, self._blocked = is_open, frozenset(self._contacts.blocked())
        before = self.known
        self.known = {peer.id: peer for peer in self._contacts.peers()}
        for name in self._changed & set(self.known):
            old = before[name]
            self.known[name] = replace(
                self.known[name], last_seen=old.last_seen, score=old.score, sequence=old.sequence
            )
        self.view = [one for one in self.view if one.id in self.known]
        seen = {one.id for one in self.view}
        self.view += [
            Descriptor(p.id, p.addresses, 1) for p in self.known.values() if p.open and p.id not in seen
        ][: MAX_VIEW - len(self.view)]

    @property
    def changed(self) -> bool:
        """Whether there is something to flush."""
        return bool(self._changed)

    def flush(self) -> None:
        """Store what was heard; inside a transaction."""
        for name in sorted(self._changed & set(self.known)):
            self._contacts.touch(self.known[name])
        self._changed.clear()

    # Permission and choice

    def may_talk(self, peer: str) -> bool:
        """Whether messages of a peer are accepted; a peer that invited us may send one before its welcome."""
        if peer in self._blocked:
            return False
        known = self.known.get(peer)
        return self.open or (known is not None and known.allowed)

    def candidates(self) -> list[str]:
        """Ids of all peers that may be sent to, sorted."""
        found = (p for p in self.known.values() if not p.secret and (p.allowed or (self.open and p.open)))
        return sorted(p.id for p in found)

    def chosen(self, candidates: list[str], wakes: int) -> list[str]:
        """Of many candidates, a view of the best senders and of random others (PEPPER), renewed every few wakes."""
        if len(candidates) <= _VIEW:
            return candidates
        scored = [n for n, name in enumerate(candidates) if self.known[name].sequence > 0] or [-1]
        scores = [self.known[candidates[n]].score if n >= 0 else 0.0 for n in scored]
        view = np.empty(_VIEW, np.int32)
        # This node is the last of all, so that the numbers of the others are their places.
        me, nodes = len(candidates), len(candidates) + 1
        choose_view(
            self._seed, me, wakes // _VIEW_WAKES, nodes, _EXPLORE, np.array(scored, np.int32),
            np.array(scores, np.float32), view,
        )  # fmt: skip
        return sorted(candidates[n] for n in view)

    def invited_by(self) -> list[Peer]:
        """Peers whose invitations still wait to be used."""
        return [peer for peer in self.known.values() if peer.secret]

    def allow(self, peer: Peer) -> None:
        """Add or change a peer, at once on disk."""
        self._contacts.save(peer)
        self._blocked -= {peer.id}
        self.known[peer.id] = peer

    def welcome(self, peer: str, hello: Hello, secret: str = "") -> None:
        """A hello was accepted, ours or theirs: the peer is allowed from now on. `secret`: still to be said by ours."""
        before = self.known.get(peer, Peer(peer))
        self.allow(
            replace(
                before, allowed=before.allowed or bool(before.secret), open=hello.open, secret=secret, problem="",
                name=before.name or plain(hello.name, 32),
                addresses=told_addresses(tuple(hello.addresses), self._contacts.relays()) or before.addresses,
            )
        )  # fmt: skip

    def meet(self, peer: str) -> None:
        """Remember a stranger that may talk because the node is open; the one unheard for longest makes room."""
        if peer in self.known:
            return
        strangers = [p for p in self.known.values() if not p.allowed]
        if len(strangers) >= _STRANGERS:
            gone = min(strangers, key=lambda p: (p.last_seen or 0, p.id)).id
            self._contacts.remove(gone)
            del self.known[gone]
        self.allow(Peer(peer))

    # Back-off and rate limit

    def reachable(self, peer: str, now: int) -> bool:
        """Whether it is time to try a peer."""
        trouble = self._trouble.get(peer)
        return trouble is None or now >= trouble.until

    def failed(self, peer: str, now: int, why: str) -> None:
        """Wait twice as long before each next try."""
        before = self._trouble.get(peer)
        failures = 1 if before is None else before.failures + 1
        wait = min(self._period * 2 ** min(failures - 1, 20), _LONGEST)
        self._trouble[peer] = _Trouble(failures, now + wait)
        self._change(peer, problem=why)

    def retry(self, peer: str) -> None:
        """A peer was found somewhere: it need not wait for its next try."""
        self._trouble.pop(peer, None)

    def heard(self, peer: str, wall: float) -> None:
        """A peer gave a sign of life."""
        self._trouble.pop(peer, None)
        self._change(peer, last_seen=wall, problem="")

    def received(self, peer: str, sequence: int, score: float) -> None:
        """A peer's update was taken."""
        self._change(peer, sequence=sequence, score=score)

    def _change(self, peer: str, **changes: object) -> None:
        if peer in self.known:
            self.known[peer] = replace(self.known[peer], **changes)  # type: ignore[arg-type]
            self._changed.add(peer)

    def floods(self, peer: str, now: int) -> bool:
        """Whether a peer exceeds its rate limit; called once per message."""
        tokens, last = self._tokens.get(peer, (float(BURST), now))
        tokens = min(float(BURST), tokens + (now - last) / (EVERY * _SECOND))
        self._tokens[peer] = (max(0.0, tokens - 1), now)
        if len(self._tokens) > 10_000:  # strangers with ever new keys must not fill the memory
            self._tokens.clear()
        return tokens < 1

    # The view of open nodes

    def descriptors(self, addresses: tuple[str, ...]) -> list[PeerDescriptor]:
        """What to send about open nodes, this one included if open."""
        own = [PeerDescriptor(self._me, list(addresses), 0)] if self.open else []
        return own + [PeerDescriptor(one.id, list(one.addresses), one.age) for one in self.view[:MAX_VIEW]]

    def merge_view(self, received: list[PeerDescriptor]) -> None:
        """Merge a received view with one's own (Newscast); strangers that drop out are forgotten."""
        if not self.open:
            return
        self._exchanges += 1
        relays = self._contacts.relays()
        theirs = [
            Descriptor(one.id, told_addresses(tuple(one.addresses), relays), one.age) for one in received
        ]
        draws = (self._seed, self._exchanges)
        merged = merge_views(older(self.view), theirs, self._me, MAX_VIEW, draws)
        kept = {one.id for one in merged}
        for gone in (one.id for one in self.view if one.id not in kept):
            if gone in self.known and not self.known[gone].allowed:
                self._contacts.remove(gone)
                del self.known[gone]
        for one in (one for one in merged if one.id not in self._blocked):
            known = self.known.get(one.id, Peer(one.id))
            if not known.open:
                self.allow(replace(known, addresses=one.addresses or known.addresses, open=True))
        self.view = merged
