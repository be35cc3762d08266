"""The roster of a circle: what the host signs, what others take of it, what follows for contacts, lists and keys.

- The host, who made the circle, signs the roster. A roster is replaced only by a newer one of that host.
- Every admission has a number, and a list belongs to one. What somebody signed before they left counts for nothing
  when they are back.
- Somebody who is not in the roster is forgotten, and blocked where the host removed them.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec

from tacit.core.errors import BadMessage
from tacit.node.circle import keys
from tacit.node.circle.kept import Kept, State, stamp_of_roster
from tacit.node.network.circle_messages import Gone, Roster, Signed, read
from tacit.node.network.wire import plain
from tacit.node.receive_limits import MAX_CIRCLE, MAX_GONE, MAX_ROSTER
from tacit.node.store.records import Peer


class Rosters(Kept):
    """The roster at one node."""

    # The host's part

    def found(self, name: str) -> None:
        """Make a circle with this node as its host."""
        roster = Roster(keys.new_id(), name, self.me, 0, 0, b"\0" * 16, {self.me: 1})
        with self._store.transaction():
            self.lists.enter(State(name, self.me, roster.circle))
            self._sign(roster)

    def admit(self, member: str) -> None:
        """Let somebody in, who used the link. A member who used it again begins anew, with another number."""
        with self._store.transaction():
            roster = self._own_roster()
            members = {**roster.members, member: roster.version + 1}
            if len(members) > MAX_CIRCLE:
                raise BadMessage(f"circle: full, it has {MAX_CIRCLE} members")
            gone = tuple(one for one in roster.gone if one.id != member)
            self._sign(msgspec.structs.replace(roster, members=members, gone=gone), new_key=False)

    def remove(self, member: str, left: bool = False) -> None:
        """Take somebody out and make a new key, which the others get."""
        with self._store.transaction():
            roster = self._own_roster()
            if member not in roster.members:
                return
            gone = Gone(member, self.name_of(member), left, roster.members[member])
            before = tuple(one for one in roster.gone if one.id != member)
            members = {one: number for one, number in roster.members.items() if one != member}
            self._sign(msgspec.structs.replace(roster, members=members, gone=(*before, gone)))

    def _own_roster(self) -> Roster:
        roster = self.roster()
        assert roster is not None
        assert roster.host == self.me
        return roster

    def _sign(self, roster: Roster, *, new_key: bool = True) -> None:
        """Sign the next version."""
        roster = msgspec.structs.replace(roster, version=roster.version + 1)
        with self._store.transaction():
            if new_key:
                key = keys.new_key()
                check = keys.hashed(key, "key")
                roster = msgspec.structs.replace(roster, generation=roster.generation + 1, key_check=check)
                self.change(keys={**self.here().keys, check.hex(): key})
            roster = _short(roster)
            self.change(roster=keys.sign(self._secret(), "roster", roster))
            self._follow(roster)

    def _secret(self) -> bytes:
        return bytes.fromhex(self._store.setting("secret"))

    # Everybody's part

    def introduced(self, peer: str, signed: Signed) -> bool:
        """Whether somebody who is not known here shows a newer roster of this circle with them in it; it is kept."""
        with self._store.transaction():
            roster = self.roster()
            if roster is None or peer in roster.members or peer not in read(signed.body, Roster).members:
                return False
            self._take_roster(signed)
            return peer in self.others()

    def _take_roster(self, signed: Signed) -> None:
        state, new, now = self.here(), read(signed.body, Roster), self.roster()
        if new.host != state.host or (state.id and new.circle != state.id):
            raise BadMessage("circle: got the roster of another one")
        if not keys.is_signed(signed, "roster", new.host):
            raise BadMessage("circle: got a roster that its host did not sign")
        if now is not None and new.host == self.me:
            if new != now and new.version >= now.version:
                self._unite(now, new)
        elif stamp_of_roster(signed) > self.roster_stamp():
            self.change(roster=signed, id=new.circle, name=plain(new.name))
            self._follow(new)

    def _unite(self, own: Roster, other: Roster) -> None:
        """The host's folder was put back from an old copy, and somebody has a roster that it does not know.

        Everybody whom either has is in the next one, but nobody whom either took out.
        """
        gone = {(one.id, one.joined): one for one in (*own.gone, *other.gone)}
        members = {
            one: max(own.members.get(one, 0), other.members.get(one, 0))
            for one in (*own.members, *other.members)
        }
        members = {one: number for one, number in members.items() if (one, number) not in gone}
        left = tuple(one for one in gone.values() if one.id not in members)
        self._sign(
            msgspec.structs.replace(
                own,
                version=other.version,
                generation=max(own.generation, other.generation),
                members=members,
                gone=left,
            )
        )

    def _take_key(self, key: bytes) -> None:
        roster = self.roster()
        if roster is not None and keys.hashed(key, "key") == roster.key_check:
            self.change(keys={**self.here().keys, roster.key_check.hex(): key})

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
            if one.left:
                self.contacts.remove(one.id)  # The link stays: they may come back by it.
            elif one.id != self.me and one.id not in blocked:
                self.contacts.block(one.id, self._wall())
        for member, head in (*self.heads().items(), *self.waiting().items()):
            if roster.members.get(member) != head.joined:
                self.lists.forget(member)
                self._opened.pop(member, None)
        self._tidy()

    def _tidy(self) -> None:
        """Forget parts and keys that no list needs."""
        heads = [*self.heads().values(), *self.waiting().values()]
        needed = {name for head in heads for name in head.parts}
        self.lists.drop_parts(self.lists.part_names() - needed)
        roster, known = self.roster(), self.here().keys
        wanted = {head.key_check.hex() for head in heads}
        wanted |= set() if roster is None else {roster.key_check.hex()}
        if set(known) - wanted:
            self.change(keys={check: key for check, key in known.items() if check in wanted})


def _short(roster: Roster) -> Roster:
    """A roster that others take: former members who are gone for longest are not named any more."""
    gone = roster.gone[-MAX_GONE:]
    while gone and len(msgspec.msgpack.encode(msgspec.structs.replace(roster, gone=gone))) > MAX_ROSTER:
        gone = gone[1:]
    return msgspec.structs.replace(roster, gone=gone)
