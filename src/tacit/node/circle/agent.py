"""The agent of a node in a circle: when to talk to whom, and what enters the ledger. No network and no clock.

    agent.next(now)                      what to send now: hellos that use a link, and comparisons with members
    agent.handle(peer, data, now)        the answer to a received message
    agent.answered(out, data, now)       what to say to an answer
    agent.refresh()                      follow what other processes wrote to the store, and sign a new list if needed

Two members compare when one of them starts, when one has something new, and otherwise every few minutes. `now` is
microseconds of a clock that never jumps.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from tacit.core.errors import BadMessage
from tacit.node.catalogue.item_keys import KEY_VERSION
from tacit.node.circle.carried import count_titles
from tacit.node.circle.circle import STRANGER, Circle
from tacit.node.network.carry import SECOND
from tacit.node.network.circle_messages import Sync
from tacit.node.network.peers import Peers
from tacit.node.network.transport import Outgoing
from tacit.node.network.wire import Hello, Kind, Refusal, Small, pack, plain, refuse, unpack
from tacit.node.receive_limits import MAX_GREETING, MAX_LIST_VERSION
from tacit.node.store.database import Store, StoreFull
from tacit.node.store.ledger import Ledger
from tacit.node.store.problem_log import ProblemLog
from tacit.node.store.ratings import RatingStore

AGREEMENT = f"keys {KEY_VERSION}, circle 1"
QUIET = 300 * SECOND
"""Between comparisons with a member while nothing is new."""
_TURNS = 40
"""Messages of one comparison, at most."""
_AT_ONCE = 4
"""Comparisons that begin at the same time."""
_GOODBYE = 5 * SECOND
"""How long others are told that this node leaves, once one of them knows."""
_PATIENCE = 20 * SECOND
"""How long one member is waited for, before another is asked for the same part."""
FULL = "nothing is sent: the ledger cannot be written; is the disk full?"


class CircleAgent:
    """One node in a circle."""

    def __init__(
        self,
        store: Store,
        every: float = 15.0,
        addresses: tuple[str, ...] = (),
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.store, self.wall = store, wall
        self.circle = Circle(store, RatingStore(store), wall)
        self.replica, self.ledger = self.circle.replica, Ledger(store)
        self.peers = Peers(self.replica.contacts, self.replica.me, store.setting("seed"), int(every * SECOND))
        self.problem_log, self.problem = ProblemLog(store, wall), ""
        self.addresses = addresses
        self.received = dict.fromkeys(("updates", "rows", "bytes", "refused"), 0)
        self.paused = False
        self.last_words = False
        """Whether a paused node may still send its last list."""
        self._seen, self._due = -1, dict[str, int]()
        self._turns: dict[str, int] = {}
        self._open: dict[str, int] = {}
        """Members with whom this node began to compare, and until when it waits for them."""
        self._told: dict[str, int] = {}
        """The version of the own list that a member is known to have."""
        self._asked: dict[bytes, tuple[str, int]] = {}
        """Parts that somebody was asked for: whom, and until when nobody else is."""
        self._introduced: dict[str, int] = {}
        """The version of the roster that a member was shown who did not know this node."""
        self._goodbye: int | None = None
        self._share = 0.0
        self.refresh()

    def refresh(self) -> None:
        """Follow the store; a change of what is shared is signed at once and compared with everybody."""
        seen = self.store.changes()
        if seen == self._seen:
            return
        self._seen = seen
        self.paused = bool(self.store.setting("paused"))
        self.peers.reload(False)
        self._publish()

    def _publish(self) -> None:
        if self.replica.state is None:
            return
        shared = self.circle.shared()
        self._share = len(shared.items) / max(1, shared.likes)
        if self.circle.publish(self.addresses):
            self._due.clear()

    # What leaves

    def next(self, now: int) -> list[Outgoing]:
        """What to send now."""
        if (self.paused and not self.last_words) or self.replica.state is None or self._full():
            return []
        if self._has_left(now):
            self.circle.forget()
            self.peers.reload(False)
            return []
        out = []
        for peer in self.peers.invited_by():
            if self.peers.reachable(peer.id, now):
                out += self._send(peer.id, Kind.HELLO, self._hello(peer.secret))
        for member in self._due_now(now)[:_AT_ONCE]:
            self._due[member], self._turns[member] = now + QUIET, 0
            self._open[member] = now + _PATIENCE
            out += self._send(member, Kind.SYNC, self.replica.greeting())
        return out

    def _due_now(self, now: int) -> list[str]:
        """Members to compare with now, the longest waiting first."""
        known = {peer.id for peer in self.peers.known.values() if not peer.secret}
        due = [
            one
            for one in self.replica.others()
            if one in known and self._due.get(one, 0) <= now and self.peers.reachable(one, now)
        ]
        return sorted(due, key=lambda one: self._due.get(one, 0))

    def _has_left(self, now: int) -> bool:
        """Whether everybody who can be reached knows that this node leaves."""
        if not self.replica.here().leaving:
            return False
        mine = self.replica.lists.versions().get(self.replica.me, 0)
        if self._goodbye is None and any(version >= mine for version in self._told.values()):
            self._goodbye = now
        return self._goodbye is not None and now >= self._goodbye + _GOODBYE

    def _hello(self, secret: str = "") -> Hello:
        return Hello(AGREEMENT, str(self.store.setting("name")), list(self.addresses), False, secret)

    def _send(self, peer: str, kind: Kind, body: Small) -> list[Outgoing]:
        data = self._entered(peer, kind, body)
        return [] if data is None else [Outgoing(peer, self.peers.known[peer].addresses, kind, data)]

    def _entered(self, peer: str, kind: Kind, body: Small) -> bytes | None:
        """A message that is in the ledger; None, and so nothing may leave, where that fails."""
        data, word, rows, own = pack(kind, body), kind.name.lower(), 0, 0
        if isinstance(body, Sync) and body.parts:
            rows, own = count_titles(self.replica, body.parts)
            word = "list"
        try:
            self.ledger.enter(self.wall(), peer, word, rows, own, len(data), self._share)
        except StoreFull:
            self.problem = FULL
            return None
        return data

    # What comes in

    def handle(self, peer: str, data: bytes, now: int) -> bytes:
        """The answer to a message from an authenticated peer."""
        self.received["bytes"] += len(data)
        try:
            return self._take(peer, data, now)
        except (BadMessage, StoreFull) as problem:
            self.received["refused"] += 1
            self.problem_log.add(peer, f"refused a message of {peer[:10]}: {problem}", now)
            return refuse(str(problem))

    def _take(self, peer: str, data: bytes, now: int) -> bytes:
        if self.peers.floods(peer, now):
            raise BadMessage("too many messages; wait a little")
        friend = self.peers.may_talk(peer)
        if not friend and len(data) > MAX_GREETING:
            raise BadMessage(STRANGER)
        kind, body = unpack(data)
        if (self.paused and not self.last_words) or self.replica.state is None:
            raise BadMessage("paused")
        if kind is Kind.HELLO and isinstance(body, Hello):
            return self._greet(peer, body, friend)
        if not isinstance(body, Sync):
            raise BadMessage(f"nodes differ: this one has {AGREEMENT}" if friend else STRANGER)
        if body.signed_roster is not None and self.replica.introduced(peer, body.signed_roster):
            self.peers.reload(False)
            friend = self.peers.may_talk(peer)
        if not friend or peer not in self.replica.others():
            raise BadMessage(STRANGER)
        if body.versions is None and self._open.get(peer, 0) > now and self.replica.me < peer:
            return pack(Kind.LATER)  # Both began at the same time: one comparison is enough.
        self._compare(peer, body, now)
        if body.versions is None and body.digest == self.replica.digest():
            return pack(Kind.OK)
        return self._answer(peer, Kind.SYNC, self._offer(peer, body, now))

    def _greet(self, peer: str, hello: Hello, friend: bool) -> bytes:
        if hello.agreement != AGREEMENT:
            raise BadMessage(f"nodes differ: this one has {AGREEMENT}; got {plain(hello.agreement)}")
        link = self.replica.here().link
        if hello.secret and link is not None and hello.secret == link.secret:
            why = self.replica.contacts.accept(hello.secret, peer, self.wall())
            if why and not friend:
                raise BadMessage(why)
            if not why:
                self.replica.admit(peer)
                self.peers.reload(False)
                self._due.clear()
        elif not friend:
            raise BadMessage("link: not one that works; ask for a new one" if hello.secret else STRANGER)
        self.peers.welcome(peer, hello)
        self.peers.heard(peer, self.wall())
        return self._answer(peer, Kind.WELCOME, self._hello())

    def _answer(self, peer: str, kind: Kind, body: Small) -> bytes:
        data = self._entered(peer, kind, body)
        if data is None:
            raise BadMessage(FULL)  # A refusal says nothing, so it may leave.
        return data

    def answered(self, out: Outgoing, data: bytes, now: int) -> list[Outgoing]:
        """What to say to a peer's answer."""
        self.received["bytes"] += len(data)
        try:
            kind, body = unpack(data)
            if self.replica.state is None:
                return []
            if isinstance(body, Refusal):
                if body.why == STRANGER:
                    if introduction := self._introduce(out.peer):
                        return introduction
                    self._told[out.peer] = MAX_LIST_VERSION  # They have no list of this node's any more.
                raise BadMessage(plain(body.why))
            if out.kind is Kind.HELLO and kind is Kind.WELCOME and isinstance(body, Hello):
                self.peers.welcome(out.peer, body)
            elif out.kind is Kind.SYNC and isinstance(body, Sync):
                return self._go_on(out.peer, body, now)
            elif out.kind is Kind.SYNC and kind is Kind.OK:
                self._note(out.peer, self.replica.lists.versions())
                self._open.pop(out.peer, None)
            elif out.kind is Kind.SYNC and kind is Kind.LATER:
                self._open.pop(out.peer, None)
            else:
                raise BadMessage(f"{kind.name.lower()} is no answer to {out.kind.name.lower()}")
        except (BadMessage, StoreFull) as problem:
            self.peers.failed(out.peer, now, str(problem))
            self.problem_log.add(out.peer, f"{out.peer[:10]} refused {out.kind.name.lower()}: {problem}", now)
            return []
        self.peers.heard(out.peer, self.wall())
        return []

    def _go_on(self, peer: str, got: Sync, now: int) -> list[Outgoing]:
        """The next message of a comparison, unless both have the same."""
        self._compare(peer, got, now)
        reply = self._offer(peer, got, now)
        self._turns[peer] = self._turns.get(peer, 0) + 1
        more = (reply.carries or self.replica.lacks(got)) and self._turns[peer] < _TURNS
        if not more:
            self._open.pop(peer, None)
        return self._send(peer, Kind.SYNC, reply) if more else []

    def _offer(self, peer: str, got: Sync, now: int) -> Sync:
        """What to say; parts that another member was just asked for are not asked for again."""
        self._asked = {name: (who, until) for name, (who, until) in self._asked.items() if until > now}
        said = self.replica.offer(peer, got, {name for name, (who, _) in self._asked.items() if who != peer})
        self._asked |= dict.fromkeys(said.want, (peer, now + _PATIENCE))
        return said

    def _introduce(self, peer: str) -> list[Outgoing]:
        """A member that does not know this one yet is shown the roster that its host signed, once."""
        roster = self.replica.roster()
        if roster is None or self._introduced.get(peer, 0) >= roster.version:
            return []
        self._introduced[peer] = roster.version
        said = Sync(circle=roster.circle, signed_roster=self.replica.here().roster)
        return self._send(peer, Kind.SYNC, said)

    def _compare(self, peer: str, got: Sync, now: int) -> None:
        """Use what a member sent, and pass it on."""
        before = self.replica.lists.versions()
        changed = self.replica.take(got, now)
        self._due[peer] = now + QUIET
        self._note(peer, got.has())
        self.peers.heard(peer, self.wall())
        if not changed:
            return
        new = [one for one, version in self.replica.lists.versions().items() if version > before.get(one, 0)]
        self.received["updates"] += len(new)
        for one in new:
            found = self.replica.list_of(one)
            self.received["rows"] += len(found[0].titles) if found else 0
        self.peers.reload(False)
        self._publish()  # under a new key, or after an old copy of the folder was put back
        self._due = {peer: now + QUIET}  # everybody else hears of it now

    def _note(self, peer: str, versions: dict[str, int]) -> None:
        """Remember which version of the own list a member has."""
        self._told[peer] = max(self._told.get(peer, 0), versions.get(self.replica.me, 0))

    # Failures and saving

    def failed(self, out: Outgoing, now: int, why: str, sure: bool = False) -> None:
        """No answer came."""
        self._due.pop(out.peer, None)
        self._open.pop(out.peer, None)
        self.peers.failed(out.peer, now, why)

    def lost(self, out: Outgoing, sure: bool) -> None:
        """A message was not sent."""
        self._due.pop(out.peer, None)
        self._open.pop(out.peer, None)

    def stale(self, out: Outgoing) -> bool:
        """Whether a message must not leave any more: its receiver was removed, or the node was paused."""
        return not self.peers.may_talk(out.peer) or (self.paused and not self.last_words)

    def moved(self, addresses: tuple[str, ...]) -> None:
        """This node has other addresses now: they are in its next list."""
        self.addresses = addresses
        try:
            self.store.set(addresses=list(addresses))
            self._publish()
        except StoreFull:
            self.problem = FULL

    def _full(self) -> bool:
        """Whether the disk is still full."""
        if not self.problem:
            return False
        try:
            self.store.set(problem="")
            self.problem = ""
        except StoreFull:
            return True
        return False

    def flush(self) -> bool:
        """All that was heard to disk; whether it is there."""
        if not (any(self.received.values()) or self.peers.changed):
            return True
        try:
            with self.store.transaction():
                self.ledger.count(**self.received)
                self.peers.flush()
        except StoreFull:
            self.problem = FULL
            return False
        self.received = dict.fromkeys(self.received, 0)
        return True
