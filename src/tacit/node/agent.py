"""The agent of a node: its model, its peers and its store, and what it sends when it wakes. No network and no clock.

    agent.wake(now)                      what to send now: a model, past the shields, entered in the ledger
    agent.greetings(now), exchange(now)  the same for hellos, and for keys and peers passed on
    receive.handle(agent, peer, ...)     the answer to a received message
    receive.answered(agent, out, ...)    a peer's answer to a message of ours; agent.failed(...) if none came
    agent.refresh()                      follow what other processes wrote to the store
    agent.flush()                        the model and all that was heard, to disk, in one transaction

`now` is microseconds of a clock that never jumps; `wall()` is the time of day, for people to read.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tacit.core.errors import BadMessage
from tacit.core.rng import Stream, philox
from tacit.node.catalogue.item_keys import row_id
from tacit.node.catalogue.row_index import Hashes
from tacit.node.exchange.disclosure import met, ranks, row_names, takes_part, training_data
from tacit.node.exchange.gossip_learner import GossipLearner, SharedRatings
from tacit.node.network.peers import Peers
from tacit.node.network.transport import Outgoing
from tacit.node.network.wire import Exchange, Hello, Kind, Small, pack, pack_update
from tacit.node.peer_compatibility import LiveRules, agreement, digest
from tacit.node.push_sum.no_sums import NoSums
from tacit.node.receive_limits import MAX_KEYS
from tacit.node.store.contacts import Contacts
from tacit.node.store.database import Store, StoreFull
from tacit.node.store.ledger import Ledger
from tacit.node.store.problem_log import ProblemLog
from tacit.node.store.ratings import RatingStore
from tacit.node.store.records import Rating
from tacit.peer_sampling.uniform import pick
from tacit.protocols.gossip.node import GossipRules

_ALONE = 20
"""Passes over new data while there is nobody to learn with: more would only make own rows look old."""
FULL = "nothing is sent: the ledger cannot be written; is the disk full?"


class Agent(NoSums):
    """One node without network and clock. `receive` handles what comes in."""

    def __init__(
        self,
        store: Store,
        rules: LiveRules,
        *,
        number: int = 0,
        eager: bool = True,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.store, self.rules, self.wall, self._eager = store, rules, wall, eager
        self.rating_store, self.ledger, self.contacts = RatingStore(store), Ledger(store), Contacts(store)
        self.me: str = store.setting("id")
        self.peers = Peers(self.contacts, self.me, rules.seed, rules.period)
        self.agreement = agreement(rules)
        self.digest = digest(self.agreement)
        self.addresses: tuple[str, ...] = ()
        self.received = dict.fromkeys(("updates", "rows", "bytes", "refused"), 0)
        self.dirty = not self._load(number)
        self.name, self.disclosure, self.paused, self.problem = "", 1.0, False, ""
        self._ratings: list[Rating] | None = None
        self._rated: Hashes = np.zeros(0, np.uint64)
        self._takes_part = False
        self._unpublished: set[int] = set()
        self._alone = self._exchanges = 0
        self.problem_log = ProblemLog(store, wall)
        self._greeted: set[str] = set()
        self._seen = -1
        self.refresh()

    def _load(self, number: int) -> bool:
        """The model, as last saved; False where there is none yet."""
        assert isinstance(self.rules, GossipRules)
        self.learner = GossipLearner(number, self.rules)
        saved = self.store.arrays()
        if saved:
            self.learner.restore(saved)
        return bool(saved)

    # Settings and ratings

    def refresh(self) -> bool:
        """Read settings and ratings again if another process changed the store; whether it did."""
        seen = self.store.changes()
        if seen == self._seen:
            return False
        self._seen = seen
        setting = self.store.setting
        before = self.disclosure
        self.name, self.disclosure, self.paused = setting("name"), setting("disclosure"), setting("paused")
        self.peers.reload(setting("open"))
        ratings = self.rating_store.ratings()
        if ratings != self._ratings or before != self.disclosure:
            self._follow(ratings)
        return True

    def _follow(self, ratings: list[Rating]) -> None:
        """Learn from these ratings from now on, those that are disclosed; at once, where `eager`."""
        first = self._ratings is None
        self._ratings = ratings
        people = self.rating_store.people_in_order(ratings)
        seed, pi, model = self.rules.seed, self.disclosure, self.rules.model
        chosen = [r for r in ratings if takes_part(seed, row_id(r.key), pi)]
        data = [
            SharedRatings(*training_data([r for r in chosen if r.person == who], model)) for who in people
        ]
        self._rated, self._takes_part = np.unique(row_names(ratings)), bool(chosen)
        self._unpublished = self.rating_store.unpublished_rows()
        self.dirty = True
        # What was met and not liked is part of the catalogue, if it is disclosed at all.
        self._set_training_data(data, row_names(met(chosen)), first)

    def _set_training_data(self, data: list[SharedRatings], met_rows: Hashes, first: bool) -> None:
        if ranks(self.rules.model):
            self.learner.know(met_rows)
            self.learner.know(np.array(self.rating_store.public_rows(), np.uint64))
        # Only what is disclosed is pinned: which rows stay shows in what is sent.
        self.learner.set_people(data, met_rows)
        self._alone = _ALONE
        if self._eager and not (first and self.learner.rounds):
            self.learner.learn()

    # What leaves

    def wake(self, now: int) -> list[Outgoing]:
        """A model for one of the peers; nothing while paused."""
        if self.paused or self._full():
            self.learner.skip()
            return []
        peers = self.peers.candidates()
        if not peers:
            self.learner.skip()
            self._learn_alone()
            return []
        peers = self.peers.chosen(peers, self.learner.wakes)
        self.learner.known = list(range(len(peers)))
        self.dirty = True  # the count of wakes keys what is drawn
        sends = self.learner.wake(now, lambda n: self.peers.reachable(peers[n], now))
        out = []
        for send in sends:
            names, update = self.learner.named(send.update)
            size = len(pack_update(self.digest, 1, names, update))
            rated = int(self.is_rated(names).sum())
            number = self._enter(peers[send.peer], "update", size, len(names), rated)
            if number is None:
                break
            self._mark_published(names)
            data = pack_update(self.digest, number, names, update)
            out.append(self._outgoing(peers[send.peer], Kind.UPDATE, data))
        return out

    def greetings(self, now: int, everybody: bool = True) -> list[Outgoing]:
        """Hellos to peers whose invitations wait to be used; once per run to all, as addresses may have changed."""
        if self.paused or self._full():
            return []
        secrets = {peer.id: peer.secret for peer in self.peers.invited_by()}
        if everybody:
            secrets |= {peer: "" for peer in self.peers.candidates() if peer not in self._greeted}
        out = []
        for peer, secret in secrets.items():
            if self.peers.reachable(peer, now):
                self._greeted.add(peer)
                out += self._small(peer, Kind.HELLO, self.hello(secret))
        return out

    def exchange(self, now: int) -> list[Outgoing]:
        """An exchange of keys and peers with one random peer."""
        if self.paused or self._full():
            return []
        peers = [peer for peer in self.peers.candidates() if self.peers.reachable(peer, now)]
        if not peers:
            return []
        event = 2**31 + self._exchanges
        peer = peers[pick(self.rules.seed, self.learner.number, event, len(peers))]
        return self._small(peer, Kind.EXCHANGE, self.next_exchange())

    def hear_keys(self, got: Exchange) -> None:
        """Learn of item keys that a peer sent."""
        if got.keys and self.rating_store.add_public_keys(got.keys) and ranks(self.rules.model):
            self.learner.know(np.array([row_id(key) for key in got.keys], np.uint64))
            self.dirty = True

    def preview(self) -> tuple[Hashes, int]:
        """The rows of the next message, and its bytes, as it would leave now."""
        names, update = self.learner.named(self.learner.release_now())
        return names, len(pack_update(self.digest, 1, names, update))

    def hello(self, secret: str = "") -> Hello:
        """The hello of this node."""
        return Hello(self.agreement, self.name, list(self.addresses), self.peers.open, secret)

    def next_exchange(self) -> Exchange:
        """The next exchange: some public keys, from a random row on, and some peers."""
        start, _ = philox(self.rules.seed, Stream.LIVE_KEYS, 0, self._exchanges, 0)
        self._exchanges += 1
        return Exchange(
            self.peers.descriptors(self.addresses), self.rating_store.public_keys(int(start), MAX_KEYS)
        )

    def answer(self, peer: str, kind: Kind, body: Small) -> bytes:
        """Pack an answer that carries information; it is in the ledger before it leaves."""
        data = pack(kind, body)
        if self._enter(peer, kind.name.lower(), len(data), *self._about(body)) is None:
            raise BadMessage(FULL)  # A refusal says nothing, so it may leave.
        return data

    def _small(self, peer: str, kind: Kind, body: Small) -> list[Outgoing]:
        data, word = pack(kind, body), kind.name.lower()
        entered = self._enter(peer, word, len(data), *self._about(body))
        return [] if entered is None else [self._outgoing(peer, kind, data)]

    def _about(self, body: Small) -> tuple[int, int]:
        """How many rows a message is about, and how many of them the person rated; keys alone say nothing new."""
        return 0, 0

    def _outgoing(self, peer: str, kind: Kind, data: bytes) -> Outgoing:
        return Outgoing(peer, self.peers.known[peer].addresses, kind, data)

    def is_rated(self, names: Hashes) -> npt.NDArray[np.bool_]:
        """Which rows are about rated items, whether the shared model uses their ratings or not."""
        return np.isin(names, self._rated)

    def _enter(self, peer: str, kind: str, size: int, rows: int = 0, rated: int = 0) -> int | None:
        """Enter something in the ledger; None, and so nothing may leave, where that fails."""
        try:
            return self.ledger.enter(self.wall(), peer, kind, rows, rated, size, self.disclosure)
        except StoreFull:
            self.problem = FULL
            return None

    def _mark_published(self, names: Hashes) -> None:
        new = self._unpublished.intersection(names.tolist())
        if new:
            self.rating_store.publish(new)
            self._unpublished -= new

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

    def _learn_alone(self) -> None:
        if self._alone > 0 and self._takes_part:
            self._alone -= 1
            self.learner.learn()
            self.dirty = True

    # Failures and saving

    def failed(self, out: Outgoing, now: int, why: str, sure: bool = False) -> None:
        """No answer came; `sure`: and it was not delivered."""
        self.peers.failed(out.peer, now, why)

    def moved(self, addresses: tuple[str, ...]) -> None:
        """This node has other addresses now: everybody is greeted anew."""
        self.addresses = addresses
        self._greeted.clear()
        try:
            self.store.set(addresses=list(addresses))
        except StoreFull:
            self.problem = FULL

    def _save(self) -> None:
        self.store.save_arrays(self.learner.save())
        self.store.set(rows_known=len(self.learner.row_index))

    def flush(self) -> bool:
        """Everything to disk, all or nothing; whether it is there."""
        changed = any(self.received.values())
        if not (self.dirty or changed or self.peers.changed):
            return True
        try:
            with self.store.transaction():
                if self.dirty:
                    self._save()
                if changed:
                    self.ledger.count(**self.received)
                self.peers.flush()
        except StoreFull:
            self.problem = FULL
            return False
        self.dirty = False
        self.received = dict.fromkeys(self.received, 0)
        return True
