"""A node that exchanges sums: what it sends, whom it asks for masks, and when its own data goes in.

In every epoch a node first asks some peers for masks. One of a pair adds their noise, and the other subtracts it. Its
own statistics go in together with the noise of at least `members` - 1 peers who do the same. That must be before the
epoch is a third over. Otherwise only the noise goes in, so that it cancels, and the node passes sums on.

Everything a share says is on disk before it leaves. Everything taken is on disk before it is acknowledged. So a node
that is killed neither loses nor doubles anything.
"""

from __future__ import annotations

import numpy as np

from tacit.core.message import codec
from tacit.core.rng import Stream, permutation
from tacit.node.agent import Agent
from tacit.node.catalogue.item_keys import row_id
from tacit.node.catalogue.row_index import Hashes
from tacit.node.exchange.gossip_learner import SharedRatings
from tacit.node.network.transport import Outgoing
from tacit.node.network.wire import Body, Exchange, Kind, Small, pack
from tacit.node.push_sum.mask_secrets import MOST, WANTED, Pair, pair, part
from tacit.node.push_sum.sum_learner import SumLearner
from tacit.node.push_sum.sum_receiving import sum_answered, take_sum
from tacit.node.push_sum.sum_rules import SumRules
from tacit.node.push_sum.sum_saving import restore, save
from tacit.node.push_sum.sum_wire import NO_EPOCH, Ask, Catalogue, Epoch, Share
from tacit.node.push_sum.whispers import Whispers
from tacit.node.receive_limits import MAX_ROWS

_HEARD = 4
"""Catalogues of others that are remembered."""


