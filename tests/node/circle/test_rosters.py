"""Who is in a circle: two processes at once, an old copy of the host's folder, a host that lies, many departures."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

pytest.importorskip("cryptography", reason="cryptography is not installed")

from tacit.core.errors import BadMessage
from tacit.node.circle import keys
from tacit.node.circle.agent import CircleAgent
from tacit.node.network.circle_messages import Sync
from tacit.node.network.wire import Hello, Kind, pack, unpack
from tacit.node.receive_limits import MAX_CIRCLE, MAX_GONE, MAX_ROSTER
from tacit.node.service import Service
from tacit.node.store.database import StoreBusy
from tacit.node.store.records import Peer
from tests.node.circle.friends import ALL, Friends, film, films, same_keys


@pytest.fixture
def friends(tmp_path: Path) -> Iterator[Friends]:
    patch, made = same_keys(0), Friends(tmp_path)
    made.add("Ana", "night ferry")
    made.add("Bo", "salt road")
    made.meet(made.people["Bo"], made.people["Ana"])
    yield made
    patch.undo()


def id_of(service: Service) -> str:
    return str(service.store.setting("id"))


def other_process(service: Service) -> Service:
    """Another connection to the same folder, which does not wait while it is busy."""
    other = Service(service.store.home)
    other.store.read("PRAGMA busy_timeout = 0")
    return other


def test_a_choice_undoes_nothing_that_another_process_did(
    friends: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = friends.people["Ana"]
    node, change = other_process(ana), ana.circle.replica.change

    def between(do: object) -> None:
        def racing(**values: object) -> None:
            monkeypatch.undo()
            do()  # type: ignore[operator]
            change(**values)

        monkeypatch.setattr(ana.circle.replica, "change", racing)

    between(lambda: node.circle.replica.admit("ab" * 32))
    ana.circle.share(ALL, named=False)
    roster = ana.circle.replica.roster()
    assert roster is not None
    assert len(roster.members) == 3
    between(lambda: node.circle.remove("Bo"))
    ana.circle.share(ALL, named=True)
    assert ana.circle.shared().named
    roster = ana.circle.replica.roster()
    assert roster is not None
    assert (roster.generation, id_of(friends.people["Bo"]) in roster.members) == (2, False)
    assert ana.circle.replica.has_key()


def test_a_removal_is_not_undone_by_an_admission_at_the_same_time(
    friends: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads the roster to change it keeps everybody else from changing it."""
    ana, bo = friends.people.values()
    terminal, sign = other_process(ana), ana.circle.replica._sign
    busy = []

    def racing(*roster: object, **options: object) -> None:
        try:
            terminal.circle.remove("Bo")
        except StoreBusy as problem:
            busy.append(problem)
        sign(*roster, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(ana.circle.replica, "_sign", racing)
    ana.circle.replica.admit("ab" * 32)
    assert busy
    terminal.circle.remove("Bo")  # what a person does then, or waiting does
    roster = ana.circle.replica.roster()
    assert roster is not None
    assert set(roster.members) == {id_of(ana), "ab" * 32}
    assert id_of(bo) in ana.contacts.blocked()


def test_two_lists_with_one_version_become_one(friends: Friends, tmp_path: Path) -> None:
    """A folder that was put back from a copy signs again what it had signed already."""
    ana, bo = friends.people.values()
    bo.close()
    shutil.copytree(bo.store.home, tmp_path / "copy")
    bo = Service(bo.store.home)
    bo.rate(film("one"), 5)
    bo.circle.publish()
    friends.meet(ana, bo)
    bo.close()
    old = Service(tmp_path / "copy")
    old.rate(film("another"), 5)
    old.circle.publish()
    assert old.circle.replica.lists.versions()[id_of(old)] == ana.circle.replica.lists.versions()[id_of(old)]
    for _ in range(2):
        friends.meet(ana, old)
        old.circle.publish()
    friends.meet(ana, old)
    assert list(ana.circle.likes().likes.values()) == [set(films("salt road", "another"))]
    assert ana.circle.replica.digest() == old.circle.replica.digest()


@pytest.mark.parametrize(
    "meetings", ["Bo Ana", "Ana Bo", "Ed Ana, Ed Bo, Ed Ana", "Ed Ana, Bo Ed, Ana Bo", "Di Ana, Ana Bo"]
)
@pytest.mark.parametrize(("changes", "higher"), [(1, False), (2, False), (2, True), (3, True)])
def test_an_old_copy_of_the_host_s_folder_neither_loses_nor_lets_in_anybody(
    friends: Friends, tmp_path: Path, changes: int, higher: bool, meetings: str
) -> None:
    """Whether the copy's roster has the lower or the higher version or hash, and whoever hears of both first."""
    friends.add("Cy", "paper boats")
    friends.add("Ed", "winter signal")
    ana, bo, cy, ed = friends.people.values()
    for one in (bo, cy, ed):
        friends.meet(one, ana)
    ana.close()
    shutil.copytree(ana.store.home, tmp_path / "copy")
    ana = friends.people["Ana"] = Service(ana.store.home)
    di = friends.add("Di", "grey hours")
    ana.circle.remove(id_of(cy))
    for one in (bo, di):
        friends.meet(one, ana)
    inside = {id_of(one) for one in (ana, bo, di, ed)}
    ana.close()  # and is lost
    for number in range(50):  # until the hash is as it should be
        shutil.copytree(tmp_path / "copy", tmp_path / f"{number}")
        old = friends.people["Ana"] = Service(tmp_path / f"{number}")
        ghost = f"{number:064x}"
        old.circle.replica.admit(ghost)
        if changes > 1:
            old.circle.replica.remove(ghost)
        if changes > 2:
            old.circle.replica.admit(ghost)
        if (old.circle.replica.roster_stamps() > bo.circle.replica.roster_stamps()) == higher:
            break
        old.close()
    versions = [one.circle.replica.roster_stamps()[0][0] for one in (old, bo)]
    assert versions[0] - versions[1] == changes - 2
    inside |= {ghost} if changes != 2 else set()
    for pair in meetings.split(", "):
        one, other = (friends.people[name] for name in pair.split())
        if id_of(one) not in other.circle.replica.others():
            assert other.circle.replica.introduced(id_of(one), one.circle.replica.rosters())
        friends.meet(one, other)
        if {"Bo", "Di"} & set(pair.split()):
            for service in (one, other):
                assert_members(service, inside)
                assert id_of(cy) in service.contacts.blocked()
                assert service.circle.replica.offer(id_of(cy), Sync(versions={})).key is None
    for service in (bo, di, ed, bo, di, ed):
        friends.meet(service, old)
        service.circle.publish()
    old.rate(film("newer"), 5)
    old.circle.publish()
    for service in (bo, di, ed):
        friends.meet(service, old)
        assert_members(service, inside)
        assert len(service.circle.replica.rosters()) == 1
        assert service.circle.replica.digest() == old.circle.replica.digest()
        assert service.circle.replica.has_key()
        assert film("newer") in service.circle.likes().likes[id_of(old)]


def assert_members(service: Service, ids: set[str]) -> None:
    roster = service.circle.replica.roster()
    assert roster is not None
    assert set(roster.members) == ids


def test_of_two_rosters_that_do_not_know_of_each_other_all_keep_both(friends: Friends) -> None:
    ana, bo = friends.people.values()
    now, secret = ana.circle.replica.roster(), ana.circle.replica._secret()
    assert now is not None
    versions = [
        keys.sign(secret, "roster", msgspec.structs.replace(now, version=9, members={**now.members, one: 9}))
        for one in ("aa" * 32, "bb" * 32)
    ]
    found = set()
    for order in (versions, versions[::-1]):
        bo.circle.replica.change(roster=ana.circle.replica.here().roster, aside=())
        for signed in order:
            bo.circle.replica.take(Sync(signed_rosters=[signed]), 0)
        found.add(bo.circle.replica.roster_stamps())
        assert_members(bo, {*now.members, "aa" * 32, "bb" * 32})
    assert len(found) == 1


def test_a_goodbye_of_an_earlier_membership_counts_for_nothing(friends: Friends) -> None:
    ana, bo = friends.people.values()
    assert not bo.circle.leave()
    bo.circle.publish()
    goodbye = bo.circle.replica._signed(id_of(bo))
    parts = [bo.circle.replica._part(name) for name in bo.circle.replica.hashes_of(id_of(bo))]
    bo.circle.forget()
    ana.circle.replica.admit(id_of(bo))  # they used the link again
    assert id_of(bo) not in ana.circle.replica.lists.versions()
    assert not ana.circle.replica.take(Sync(heads=[goodbye], parts=parts), 0)
    roster = ana.circle.replica.roster()
    assert roster is not None
    assert id_of(bo) in roster.members


def test_a_host_that_lies_about_the_key_does_no_harm(friends: Friends) -> None:
    ana, bo = friends.people.values()
    roster, key = ana.circle.replica.roster(), b"short key!"
    assert roster is not None
    lie = msgspec.structs.replace(
        roster, version=9, generation=2, key_check=keys.hashed(key, "key"), members=roster.members
    )
    signed = keys.sign(ana.circle.replica._secret(), "roster", lie)
    said = pack(Kind.SYNC, Sync(circle=roster.circle, versions={}, signed_rosters=[signed], key=key))
    agent = CircleAgent(bo.store)
    assert unpack(agent.handle(id_of(ana), said, 0))[0] is Kind.REFUSED
    assert {len(one) for one in bo.circle.replica.here().keys.values()} == {64}
    CircleAgent(bo.store)  # it starts again
    bo.circle.preview()


def test_a_message_that_breaks_something_costs_that_message_only(
    friends: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bo = friends.people.values()
    agent = CircleAgent(bo.store)
    said = pack(Kind.SYNC, ana.circle.replica.greeting())
    monkeypatch.setattr(agent.replica, "take", lambda got, now: 1 / 0)
    assert unpack(agent.handle(id_of(ana), said, 0))[0] is Kind.REFUSED
    monkeypatch.undo()
    assert unpack(agent.handle(id_of(ana), said, 0))[0] is not Kind.REFUSED


def test_a_roster_stays_short_however_many_went(friends: Friends) -> None:
    ana, bo = friends.people.values()
    start, since = 0, []
    for went in (90, 80, 29, 1, 5):
        for number in range(start, start + went):
            one = f"{number:064x}"
            ana.circle.replica.admit(one)
            ana.contacts.save(Peer(one, name="\N{GRINNING FACE}" * 32, allowed=True))
            ana.circle.replica.remove(one, left=True)
        start += went
        state, roster = ana.circle.replica.here(), ana.circle.replica.roster()
        assert state.roster is not None
        assert roster is not None
        assert len(state.roster.body) <= MAX_ROSTER
        assert len(roster.gone) == min(start, MAX_GONE)  # names go first
        assert bool(roster.gone[0].name) == (start <= 90)
        assert roster.gone[-1].name
        since.append(roster.since)
    assert since == [0, 0, 0, 0, roster.version]
    friends.meet(bo, ana)
    assert bo.circle.replica.roster_stamps() == ana.circle.replica.roster_stamps()


def test_joining_a_full_circle_uses_no_link_up(friends: Friends) -> None:
    ana = friends.people["Ana"]
    ana.circle.link()
    for number in range(MAX_CIRCLE - 2):
        ana.circle.replica.admit(f"{number:064x}")
    secret, used = ana.circle.replica.here().link, ana.circle.links()[0].used
    agent, hello = CircleAgent(ana.store), Hello("keys 1, circle 1", secret=secret)
    answer = unpack(agent.handle("ee" * 32, pack(Kind.HELLO, hello), 0))[1]
    assert "full" in str(answer)
    assert ana.circle.links()[0].used == used
    with pytest.raises(BadMessage, match="full"):
        ana.circle.replica.admit("ee" * 32)


def test_a_member_who_uses_the_link_too_often_waits(friends: Friends) -> None:
    ana, bo = friends.people.values()
    ana.circle.link()
    agent = CircleAgent(ana.store, wall=lambda: 2.0)
    hello = pack(Kind.HELLO, Hello("keys 1, circle 1", secret=ana.circle.replica.here().link))
    roster = agent.replica.roster_stamps()[0][0]
    for second in range(30):
        agent.handle(id_of(bo), hello, second * 1_000_000)
        with agent.store.transaction():  # as if their list were here each time
            bo.circle.replica.take(Sync(signed_rosters=list(agent.replica.rosters())), 0)
        bo.circle.publish()
        friends.meet(bo, ana)
    assert agent.replica.roster_stamps()[0][0] - roster <= 3
