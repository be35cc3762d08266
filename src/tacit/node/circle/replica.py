"""The replica: roster and lists of all members at one node, and how two members make theirs equal (anti-entropy).

    replica.take(sync, now)            use what a member sent, as far as it is newer and signed
    replica.offer(peer, sync)          what to answer: versions, what the other lacks, what is missing here

Every member carries every list, so people need not be there at the same time. Rules:

- A list is replaced only by a newer one that its member signed, once all of its parts are here. Newer is what has the
  higher version. An old copy of a folder makes two lists with one version; the higher hash wins then.
- A list may change so often; one with fewer titles is always taken, so nobody waits to take something back.
- A key is told only to members according to all rosters known here. Rosters come first: a member that has a new key
  also knows who must not have it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from hashlib import blake2b

import msgspec

from tacit.core.errors import BadInput, BadMessage
from tacit.node.circle.branches import NO_KEY, stamp_of_roster
from tacit.node.circle.likes import OpenList
from tacit.node.circle.rates import Rate
from tacit.node.circle.rosters import Rosters
from tacit.node.circle.sealed_list import part_hash, read_head, seal_parts, sign_head, stamp_of
from tacit.node.network.addresses import told_addresses
from tacit.node.network.circle_messages import Card, Head, RosterStamp, Signed, Sync, read
from tacit.node.receive_limits import LIST_BURST, LIST_EVERY, MAX_CARRIED, MAX_LIST_VERSION, MAX_WANTED
from tacit.node.store.database import Store

_NONE = (0, 0, b"")
"""Older than any list."""


class Replica(Rosters):
    """Rosters and lists at one node; everything is in its store."""

    def __init__(self, store: Store, wall: Callable[[], float]) -> None:
        super().__init__(store, wall)
        self._versions = Rate(LIST_BURST, LIST_EVERY)

    # Own list

    def publish(self, likes: OpenList, card: Card, *, left: bool = False) -> bool:
        """Sign a new version of the own list, if it would differ; whether it does."""
        with self._store.transaction():
            state, roster = self.here(), self.roster()
            if roster is None or self.me not in roster.members:
                return False
            before, open_before, check = self.head(self.me), self.list_of(self.me), roster.key_check
            if check == NO_KEY and before is not None and open_before is not None:
                # What is new waits for a safe key. Taking back does not: it says nothing new.
                likes, card, check = likes.only(open_before[0].titles), open_before[1], before.key_check
            key = self.key_of(check)
            if key is None:
                return False  # Nothing is signed before there is a key to encrypt it with.
            sealed = seal_parts(roster.circle, self.me, key, likes, card)
            last = 0 if before is None else before.version
            version = max(last, state.floor) + 1
            head = Head(
                roster.circle, self.me, roster.members[self.me], version, check, len(likes.titles),
                sealed.hashes, left,
            )  # fmt: skip
            if last > state.floor and msgspec.structs.replace(head, version=last) == before:
                return False
            if version > MAX_LIST_VERSION:
                raise BadInput("circle", got="too many versions of a list", allowed="leave, and join again")
            self.lists.add_parts(sealed.data)
            self._use(self.me, version, sign_head(self._secret(), head))
        return True

    # Anti-entropy

    def digest(self) -> bytes:
        """Of everything that two members compare."""
        said = [self.roster_stamps(), self.has_key(), sorted(self.stamps().items())]
        return blake2b(msgspec.msgpack.encode(said), digest_size=8).digest()

    def greeting(self) -> Sync:
        """The first message: equal digests need no more words."""
        return Sync(circle=self.here().id, digest=self.digest())

    def offer(self, peer: str, got: Sync, asked: Collection[bytes] = (), *, only_own: bool = False) -> Sync:
        """What there is to say to a member that said this. `asked`: parts that somebody else was asked for.

        `only_own`: nothing is asked for, and no list but the own is carried.
        """
        state, mine = self.here(), self.stamps()
        out = Sync(
            circle=state.id,
            digest=self.digest(),
            rosters=self.roster_stamps(),
            has_key=self.has_key(),
            versions={bytes.fromhex(member): stamp for member, stamp in mine.items()},
            want=[] if only_own else [name for name in self._wanted() if name not in asked],
        )
        roster = self.roster()
        if got.versions is None or roster is None or peer not in roster.members:
            return out
        carried = {self.me} if only_own else set(mine)
        theirs, parts = got.has(), set(self.hashes_of(self.me)) if only_own else None
        lacks = [one for one in mine if one in carried and mine[one] > theirs.get(one, _NONE)]
        # A higher roster that was not seen here may know all that these know, so it comes first.
        unknown = max(self._unseen(got), default=(0, b""))
        lacks_key = unknown < out.rosters[0] and (got.rosters != out.rosters or not got.has_key)
        return msgspec.structs.replace(
            out,
            signed_rosters=[
                signed
                for stamp, signed in zip(out.rosters, self.rosters(), strict=True)
                if stamp not in got.rosters and stamp > unknown
            ],
            key=state.keys.get(roster.key_check.hex()) if lacks_key else None,
            heads=[self._signed(one) for one in lacks],
            parts=self._carried([name for name in got.want if parts is None or name in parts]),
        )

    def lacks(self, got: Sync) -> bool:
        """Whether a member that said this has something newer."""
        roster, mine = self.roster(), self.stamps()
        if roster is None or self._unseen(got):
            return True
        if got.rosters == self.roster_stamps() and got.has_key and not self.has_key():
            return True
        return any(
            one in roster.members and theirs > mine.get(one, _NONE) for one, theirs in got.has().items()
        )

    def _unseen(self, got: Sync) -> set[RosterStamp]:
        """Rosters that a member has, but for those that are here and those that it sent, which were judged."""
        return set(got.rosters) - set(self.roster_stamps()) - set(map(stamp_of_roster, got.signed_rosters))

    def take(self, got: Sync, now: int) -> bool:
        """Use what a member sent; whether anything is new. BadMessage, and nothing changed, where it is not proper."""
        state = self.here()
        if state.id and got.circle and got.circle != state.id:
            raise BadMessage("circle: not this one")
        heads = [(signed, read_head(signed)) for signed in got.heads]  # all of them, before any counts
        before = self.digest(), state.floor
        with self._store.transaction():
            if got.signed_rosters:
                self._take_rosters(got.signed_rosters)
            if got.key is not None:
                self._take_key(got.key)
            for signed, head in heads:
                self._take_head(signed, head, now)
            wanted = self.missing()
            named = {part_hash(part): part for part in got.parts}
            self.lists.add_parts({name: part for name, part in named.items() if name in wanted})
            for member, data in self.lists.pending().items():
                signed = read(data, Signed)
                head = read(signed.body, Head)
                if all(self.lists.part(name) is not None for name in head.parts):
                    self._use(member, head.version, signed)
                    self._follow_list(head)
        return (self.digest(), self.here().floor) != before

    def _take_head(self, signed: Signed, head: Head, now: int) -> None:
        roster, stamp = self.roster(), stamp_of(signed, head)
        if roster is None or head.circle != roster.circle or roster.members.get(head.member) != head.joined:
            return  # Of somebody who is gone, or not known yet, or was not in again yet: the roster decides.
        if head.member == self.me:
            if stamp > self.stamps().get(self.me, _NONE):
                self.change(floor=max(self.here().floor, head.version))
            return
        stored = (self.lists.head(head.member), self.lists.pending().get(head.member))
        known = [read(data, Signed) for data in stored if data is not None]
        heads = [read(one.body, Head) for one in known]
        if any(stamp <= stamp_of(*pair) for pair in zip(known, heads, strict=True)):
            return
        if _takes_back(head, heads) or self._versions.take(head.member, now):
            self.lists.wait_for(head.member, msgspec.msgpack.encode(signed))

    # What follows

    def _follow_list(self, head: Head) -> None:
        """A member has another name or other addresses, or left."""
        found, known = self.list_of(head.member), self.contacts.peer(head.member)
        if found is not None and known is not None:
            told = told_addresses(found[1].addresses, self.contacts.relays())
            self.contacts.save(
                replace(known, name=found[1].name or known.name, addresses=told or known.addresses)
            )
        roster = self.roster()
        if head.left and roster is not None and roster.host == self.me:
            self.remove(head.member, left=True)

    def _use(self, member: str, version: int, signed: Signed) -> None:
        self.lists.use(member, version, msgspec.msgpack.encode(signed), self._wall())
        self._tidy()

    # Parts

    def missing(self) -> set[bytes]:
        """All parts that are missing here."""
        return {name for names in self._missing() for name in names}

    def _missing(self) -> list[list[bytes]]:
        """Parts that are missing here, of each list that waits."""
        missing = [
            [name for name in head.parts if self.lists.part(name) is None] for head in self.waiting().values()
        ]
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


def _takes_back(new: Head, known: list[Head]) -> bool:
    """Whether a list has fewer titles than any that is known here, or says that its member leaves.

    That can only happen so often, so it needs no other limit.
    """
    fewer = bool(known) and new.titles < min(head.titles for head in known)
    return fewer or (new.left and not any(head.left for head in known))