class SumAgent(Agent):
    """What such a node does and sends; `sum_receiving` handles what comes in."""

    learner: SumLearner  # type: ignore[assignment]
    hands_over = True

    def _load(self, number: int) -> bool:
        assert isinstance(self.rules, SumRules)
        self.learner = SumLearner(number, self.rules, MAX_ROWS)
        self.learner.catalogue = lambda: np.array(self.rating_store.public_rows(), np.uint64)
        self._key = bytes.fromhex(self.store.setting("secret"))
        self._enough = self.rules.members - 1
        self._met: set[int] = set()
        self._whispers = Whispers(self.rules.seed)
        self._heard: dict[bytes, Hashes] = {}
        self._last = b""
        self._flying: set[str] = set()
        self._declined: set[str] = set()
        saved = self.store.arrays()
        if saved:
            restore(self.learner, saved)
        self._asking, self._unsure = self.learner.epoch, set(self.learner.asked)
        return bool(saved)

    def _save(self) -> None:
        self.store.put_arrays(save(self.learner))
        self.store.set(rows_known=len(self.learner.names))

    def flush(self) -> bool:
        """Everything that changed to disk, all or nothing; whether it is there."""
        self.dirty = self.dirty or bool(self.learner.changed)
        if not super().flush():
            return False
        self.learner.changed.clear()
        return True

    def _set_training_data(self, data: list[SharedRatings], met_rows: Hashes, first: bool) -> None:
        """What is disclosed goes into the next epoch. It counts for the person's own recommendations at once."""
        self.learner.set_people(data)
        self._met = set(met_rows.tolist())

    # What leaves

    def next_exchange(self) -> Exchange:
        """Some of the catalogue and some peers; and keys that are not public yet, on their way through the network.

        Among few people it would be plain whose they are: then one's own stay here.
        """
        told = super().next_exchange()
        hidden = self._unpublished & self._met if len(self.peers.candidates()) >= self._enough else ()
        own = [item.key for item in self.rating_store.items(hidden).values()]
        return Exchange(told.peers, told.keys, self._whispers.give(own))

    def hear_keys(self, got: Exchange) -> None:
        """Keys that somebody told, and keys that somebody whispered: these are passed on, or told from now on."""
        public = [*got.keys, *self._whispers.take(got.whispered)]
        if public:
            self.rating_store.add_public_keys(public)
            self._whispers.drop(public)
            self._unpublished -= {row_id(key) for key in public}

    def _about(self, body: Small) -> tuple[int, int]:
        if isinstance(body, Exchange):
            names = np.array([row_id(key) for key in (*body.keys, *body.whispered)], np.uint64)
        elif isinstance(body, Catalogue):
            names = body.rows()
        else:
            return 0, 0
        return len(names), int(self.is_rated(np.unique(names)).sum())

    def wake(self, now: int) -> list[Outgoing]:
        """A share of the sums for one of the peers; nothing while paused."""
        learner = self.learner
        if self.paused or self._full():
            learner.skip()
            return []
        peers = self.peers.candidates()
        if learner.waiting and learner.to not in peers:
            learner.take_back()  # somebody who is known no more
            learner.acknowledged()
        if learner.wake(peers, lambda peer: self.peers.reachable(peer, now)):
            return self.share()
        # Before the first epoch turns go to keys: the sooner all items are known, the more it will be about.
        return self.exchange(now) if learner.epoch is NO_EPOCH and len(peers) >= self._enough else []

    def leave(self, now: int) -> list[Outgoing]:
        """All of the sums, masks in them included, to somebody who stays.

        Not where masks are agreed on and not in yet. Partners put their data in counting on this node's. Without it
        noise must not cancel.
        """
        learner = self.learner
        if self.paused or self._full() or (learner.pairs and not learner.put):
            return []
        reachable = [peer for peer in self.peers.candidates() if self.peers.reachable(peer, now)]
        return self.share() if learner.leave(reachable) else []

    def share(self) -> list[Outgoing]:
        """The share that waits to arrive, once it is on disk and in the ledger."""
        names, data = self._packed()
        if not self.flush():
            return []
        to, rated = self.learner.to, int(self.is_rated(names).sum())
        if self._enter(to, "update", len(data), len(names), rated) is None:
            return []
        self._last = data
        return [self._outgoing(to, Kind.SHARE, data)]

    def _packed(self) -> tuple[Hashes, bytes]:
        learner = self.learner
        update, epoch = learner.share(), learner.epoch
        names = learner.names if update.index is None else learner.names[update.index]
        said = Share(self.digest, *epoch, learner.good, learner.transfer, codec.encode(update))
        return names, pack(Kind.SHARE, said)

    def preview(self) -> tuple[Hashes, int]:
        """The rows of the next share, and its bytes. Changes this agent, which is to be thrown away."""
        learner = self.learner
        peers = self.peers.candidates() or [self.me]
        if learner.epoch is NO_EPOCH or not learner.wake(peers, lambda peer: True):
            return np.zeros(0, np.uint64), 0
        names, data = self._packed()
        return names, len(data)

    # Masks

    @property
    def able(self) -> bool:
        """Whether this node will put data of its own in, if it finds enough others."""
        return self.learner.able and len(self.peers.candidates()) >= self._enough

    def asks(self, now: int) -> list[Outgoing]:
        """Questions for masks in this epoch; when there are enough of them, one's own statistics go in."""
        learner = self.learner
        if self.paused or self.learner.rules.masks <= 0 or learner.epoch is NO_EPOCH or self._full():
            return []
        if self._asking != learner.epoch:
            self._asking, self._flying, self._declined, self._unsure = learner.epoch, set(), set(), set()
        reachable = [peer for peer in self.peers.candidates() if self.peers.reachable(peer, now)]
        again = [peer for peer in reachable if peer in learner.asked - self._flying]
        done = learner.pairs.keys() | learner.asked | self._declined
        free = [peer for peer in reachable if peer not in done]
        able = sum(one.able for one in learner.pairs.values())
        if not learner.put:
            if learner.late or able >= WANTED or (able >= self._enough and not free and not self._flying):
                learner.put_in(learner.able and able >= self._enough)
                self.flush()
            else:
                room = min(WANTED - able, MOST - len(learner.pairs)) - len(learner.asked)
                order = permutation(
                    self.rules.seed, Stream.LIVE_PARTNERS, learner.number, learner.epoch.number, len(free)
                )
                again += [free[place] for place in order[: max(0, room)].tolist()]
        return [out for peer in again for out in self.ask(peer)]

    def ask(self, peer: str) -> list[Outgoing]:
        """One question; that it was asked is on disk first, for the other may agree and the answer be lost."""
        learner = self.learner
        learner.asked.add(peer)
        learner.changed.add("meta")
        if not self.flush():
            return []
        self._flying.add(peer)
        epoch = learner.epoch
        mine = part(self._key, self.me, peer, epoch)
        return self._small(peer, Kind.ASK, Ask(self.digest, *epoch, learner.good, self.able, mine))

    def pair_with(self, peer: str, theirs: bytes, able: bool) -> tuple[bytes, Pair]:
        """One's own part of the secret with a peer, and what comes of both."""
        epoch = self.learner.epoch
        mine = part(self._key, self.me, peer, epoch)
        return mine, pair(self.me, peer, mine, theirs, epoch, able)

    def landed(self, peer: str, sure: bool = True) -> None:
        """A question came to an end: answered, or not; not `sure`: it may have been agreed to."""
        self._flying.discard(peer)
        if not sure:
            self._unsure.add(peer)

    def declined(self, peer: str) -> None:
        """Somebody did not agree to masks; who may have before, and the answer was lost, is asked again."""
        if peer in self._unsure or peer not in self.learner.asked:
            return
        self.learner.asked.discard(peer)
        self.learner.changed.add("meta")
        self._declined.add(peer)

    # Catalogues

    def listing(self, peer: str) -> list[Outgoing]:
        """This epoch's catalogue, for somebody who does not know it."""
        body = Catalogue(self.digest, self.learner.names.astype("<u8").tobytes())
        return self._small(peer, Kind.CATALOGUE, body)

    def hear(self, names: Hashes) -> None:
        """Remember a catalogue that somebody told."""
        while len(self._heard) >= _HEARD:
            del self._heard[next(iter(self._heard))]
        self._heard[Epoch.of(0, names).digest] = names

    def rows_of(self, epoch: Epoch) -> Hashes | None:
        """The catalogue of an epoch, if it is known here."""
        if epoch[1:] == self.learner.epoch[1:]:
            return self.learner.names
        heard = self._heard.get(epoch.digest)
        names = self.learner.next_names() if heard is None else heard
        return names if Epoch.of(epoch.number, names) == epoch else None

    # What comes in

    def take_sum(self, peer: str, body: Share | Ask | Catalogue) -> bytes:
        """The answer to a share, a question or a catalogue."""
        return take_sum(self, peer, body)

    def sum_answered(self, out: Outgoing, kind: Kind, body: Body) -> list[Outgoing]:
        """What to say to somebody's answer."""
        return sum_answered(self, out, kind, body)

    def stale(self, out: Outgoing) -> bool:
        """A share that was taken back, or arrived, must not leave once more."""
        return out.kind is Kind.SHARE and (not self.learner.waiting or out.data != self._last)

    def failed(self, out: Outgoing, now: int, why: str, sure: bool = False) -> None:
        """No answer came; `sure`: and it was not delivered."""
        super().failed(out, now, why, sure)
        self.lost(out, sure)

    def lost(self, out: Outgoing, sure: bool) -> None:
        """A share goes back into the sums, or again; a question goes to somebody else, or again."""
        learner = self.learner
        if out.kind is Kind.SHARE and not self.stale(out):
            if sure:
                learner.take_back()
            else:
                learner.doubt = True
        if out.kind is Kind.ASK:
            self.landed(out.peer, sure)
            if sure:
                self.declined(out.peer)
