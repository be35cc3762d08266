"""A circle whose host puts old copies of her folder back, and what everybody must know of whom: for tests.

`World` keeps, beside each roster, what its host knew when it was signed. What a member acts on must follow from what
the rosters know that it was shown: nothing that a node once knew may be forgotten again.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, count
from pathlib import Path

import pytest

pytest.importorskip("cryptography", reason="cryptography is not installed")

from tacit.node.circle.replica import Replica
from tacit.node.network.circle_messages import Roster, RosterStamp, read
from tacit.node.service import Service
from tests.node.circle.friends import ALL, Friends, film

NAMES = ("Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida")
_End = tuple[str, int]
"""A removal: whose, and the number of the membership that it ended."""
Era = tuple[int, list[tuple[str, int]], list[int], list[tuple[int, int | None]]]
"""A copy that is put back, what the host does with it, whom she meets, and who meets or likes something then."""


@dataclass(frozen=True, slots=True)
class Admission:
    """Somebody was let in by a host that knew of these removals of theirs."""

    name: str
    number: int
    """Tells it from any other."""
    knows: frozenset[_End]


@dataclass(frozen=True, slots=True)
class Facts:
    """What happened, as far as somebody knows."""

    admissions: frozenset[Admission] = frozenset()
    removals: frozenset[_End] = frozenset()

    def __or__(self, other: Facts) -> Facts:
        return Facts(self.admissions | other.admissions, self.removals | other.removals)

    def removals_of(self, name: str) -> frozenset[_End]:
        return frozenset(one for one in self.removals if one[0] == name)

    def holds(self, before: Facts) -> bool:
        """Whether nothing is missing that matters: an admission does not, if one here knew as much, or it is over."""
        return self.removals >= before.removals and all(
            not one.knows >= self.removals_of(one.name)
            or any(each.name == one.name and each.knows >= one.knows for each in self.admissions)
            for one in before.admissions
        )

    def members(self) -> set[str]:
        """Everybody who was let in by a host that knew of all removals of theirs."""
        return {one.name for one in self.admissions if one.knows >= self.removals_of(one.name)}


@dataclass
class World:
    """A host, Ana, with copies of her folder, and people whom she lets in and removes."""

    home: Path
    friends: Friends = field(init=False)
    copies: list[Path] = field(default_factory=list)
    known: dict[RosterStamp, Facts] = field(default_factory=dict)
    last: dict[str, Facts] = field(default_factory=dict)
    """What each person knew before: nothing of it may get lost."""
    held: dict[str, set[str]] = field(default_factory=dict)
    """Hashes of all keys that somebody ever had."""
    could_read: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """(author, who is gone) -> titles of the author's list when the author heard that they are gone."""
    returned: set[str] = field(default_factory=set)
    numbers: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self.friends = Friends(self.home)
        self.friends.add("Ana", "night ferry")
        self.last["Ana"] = Facts(frozenset({Admission("Ana", 0, frozenset())}))
        self.known[self.stamps("Ana")[0]] = self.last["Ana"]
        self.copies.append(self.copy())

    # Who is who

    @property
    def people(self) -> dict[str, Service]:
        return self.friends.people

    @property
    def host(self) -> Replica:
        return self.replica("Ana")

    def replica(self, name: str) -> Replica:
        return self.people[name].circle.replica

    def stamps(self, name: str) -> tuple[RosterStamp, ...]:
        return self.replica(name).roster_stamps()

    def acting(self, name: str) -> Roster:
        roster = self.replica(name).roster()
        assert roster is not None
        return roster

    def names(self, roster: Roster) -> set[str]:
        ids = {self.replica(name).me: name for name in self.people}
        return {ids[one] for one in roster.members}

    def facts(self, name: str) -> Facts:
        known = Facts()
        for stamp in self.stamps(name):
            known |= self.known[stamp]
        return known

    # What happens

    def admit(self, name: str) -> None:
        """Ana lets somebody in: a newcomer, a member who used the link again, or somebody whom she had removed."""
        here = self.facts("Ana")
        fact = Admission(name, next(self.numbers), here.removals_of(name))
        if name not in self.people:
            self.known_by_host(
                Facts(frozenset({fact})), lambda: self.friends.add(name, f"own {name.lower()}")
            )
        elif name in self.names(self.acting("Ana")) and self.replica(name).roster() is not None:
            self.known_by_host(Facts(frozenset({fact})), lambda: self.host.admit(self.replica(name).me))
        else:
            self.returned.add(name)
            guest = self.people[name]
            guest.circle.forget()
            guest.circle.join(self.people["Ana"].circle.link().text)
            self.last.pop(name)
            self.known_by_host(
                Facts(frozenset({fact})), lambda: self.friends.let_in(self.people["Ana"], guest)
            )
            guest.circle.share(ALL)
            guest.circle.publish()
        self.look()

    def remove(self, name: str) -> None:
        member = self.replica(name).me
        number = self.acting("Ana").members.get(member)
        if number is not None:
            fact = Facts(removals=frozenset({(name, number)}))
            self.known_by_host(fact, lambda: self.people["Ana"].circle.remove(member))
            self.look()

    def known_by_host(self, fact: Facts, do: object) -> None:
        before = self.facts("Ana") if self.known else Facts()
        was = self.host._sign

        def sign(*roster: object, **options: object) -> None:
            was(*roster, **options)  # type: ignore[arg-type]
            stamp = self.stamps("Ana")[0]
            self.known[stamp] = self.known.get(stamp, Facts()) | before | fact  # two copies may sign the same

        self.host._sign = sign  # type: ignore[method-assign, assignment]
        try:
            do()  # type: ignore[operator]
        finally:
            del self.host._sign

    def copy(self) -> Path:
        """Keep a copy of the host's folder."""
        path = self.home / f"copy {next(self.numbers)}"
        self.people["Ana"].close()
        shutil.copytree(self.people["Ana"].store.home, path)
        self.open_host(self.people["Ana"].store.home)
        return path

    def open_host(self, home: Path) -> None:
        self.people["Ana"] = Service(home)
        self.people["Ana"].store.read("PRAGMA synchronous = OFF")

    def put_back(self, number: int) -> None:
        """The host's folder is lost, and there is only this old copy."""
        self.people["Ana"].close()
        home = self.home / f"host {next(self.numbers)}"
        shutil.copytree(self.copies[number % len(self.copies)], home)
        self.open_host(home)
        self.last["Ana"] = self.facts("Ana")
        for pair in [pair for pair in self.could_read if pair[0] == "Ana"]:
            del self.could_read[pair]  # she has her earlier list again, too
        self.look()

    def like(self, name: str) -> None:
        self.people[name].rate(film(f"number {next(self.numbers)}"), 5)
        self.people[name].circle.publish()
        self.look()

    def meet(self, one: str, other: str, *, like: bool = True) -> None:
        """What two agents do: a stranger shows a roster, and members compare. Then each likes something new."""
        if self.replica(one).roster() is None or self.replica(other).roster() is None:
            return
        self.show(one, other)
        self.show(other, one)
        if self.may_talk(one, other) and self.may_talk(other, one):
            facts = self.facts(one) | self.facts(other)
            self.known_by_host(facts, lambda: self.friends.meet(self.people[one], self.people[other]))
            if self.may_talk(one, other) and self.may_talk(other, one):
                assert self.stamps(one) == self.stamps(other)
                assert self.facts(one).holds(facts)
        for name in (one, other):
            if like:
                self.people[name].rate(film(f"number {next(self.numbers)}"), 5)
            self.people[name].circle.publish()
        self.look()

    def show(self, one: str, other: str) -> None:
        """Somebody whom the other does not know shows a roster by which they are a member."""
        me, them = self.replica(one), self.replica(other)
        shown = [signed for signed in me.rosters() if me.me in read(signed.body, Roster).members][:1]
        if shown and not self.may_talk(other, one):
            facts = self.facts(other) | self.known[next(
                stamp for stamp, signed in zip(me.roster_stamps(), me.rosters(), strict=True) if signed == shown[0]
            )]  # fmt: skip
            self.known_by_host(facts, lambda: them.introduced(me.me, shown))

    def may_talk(self, one: str, other: str) -> bool:
        return self.replica(other).me in self.replica(one).others()

    # What must hold

    def look(self) -> None:
        """At any time, for everybody."""
        for name, service in self.people.items():
            replica, facts = service.circle.replica, self.facts(name)
            before = self.last.get(name, Facts())
            assert facts.holds(before), f"{name} forgot something"
            self.last[name] = facts
            assert self.names(self.acting(name)) == facts.members()
            if name in facts.members():
                assert len(replica.here().aside) == 0 or name != "Ana"
            self.held.setdefault(name, set()).update(replica.here().keys)
            self.look_at_list(name, replica, facts)

    def look_at_list(self, name: str, replica: Replica, facts: Facts) -> None:
        found, head = replica.list_of(replica.me), replica.head(replica.me)
        if found is None or head is None:
            return
        for gone in {one.name for one in facts.admissions} - facts.members() - self.returned:
            if (name, gone) not in self.could_read:
                self.could_read[name, gone] = set(found[0].titles)
            elif head.key_check.hex() in self.held.get(gone, ()):
                assert set(found[0].titles) <= self.could_read[name, gone], f"{gone} can read something newer"

    def settle(self) -> None:
        """Everybody meets everybody, the host included, until nothing changes."""
        for _ in range(6):
            before = {name: self.stamps(name) for name in self.people}
            for pair in combinations(self.people, 2):
                self.meet(*pair, like=False)
            if before == {name: self.stamps(name) for name in self.people}:
                break
        else:
            raise AssertionError("they never agree")
        inside = self.facts("Ana").members()
        facts = Facts()
        for name in inside:
            facts |= self.facts(name)
            assert self.stamps(name) == self.stamps("Ana")
            assert self.replica(name).has_key()
        assert facts.members() == inside
        for reader in inside:
            for writer in inside:
                found = self.replica(reader).list_of(self.replica(writer).me)
                assert found is not None
                assert set(found[0].titles) == {rating.key for rating in self.people[writer].ratings()}

    # A whole story

    @property
    def others(self) -> list[str]:
        return [name for name in self.people if name != "Ana"]

    def live(self, eras: list[Era]) -> None:
        """In each era a copy is put back; the host does something with it and meets some, and these meet others."""
        for name in NAMES[:4]:
            self.admit(name)
        self.copies[:] = [self.copy()]
        for copy, acts, heard_by, meetings in eras:
            self.put_back(copy)
            for what, one in acts:
                if what == "admit":
                    self.admit(NAMES[one])
                elif what == "remove":
                    self.remove(self.chosen(one))
                elif what == "like":
                    self.like("Ana")
                else:
                    self.copies.append(self.copy())
            for one in heard_by:
                self.meet(self.chosen(one), "Ana")
            for one, other in meetings:
                if other is None:
                    self.like(self.chosen(one))
                elif self.chosen(one) != self.chosen(other):
                    self.meet(self.chosen(one), self.chosen(other))
        self.settle()

    def chosen(self, number: int) -> str:
        return self.others[number % len(self.others)]

    def close(self) -> None:
        for service in self.people.values():
            service.close()
        shutil.rmtree(self.home)
