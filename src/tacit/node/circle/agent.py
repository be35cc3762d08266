"""The agent of a node in a circle: when to talk to whom, and what enters the ledger. No network and no clock.

    agent.next(now)                      what to send now: hellos that use a link, and comparisons with members
    agent.handle(peer, data, now)        the answer to a received message
    agent.answered(out, data, now)       what to say to an answer
    agent.refresh(now)                   follow what other processes wrote to the store, and sign a new list if needed

Two members compare when one of them starts, when one has something new, and otherwise every few minutes. `now` is
microseconds of a clock that never jumps.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from tacit.core.errors import BadMessage
from tacit.node.catalogue.item_keys import KEY_VERSION
from tacit.node.circle.branches import stamp_of_roster
from tacit.node.circle.carried import count_titles
from tacit.node.circle.circle import STRANGER, Circle
from tacit.node.circle.keys import hashed
from tacit.node.circle.publishing import Publisher
from tacit.node.circle.rates import Rate
from tacit.node.network.carry import SECOND
from tacit.node.network.circle_messages import Roster, RosterStamp, Stamp, Sync, read
from tacit.node.network.peers import Peers
from tacit.node.network.transport import Outgoing
from tacit.node.network.wire import Hello, Kind, Refusal, Small, pack, plain, refuse, unpack
from tacit.node.receive_limits import JOIN_BURST, JOIN_EVERY, MAX_GREETING, PEER_BYTES
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
_DAY = 86_400.0
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
        """Whether a paused node tells its last list to everybody now."""
        self._seen, self._due = -1, dict[str, int]()
        self._turns: dict[str, int] = {}
        self._said: dict[str, bytes] = {}
        """The last message of a comparison, hashed: the same again would lead nowhere."""
        self._open: dict[str, int] = {}
        """Members with whom this node began to compare, and until when it waits for them."""
        self._told: set[str] = set()
        """Members that are known to have the newest own list."""
        self._asked: dict[bytes, tuple[str, int]] = {}
        """Parts that are missing here: who was asked first, and until when nobody else is."""
        self._introduced: dict[str, RosterStamp] = {}
        """The roster that a member was shown who did not know this node."""
        self._goodbye: int | None = None
        self._publisher = Publisher(self.circle)
        self._joins, self._bytes = Rate(JOIN_BURST, JOIN_EVERY), Rate(PEER_BYTES, _DAY / PEER_BYTES)
        try:
            self.refresh(0)
        except StoreFull:
            self.problem = FULL

    def refresh(self, now: int) -> None:
        """Follow the store. What is taken back is signed at once; new titles wait where there were many."""
        seen = self.store.changes()
        if seen == self._seen and not self._publisher.is_due(now):
            return
        self.paused = bool(self.store.setting("paused"))
        self.peers.reload(False)
        self._publish(now)
        self._seen = seen

    def _publish(self, now: int) -> None:
        if self._publisher.publish(self.addresses, now):
            self._due.clear()
            self._told.clear()

    # What leaves

    def next(self, now: int) -> list[Outgoing]:
        """What to send now."""
        if self.replica.state is None or self._is_silent() or self._full():
            return []
        if self._has_left(now):
            self.circle.forget()
            self._goodbye = None
            self.peers.reload(False)
            return []
        out = []
        for peer in [] if self.paused else self.peers.invited_by():
            if self.peers.reachable(peer.id, now):
                out += self._send(peer.id, Kind.HELLO, self._hello(peer.secret))
        everybody = self.last_words or self.replica.here().leaving
        for member in self._due_now(now)[: None if everybody else _AT_ONCE]:
            self._due[member], self._turns[member] = now + QUIET, 0
            self._open[member] = now + _PATIENCE
            out += self._send(member, Kind.SYNC, self.replica.greeting())
        return out

    def begin_last_words(self, now: int) -> None:
        """From now on compare with everybody who does not have the last list, although the node is paused."""
        self.last_words = True
        self.refresh(now)
        self._due = dict.fromkeys(self._told, now + QUIET)

    def _is_silent(self) -> bool:
        """Whether the node is paused, and nothing is left to say."""
        return self.paused and not self.last_words and not self.circle.has_last_words()

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
        state, head = self.replica.here(), self.replica.head(self.replica.me)
        if not state.leaving or head is None or not head.left:
            return False
        if self._goodbye is None and state.told >= head.version:
            self._goodbye = now
        return self._goodbye is not None and now >= self._goodbye + _GOODBYE

    def _hello(self, secret: str = "") -> Hello:
        return Hello(AGREEMENT, str(self.store.setting("name")), list(self.addresses), False, secret)

    def _send(self, peer: str, kind: Kind, body: Small) -> list[Outgoing]:
        known = self.peers.known.get(peer)  # None: removed while an answer was on its way
        data = None if known is None else self._entered(peer, kind, body)
        return [] if known is None or data is None else [Outgoing(peer, known.addresses, kind, data)]

    def _entered(self, peer: str, kind: Kind, body: Small) -> bytes | None:
        """A message that is in the ledger; None, and so nothing may leave, where that fails."""
        data, word, rows, own = pack(kind, body), kind.name.lower(), 0, 0
        if isinstance(body, Sync) and body.parts:
            rows, own = count_titles(self.replica, body.parts)
            word = "list"
        try:
            self.ledger.enter(self.wall(), peer, word, rows, own, len(data), self._publisher.share)
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
            why = str(problem)
        except Exception as problem:  # whatever somebody made of a message: it costs that message only
            why = f"not understood: {type(problem).__name__}"
        self.received["refused"] += 1
        self.problem_log.add(peer, f"refused a message of {peer[:10]}: {why}", now)
        return refuse(why)

    def _take(self, peer: str, data: bytes, now: int) -> bytes:
        if self.peers.floods(peer, now):
            raise BadMessage("too many messages; wait a little")
        friend = self.peers.may_talk(peer)
        if not friend and len(data) > MAX_GREETING:
            raise BadMessage(STRANGER)
        kind, body = unpack(data)
        is_hello = kind is Kind.HELLO and isinstance(body, Hello)
        if self.replica.state is None or self._is_silent() or (is_hello and self.paused):
            raise BadMessage("paused")
        if kind is Kind.HELLO and isinstance(body, Hello):
            return self._greet(peer, body, friend, now)
        if not isinstance(body, Sync):
            raise BadMessage(f"nodes differ: this one has {AGREEMENT}" if friend else STRANGER)
        if body.signed_rosters and self.replica.introduced(peer, body.signed_rosters):
            self.peers.reload(False)
            friend = self.peers.may_talk(peer)
        if not friend or peer not in self.replica.others():
            raise BadMessage(STRANGER)
        if body.versions is None and self._open.get(peer, 0) > now and self.replica.me < peer:
            return pack(Kind.LATER)  # Both began at the same time: one comparison is enough.
        if self._bytes.left(peer, now) < 1:
            raise BadMessage("you got much from this node today; wait a little")
        self._compare(peer, body, now)
        if body.versions is None and body.digest == self.replica.digest():
            self._note(peer, self.replica.stamps())
            return pack(Kind.OK)
        answer = self._answer(peer, Kind.SYNC, self._offer(peer, body, now))
        self._bytes.spend(peer, now, len(answer))
        return answer

    def _greet(self, peer: str, hello: Hello, friend: bool, now: int) -> bytes:
        if hello.agreement != AGREEMENT:
            raise BadMessage(f"nodes differ: this one has {AGREEMENT}; got {plain(hello.agreement)}")
        if hello.secret:
            self._let_in(peer, hello.secret, now)
        elif not friend:
            raise BadMessage(STRANGER)
        self.peers.welcome(peer, hello)
        self.peers.heard(peer, self.wall())
        return self._answer(peer, Kind.WELCOME, self._hello())

    def _let_in(self, peer: str, secret: str, now: int) -> None:
        """Let somebody in who has the link. A member who uses it again was away, and begins anew."""
        roster = self.replica.roster()
        member = roster is not None and peer in roster.members
        if member and self.replica.head(peer) is None:
            return  # The welcome did not arrive.
        if not secret or secret != self.replica.here().link:
            raise BadMessage("link: not one that works; ask for a new one")
        if member and not self._joins.take(peer, now):
            raise BadMessage("link: used often; wait a little")
        with self.store.transaction():
            if why := self.replica.contacts.accept(secret, peer, self.wall()):
                raise BadMessage(why)
            self.replica.admit(peer)
        self.peers.reload(False)
        self._due.clear()

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
                    self._note(out.peer, self.replica.stamps())  # They have no list of this node's any more.
                raise BadMessage(plain(body.why))
            if out.kind is Kind.HELLO and kind is Kind.WELCOME and isinstance(body, Hello):
                self.peers.welcome(out.peer, body)
            elif out.kind is Kind.SYNC and isinstance(body, Sync):
                return self._go_on(out.peer, body, now)
            elif out.kind is Kind.SYNC and kind is Kind.OK:
                self._note(out.peer, self.replica.stamps())
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
        """The next message of a comparison, unless both have the same or nothing moves any more."""
        self._compare(peer, got, now)
        reply = self._offer(peer, got, now)
        self._turns[peer] = self._turns.get(peer, 0) + 1
        says = hashed(msgspec.msgpack.encode(reply), "said")
        more = reply.carries or (self.replica.lacks(got) and not self.paused)
        if not more or self._turns[peer] >= _TURNS or self._said.get(peer) == says:
            self._open.pop(peer, None)
            self._said.pop(peer, None)
            return []
        self._said[peer] = says
        return self._send(peer, Kind.SYNC, reply)

    def _offer(self, peer: str, got: Sync, now: int) -> Sync:
        """What to say. A part is asked of one member first; after a while of anybody, as that one may never give it."""
        missing = self.replica.missing() if self._asked else set()
        self._asked = {name: asked for name, asked in self._asked.items() if name in missing}
        others = {name for name, (who, until) in self._asked.items() if who != peer and until > now}
        said = self.replica.offer(peer, got, others, only_own=self.paused)
        self._asked = {**dict.fromkeys(said.want, (peer, now + _PATIENCE)), **self._asked}
        return said

    def _introduce(self, peer: str) -> list[Outgoing]:
        """A member that does not know this one yet is shown the roster that its host signed, once."""
        me, rosters = self.replica.me, self.replica.rosters()
        shown = next((one for one in rosters if me in read(one.body, Roster).members), None)
        if shown is None or self._introduced.get(peer) == stamp_of_roster(shown):
            return []
        self._introduced[peer] = stamp_of_roster(shown)
        said = Sync(circle=self.replica.here().id, signed_rosters=[shown])
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
        self._publish(now)  # under a new key, or after an old copy of the folder was put back
        self._due = {peer: now + QUIET}  # everybody else hears of it now

    def _note(self, peer: str, stamps: dict[str, Stamp]) -> None:
        """Remember that a member has the newest own list."""
        mine = self.replica.stamps().get(self.replica.me)
        if mine is not None and stamps.get(self.replica.me) == mine:
            self._told.add(peer)
            if self.replica.here().told < mine[1]:
                self.replica.change(told=mine[1])

    # Failures and saving

    def failed(self, out: Outgoing, now: int, why: str, sure: bool = False) -> None:
        """No answer came. To compare again does no harm, so it is all one whether the message was delivered."""
        self._due.pop(out.peer, None)
        self._open.pop(out.peer, None)
        self.peers.failed(out.peer, now, why)

    def lost(self, out: Outgoing, sure: bool) -> None:
        """A message was not sent; the comparison begins anew."""
        self._due.pop(out.peer, None)
        self._open.pop(out.peer, None)

    def stale(self, out: Outgoing) -> bool:
        """Whether a message must not leave any more: its receiver was removed, or the node was paused."""
        return not self.peers.may_talk(out.peer) or self._is_silent()

    def moved(self, addresses: tuple[str, ...], now: int) -> None:
        """This node has other addresses now: they are in its next list."""
        before, self.addresses = self.addresses, addresses
        try:
            self.store.set(addresses=list(addresses))
            self._publish(now)
        except StoreFull:
            self.addresses, self.problem = before, FULL

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
