"""The roster of a circle: what the host signs, what others take of it, what follows for contacts, lists and keys.

- The host, who made the circle, signs the roster. A roster is replaced only by one of that host which knows all that it
  knows. Where neither of two does, both are kept until the host signs one that does (`branches`).
- Every admission has a number, and a list belongs to one. What somebody signed before they left counts for nothing
  when they are back.
- Somebody who is not in the roster is forgotten, and blocked where the host removed them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from tacit.core.errors import BadMessage
from tacit.node.circle import keys
from tacit.node.circle.branches import NO_KEY, departed, newest, united
from tacit.node.circle.kept import Kept, State
from tacit.node.network.circle_messages import Gone, Roster, Signed, read
from tacit.node.network.wire import plain
from tacit.node.receive_limits import MAX_CIRCLE, MAX_GONE, MAX_ROSTER
from tacit.node.store.records import Peer


class Rosters(Kept):
    """The roster at one node."""

    # The host's part

    def found(self, name: str) -> None:
        """Make a circle with this node as its host."""
        roster = Roster(keys.new_id(), name, self.me, 0, 0, NO_KEY, {self.me: 1}, since=0)
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
            gone = _without_goodbye(roster, member)
            self._sign(msgspec.structs.replace(roster, members=members, gone=gone), new_key=False)

    def remove(self, member: str, left: bool = False) -> None:
        """Take somebody out and make a new key, which the others get."""
        with self._store.transaction():
            roster = self._own_roster()
            if member not in roster.members:
                return
            gone = Gone(member, self.name_of(member), left, roster.members[member])
            members = {one: number for one, number in roster.members.items() if one != member}
            all_gone = (*_without_goodbye(roster, member), gone)
            self._sign(msgspec.structs.replace(roster, members=members, gone=all_gone))

    def end_link(self) -> bool:
        """End the circle's link: nobody gets in by it any more. Whether there was one."""
        with self._store.transaction():
            secret = self.here().link
            if secret:
                self.contacts.burn(secret)
                self.change(link="")
        return bool(secret)

    def _own_roster(self) -> Roster:
        roster = self.roster()
        assert roster is not None
        assert roster.host == self.me
        return roster

    def _sign(self, roster: Roster, *, new_key: bool = True) -> None:
        """Sign the next version."""
        version = roster.version + 1
        roster = msgspec.structs.replace(roster, version=version, since=min(version, roster.since))
        with self._store.transaction():
            if new_key:
                key = keys.new_key()
                check = keys.hashed(key, "key")
                roster = msgspec.structs.replace(roster, generation=roster.generation + 1, key_check=check)
                self.change(keys={**self.here().keys, check.hex(): key})
            roster = _short(roster)
            self._keep((keys.sign(self._secret(), "roster", roster),))

    def _secret(self) -> bytes:
        return bytes.fromhex(self._store.setting("secret"))

    # Everybody's part

    def introduced(self, peer: str, shown: Sequence[Signed]) -> bool:
        """Whether somebody who is not known here shows a roster of this circle by which they are in it; it is kept."""
        with self._store.transaction():
            roster = self.roster()
            if roster is None or peer in roster.members:
                return False
            if not any(peer in read(signed.body, Roster).members for signed in shown):
                return False
            self._take_rosters(shown)
            return peer in self.others()

    def _take_rosters(self, got: Sequence[Signed]) -> None:
        """Keep what is news here. The host unites at once what does not know of each other."""
        state, mine = self.here(), self.rosters()
        circle = state.id or read(got[0].body, Roster).circle
        for signed in got:
            roster = read(signed.body, Roster)
            if roster.host != state.host or roster.circle != circle:
                raise BadMessage("circle: got the roster of another one")
            if not keys.is_signed(signed, "roster", roster.host):
                raise BadMessage("circle: got a roster that its host did not sign")
        latest = newest((*mine, *got))
        if latest == mine:
            return
        if state.host == self.me:
            self.end_link()  # An old copy of the folder was put back, and the link may have been ended since.
        if state.host == self.me and len(latest) > 1:
            self._sign(united([read(signed.body, Roster) for signed in latest]))
        else:
            self._keep(latest)

    def _take_key(self, key: bytes) -> None:
        roster = self.roster()
        if roster is not None and keys.hashed(key, "key") == roster.key_check:
            self.change(keys={**self.here().keys, roster.key_check.hex(): key})

    # What follows

    def _keep(self, rosters: Sequence[Signed]) -> None:
        """Act on these rosters from now on: members may talk to this node, and lists of nobody else are kept."""
        members, first = self.others(), read(rosters[0].body, Roster)
        self.change(roster=rosters[0], aside=rosters[1:], id=first.circle, name=plain(first.name))
        roster = self.roster()
        assert roster is not None
        for member in members:
            if member not in roster.members:
                self.contacts.remove(member)
        blocked = self.contacts.blocked()
        for member in roster.members:
            if member in blocked:
                self.contacts.unblock(member)
            known = self.contacts.peer(member)
            if member != self.me and (known is None or not known.allowed):
                self.contacts.save(replace(known or Peer(member), allowed=True))
        for one in departed(roster):
            if not one.left and one.id != self.me and one.id not in blocked:
                self.contacts.block(
                    one.id, self._wall()
                )  # The link stays for those who left: they may come back.
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
        known = self.here().keys
        wanted = {head.key_check.hex() for head in heads}
        wanted |= {read(signed.body, Roster).key_check.hex() for signed in self.rosters()}
        if set(known) - wanted:
            self.change(keys={check: key for check, key in known.items() if check in wanted})


def _without_goodbye(roster: Roster, member: str) -> tuple[Gone, ...]:
    """How everybody went, but for a member's own goodbye: another word of theirs follows it."""
    return tuple(one for one in roster.gone if one.id != member or not one.left)


def _short(roster: Roster) -> Roster:
    """A roster that others take. The oldest names go first; without the oldest ends it replaces all lower versions."""
    gone = list(roster.gone)
    for n, one in enumerate(gone):
        if len(msgspec.msgpack.encode(roster)) <= MAX_ROSTER:
            break
        gone[n] = msgspec.structs.replace(one, name="")
        roster = msgspec.structs.replace(roster, gone=tuple(gone))
    while len(roster.gone) > MAX_GONE or len(msgspec.msgpack.encode(roster)) > MAX_ROSTER:
        roster = msgspec.structs.replace(roster, gone=roster.gone[1:], since=roster.version)
    return roster
