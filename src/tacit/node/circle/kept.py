"""What a node keeps of its circle: a state, rosters, and lists, which it can read with the circle's key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import msgspec

from tacit.core.errors import BadMessage
from tacit.node.circle.branches import stamp_of_roster, united
from tacit.node.circle.likes import NOTHING, Choice, OpenList
from tacit.node.circle.sealed_list import open_list, stamp_of
from tacit.node.network.circle_messages import Card, Head, Roster, RosterStamp, Signed, Stamp, read
from tacit.node.store.circles import CircleStore
from tacit.node.store.contacts import Contacts
from tacit.node.store.database import Store


class State(msgspec.Struct, frozen=True):
    """What a node keeps of its circle besides lists. Each field is stored on its own."""

    name: str
    host: str
    id: bytes = b""
    """Empty until the host let this node in."""
    roster: Signed | None = None
    aside: tuple[Signed, ...] = ()
    """Others that know of something which it does not know of: an old copy of the host's folder was put back."""
    keys: dict[str, bytes] = {}
    """The circle's keys by their hashes in hexadecimal; older ones as long as some list needs them."""
    choice: Choice = NOTHING
    named: bool = True
    leaving: bool = False
    """The last list still has to reach somebody."""
    floor: int = 0
    """Somebody has another list of this node's with this version: an old copy of the folder was put back."""
    told: int = 0
    """The newest version of the own list that somebody else is known to have."""
    link: str = ""
    """The secret of the circle's one link, at its host."""


class Kept:
    """State, rosters and lists at one node; everything is in its store."""

    def __init__(self, store: Store, wall: Callable[[], float]) -> None:
        self._store, self._wall = store, wall
        self.lists, self.contacts = CircleStore(store), Contacts(store)
        self.me: str = store.setting("id")
        self._opened: dict[str, tuple[Signed, tuple[OpenList, Card]]] = {}

    @property
    def state(self) -> State | None:
        """What is kept besides lists; None: in no circle."""
        found = self.lists.state()
        return None if found is None else msgspec.convert(found, State, strict=False)

    def here(self) -> State:
        """The state of a node that is in a circle."""
        state = self.state
        assert state is not None
        return state

    def rosters(self) -> tuple[Signed, ...]:
        """The newest that the host signed, the highest first: more than one while it has not united them."""
        state = self.state
        return () if state is None or state.roster is None else (state.roster, *state.aside)

    def roster(self) -> Roster | None:
        """The members, according to all rosters here; None while the host has not answered yet."""
        found = [read(signed.body, Roster) for signed in self.rosters()]
        return united(found) if found else None

    def others(self) -> list[str]:
        """All other members; before the first answer, the host."""
        roster, state = self.roster(), self.state
        if state is None:
            return []
        return [one for one in (roster.members if roster is not None else (state.host,)) if one != self.me]

    def change(self, **values: object) -> None:
        """Keep other values of some fields."""
        self.lists.change(**values)

    def key_of(self, check: bytes) -> bytes | None:
        """The key that has this hash, if it is here."""
        return self.here().keys.get(check.hex())

    def has_key(self) -> bool:
        """Whether the circle's key is here."""
        roster = self.roster()
        return roster is not None and self.key_of(roster.key_check) is not None

    def heads(self) -> dict[str, Head]:
        """Heads of the lists in use, by member."""
        return {one: _head(data) for one, data in self.lists.heads().items()}

    def waiting(self) -> dict[str, Head]:
        """Newer heads some of whose parts are not here yet."""
        return {one: _head(data) for one, data in self.lists.pending().items()}

    def stamps(self) -> dict[str, Stamp]:
        """What says how new each list in use is."""
        return {one: _stamp(data) for one, data in self.lists.heads().items()}

    def roster_stamps(self) -> tuple[RosterStamp, ...]:
        """Which rosters are here."""
        return tuple(stamp_of_roster(signed) for signed in self.rosters())

    # Reading lists

    def list_of(self, member: str) -> tuple[OpenList, Card] | None:
        """What a member shares; None where it is not here, or cannot be read."""
        signed = self._signed_or_none(member)
        if signed is None:
            return None
        kept = self._opened.get(member)
        if kept is None or kept[0] != signed:
            head = read(signed.body, Head)
            key = self.key_of(head.key_check)
            if key is None:
                return None
            try:
                kept = signed, open_list(head, key, self._part)
            except BadMessage:
                return None
            self._opened[member] = kept
        return kept[1]

    def hashes_of(self, member: str) -> tuple[bytes, ...]:
        """Hashes of the parts of a list."""
        head = self.head(member)
        return () if head is None else head.parts

    def has_left(self, member: str) -> bool:
        """Whether a member said that they leave."""
        head = self.head(member)
        return head is not None and head.left

    def name_of(self, member: str) -> str:
        """A member's name; empty where it is not known."""
        if member == self.me:
            return str(self._store.setting("name"))
        found = self.list_of(member)
        known = self.contacts.peer(member)
        return (found[1].name if found else "") or (known.name if known else "")

    def names(self) -> dict[str, str]:
        """The names of all members. Where two chose the same one, the beginning of each id stands beside it."""
        chosen = {one: self.name_of(one) for one in (self.me, *self.others())}
        seen = Counter(name.casefold() for name in chosen.values())
        return {
            one: f"{name} ({one[:6]})" if name and seen[name.casefold()] > 1 else name
            for one, name in chosen.items()
        }

    def _part(self, name: bytes) -> bytes:
        data = self.lists.part(name)
        if data is None:
            raise BadMessage("circle: a part is missing")
        return data

    def _signed_or_none(self, member: str) -> Signed | None:
        data = self.lists.head(member)
        return None if data is None else read(data, Signed)

    def _signed(self, member: str) -> Signed:
        signed = self._signed_or_none(member)
        assert signed is not None
        return signed

    def head(self, member: str) -> Head | None:
        """The head of a list in use."""
        signed = self._signed_or_none(member)
        return None if signed is None else read(signed.body, Head)


def _head(data: bytes) -> Head:
    return read(read(data, Signed).body, Head)


def _stamp(data: bytes) -> Stamp:
    signed = read(data, Signed)
    return stamp_of(signed, read(signed.body, Head))
