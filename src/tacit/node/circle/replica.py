"""The replica: roster and lists of all members at one node, and how two members make theirs equal (anti-entropy).

    replica.take(sync, now)            use what a member sent, as far as it is newer and signed
    replica.offer(peer, sync)          what to answer: versions, what the other lacks, what is missing here

Every member carries every list, so people need not be there at the same time. Rules:

- The host, who made the circle, signs the roster. A roster is replaced only by a newer one of that host.
- A list is replaced only by a newer one that its member signed, once all of its parts are here.
- A key is told only to members of the newest roster known here. The roster comes first: a member that has a new key
  also knows who must not have it.
- Somebody who is not in the roster is blocked, and their list is deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from hashlib import blake2b

import msgspec

from tacit.core.errors import BadInput, BadMessage
from tacit.node.circle import keys
from tacit.node.circle.kept import Kept, State
from tacit.node.circle.likes import OpenList
from tacit.node.circle.sealed_list import part_hash, read_head, seal_parts, sign_head
from tacit.node.network.addresses import good_addresses
from tacit.node.network.circle_messages import Card, Gone, Head, Roster, Signed, Sync, read
from tacit.node.network.wire import plain
from tacit.node.receive_limits import (
    LIST_BURST,
    LIST_EVERY,
    MAX_CARRIED,
    MAX_CIRCLE,
    MAX_GONE,
    MAX_LIST_VERSION,
    MAX_WANTED,
)
from tacit.node.store.database import Store
from tacit.node.store.records import Peer

_SECOND = 1_000_000


class Replica(Kept):
    """Roster and lists at one node; everything is in its store."""

    def __init__(self, store: Store, wall: Callable[[], float]) -> None:
        super().__init__(store, wall)
        self._tokens: dict[str, tuple[float, int]] = {}

    # The host's part

    def found(self, name: str) -> None:
        """Make a circle with this node as its host."""
        roster = Roster(keys.new_id(), name, self.me, 1, 1, b"\0" * 16, (self.me,))
        with self._store.transaction():
            self.lists.save_state(State(name, self.me, roster.circle))
            self._sign(roster, keys.new_key())

    def admit(self, member: str) -> None:
        """Let somebody in, who used the link."""
        roster = self._own_roster()
        if member in roster.members:
            return
        if len(roster.members) >= MAX_CIRCLE:
            raise BadMessage(f"circle: full, it has {MAX_CIRCLE} members")
        gone = tuple(one for one in roster.gone if one.id != member)
        self._sign(
            msgspec.structs.replace(
                roster, version=roster.version + 1, members=(*roster.members, member), gone=gone
            )
        )

    def remove(self, member: str, left: bool = False) -> None:
        """Take somebody out and make a new key, which the others get."""
        roster = self._own_roster()
        gone = Gone(member, self.name_of(member), left)
        self._sign(
            msgspec.structs.replace(
                roster,
                version=roster.version + 1,
                generation=roster.generation + 1,
                members=tuple(one for one in roster.members if one != member),
                gone=(*(one for one in roster.gone if one.id != member), gone)[-MAX_GONE:],
            ),
            keys.new_key(),
        )

    def _own_roster(self) -> Roster:
        roster = self.roster()
        assert roster is not None
        assert roster.host == self.me
        return roster

    def _sign(self, roster: Roster, key: bytes | None = None) -> None:
        with self._store.transaction():
            if key is not None:
                roster = msgspec.structs.replace(roster, key_check=keys.hashed(key, "key"))
                self.change(keys={**self.here().keys, roster.generation: key})
            self.change(roster=keys.sign(self._secret(), "roster", roster))
            self._follow(roster)

    def _secret(self) -> bytes:
        return bytes.fromhex(self._store.setting("secret"))

    # Own list

    def publish(self, likes: OpenList, card: Card, *, left: bool = False) -> bool:
        """Sign a new version of the own list, if it would differ; whether it does."""
        state, roster = self.here(), self.roster()
        if roster is None or (key := state.keys.get(roster.generation)) is None:
            return False  # Nothing is signed before there is a key to encrypt it with.
        sealed = seal_parts(roster.circle, self.me, key, likes, card)
        before = self._head(self.me)
        version = max(0 if before is None else before.version, state.floor) + 1
        head = Head(roster.circle, self.me, version, roster.generation, sealed.hashes, left)
        if before is not None and before.version >= state.floor:
            same = msgspec.structs.replace(head, version=before.version)
            if same == before:
                return False
        if version > MAX_LIST_VERSION:
            raise BadInput("circle", got="too many versions of a list", allowed="leave, and join again")
        with self._store.transaction():
            self.lists.add_parts(sealed.data)
            self._use(self.me, version, sign_head(self._secret(), head))
        return True

    # Anti-entropy

    def digest(self) -> bytes:
        """Of everything that two members compare."""
        roster, state = self.roster(), self.here()
        said = [
            0 if roster is None else roster.version,
            max(state.keys, default=0),
            sorted(self.lists.versions().items()),
        ]
        return blake2b(msgspec.msgpack.encode(said), digest_size=8).digest()

    def greeting(self) -> Sync:
        """The first message: equal digests need no more words."""
        return Sync(circle=self.here().id, digest=self.digest())

    def offer(self, peer: str, got: Sync, asked: Collection[bytes] = ()) -> Sync:
        """What there is to say to a member that said this. `asked`: parts that somebody else was asked for."""
        state, roster = self.here(), self.roster()
        mine = self.lists.versions()
        out = Sync(
            circle=state.id,
            digest=self.digest(),
            roster=0 if roster is None else roster.version,
            generation=max(state.keys, default=0),
            versions={bytes.fromhex(member): version for member, version in mine.items()},
            want=[name for name in self._wanted() if name not in asked],
        )
        if got.versions is None or roster is None or peer not in roster.members:
            return out
        theirs = got.has()
        lacks = [member for member, version in mine.items() if version > theirs.get(member, 0)]
        newest = state.keys.get(roster.generation, b"")
        return msgspec.structs.replace(
            out,
            signed_roster=state.roster if got.roster < roster.version else None,
            key=newest if newest and got.generation < roster.generation else b"",
            heads=[self._signed(member) for member in lacks],
            parts=self._carried(got.want),
        )

    def lacks(self, got: Sync) -> bool:
        """Whether a member that said this has something newer."""
        roster, state, mine = self.roster(), self.here(), self.lists.versions()
        if roster is None or got.roster > roster.version or got.generation > max(state.keys, default=0):
            return True
        # Somebody may have a later list of this node's own, if an old copy of its folder was put back.
        mine = {**mine, self.me: max(mine.get(self.me, 0), state.floor)}
        theirs = {one: version for one, version in got.has().items() if one in roster.members}
        return any(version > mine.get(one, 0) for one, version in theirs.items())

    def take(self, got: Sync, now: int) -> bool:
        """Use what a member sent; whether anything is new. BadMessage, and nothing changed, where it is not proper."""
        state = self.here()
        if state.id and got.circle and got.circle != state.id:
            raise BadMessage("circle: not this one")
        before = self.digest()
        with self._store.transaction():
            if got.signed_roster is not None:
                self._take_roster(got.signed_roster)
            if got.key:
                self._take_key(got.key)
            for signed in got.heads:
                self._take_head(signed, now)
            wanted = {name for names in self._missing() for name in names}
            named = {part_hash(part): part for part in got.parts}
            self.lists.add_parts({name: part for name, part in named.items() if name in wanted})
            for member, data in self.lists.pending().items():
                signed = read(data, Signed)
                head = read(signed.body, Head)
                if all(self.lists.part(name) is not None for name in head.parts):
                    self._use(member, head.version, signed)
                    self._follow_list(head)
        return self.digest() != before

    def introduced(self, peer: str, signed: Signed) -> bool:
        """Whether somebody who is not known here shows a newer roster of this circle with them in it; it is kept."""
        roster = self.roster()
        if roster is None or peer in roster.members or peer not in read(signed.body, Roster).members:
            return False
        self._take_roster(signed)
        return peer in self.others()

    def _take_roster(self, signed: Signed) -> None:
        state, new = self.here(), read(signed.body, Roster)
        if new.host != state.host or (state.id and new.circle != state.id):
            raise BadMessage("circle: got the roster of another one")
        if not keys.is_signed(signed, "roster", new.host):
            raise BadMessage("circle: got a roster that its host did not sign")
        now = self.roster()
        if now is not None and new.version <= now.version:
            return
        self.change(roster=signed, id=new.circle, name=plain(new.name))
        self._follow(new)

    def _take_key(self, key: bytes) -> None:
        roster = self.roster()
        if roster is not None and keys.hashed(key, "key") == roster.key_check:
            self.change(keys={**self.here().keys, roster.generation: key})

    def _take_head(self, signed: Signed, now: int) -> None:
        head, roster = read_head(signed), self.roster()
        if roster is None or head.circle != roster.circle or head.member not in roster.members:
            return  # Of somebody who is gone, or not known yet: the roster decides.
        if head.member == self.me:
            if head.version > self.lists.versions().get(self.me, 0):
                self.change(floor=max(self.here().floor, head.version))
            return
        waiting = self.lists.pending().get(head.member)
        known = self.lists.versions().get(head.member, 0)
        if waiting is not None:
            known = max(known, read(read(waiting, Signed).body, Head).version)
        if head.version > known and self._may_change(head.member, now):
            self.lists.wait_for(head.member, msgspec.msgpack.encode(signed))

    def _may_change(self, member: str, now: int) -> bool:
        """Whether a member's list may change again; called once per new version."""
        tokens, last = self._tokens.get(member, (float(LIST_BURST), now))
        tokens = min(float(LIST_BURST), tokens + (now - last) / (LIST_EVERY * _SECOND))
        self._tokens[member] = (tokens - 1 if tokens >= 1 else tokens, now)
        return tokens >= 1

    # What follows

    def _follow(self, roster: Roster) -> None:
        """Members may talk to this node, nobody else of the circle may; lists of the others are deleted."""
        blocked = self.contacts.blocked()
        for member in roster.members:
            if member in blocked:
                self.contacts.unblock(member)
            known = self.contacts.peer(member)
            if member != self.me and (known is None or not known.allowed):
                self.contacts.save(replace(known or Peer(member), allowed=True))
        for one in roster.gone:
            if one.id != self.me and one.id not in blocked:
                self.contacts.block(one.id, self._wall())
        for member in {*self.lists.versions(), *self.lists.pending()} - set(roster.members):
            self.lists.forget(member)
            self._opened.pop(member, None)
        self._tidy()

    def _follow_list(self, head: Head) -> None:
        """A member has another name or other addresses, or left."""
        found, known = self.list_of(head.member), self.contacts.peer(head.member)
        if found is not None and known is not None:
            addresses = good_addresses(found[1].addresses) or known.addresses
            self.contacts.save(replace(known, name=found[1].name or known.name, addresses=addresses))
        roster = self.roster()
        if head.left and roster is not None and roster.host == self.me and head.member in roster.members:
            self.remove(head.member, left=True)

    def _use(self, member: str, version: int, signed: Signed) -> None:
        self.lists.use(member, version, msgspec.msgpack.encode(signed), self._wall())
        self._tidy()

    def _tidy(self) -> None:
        """Forget parts and keys that no list needs."""
        heads = [self._head(member) for member in self.lists.versions()]
        used = [head for head in heads if head is not None]
        waiting = [read(read(data, Signed).body, Head) for data in self.lists.pending().values()]
        needed = {name for head in (*used, *waiting) for name in head.parts}
        self.lists.drop_parts(self.lists.part_names() - needed)
        roster, state = self.roster(), self.here()
        newest = 0 if roster is None else roster.generation
        wanted = {head.generation for head in (*used, *waiting)} | {newest}
        if set(state.keys) - wanted:
            self.change(keys={n: key for n, key in state.keys.items() if n in wanted or n > newest})

    # Parts

    def _missing(self) -> list[list[bytes]]:
        """Parts that are missing here, of each list that waits."""
        waiting = [read(read(data, Signed).body, Head) for data in self.lists.pending().values()]
        missing = [[name for name in head.parts if self.lists.part(name) is None] for head in waiting]
        return [names for names in missing if names]

    def _wanted(self) -> list[bytes]:
        """Parts to ask for, as many of each member: some whose lists never come keep nobody else's away."""
        missing = self._missing()
        each = max(1, MAX_WANTED // max(1, len(missing)))
        return list(dict.fromkeys(name for names in missing for name in names[:each]))[:MAX_WANTED]

    def _carried(self, wanted: list[bytes]) -> list[bytes]:
        """Parts that somebody asks for, as many as one message may hold."""
        found, room = [], MAX_CARRIED
        for name in wanted:
            part = self.lists.part(name)
            if part is not None and len(part) <= room:
                room -= len(part)
                found.append(part)
        return found
