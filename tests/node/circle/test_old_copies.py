"""Old copies of a folder that are put back: nobody is lost, nobody is back, and nobody's old key opens anything new."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("cryptography", reason="cryptography is not installed")

from tacit.core.errors import BadMessage
from tacit.node.circle import keys
from tacit.node.circle.circle import STRANGER
from tacit.node.circle.likes import Choice
from tacit.node.circle.sealed_list import open_list
from tacit.node.network.circle_messages import Signed, Sync
from tacit.node.receive_limits import MAX_BRANCHES, MAX_CIRCLE, MAX_LIST_VERSION, MAX_ROSTER
from tacit.node.service import Service
from tacit.testing.memory_circle import MemoryCircle, Session
from tests.node.circle.friends import Friends, film, films, same_keys
from tests.node.circle.old_copies import Era, World


@pytest.fixture
def friends(tmp_path: Path) -> Iterator[Friends]:
    """Ana, the host, and four others, who know of each other and share a title each."""
    patch, made = same_keys(0), Friends(tmp_path)
    for name in ("Ana", "Bo", "Cy", "Di", "Ed"):
        made.add(name, f"by {name.lower()}")
    everybody_meets(made)
    yield made
    patch.undo()


def everybody_meets(friends: Friends, *names: str) -> None:
    people = [friends.people[name] for name in names or friends.people]
    for _ in range(2):
        for one in people:
            for other in people:
                if one is not other:
                    friends.meet(one, other)
                    one.circle.publish()
                    other.circle.publish()


def copy_of(friends: Friends, name: str = "Ana") -> Path:
    """A copy of somebody's folder."""
    service = friends.people[name]
    path = service.store.home.parent / f"{name} {len(list(service.store.home.parent.iterdir()))}"
    service.close()
    shutil.copytree(service.store.home, path)
    friends.people[name] = Service(service.store.home)
    return path


def put_back(friends: Friends, copy: Path, name: str = "Ana") -> Service:
    """Only this copy is left of somebody's folder."""
    friends.people[name].close()
    friends.people[name] = Service(copy)
    return friends.people[name]


def two_branches(friends: Friends) -> None:
    """Ana removes Cy, which Bo hears; with an old copy she removes Ed, which Di hears. Then Bo and Di meet."""
    copy = copy_of(friends)
    friends.people["Ana"].circle.remove("Cy")
    friends.meet(friends.people["Bo"], friends.people["Ana"])
    put_back(friends, copy).circle.remove("Ed")
    friends.meet(friends.people["Di"], friends.people["Ana"])
    for name in ("Cy", "Ed"):  # each hears of the other's removal, and has the key that was made for it
        friends.meet(friends.people[name], friends.people["Di" if name == "Cy" else "Bo"])
        roster = friends.people[name].circle.replica.roster()
        assert roster is not None
        assert roster.generation == 2
        assert friends.people[name].circle.replica.has_key()
    friends.meet(friends.people["Bo"], friends.people["Di"])


def id_of(service: Service) -> str:
    return str(service.store.setting("id"))


def names(service: Service) -> set[str]:
    return {one.name for one in service.circle.members() if not one.removed_by and not one.left}


def seen(reader: Service, writer: Service) -> set[str]:
    return set(reader.circle.likes().likes.get(id_of(writer), ()))


def can_open(reader: Service, writer: Service) -> bool:
    """Whether somebody who got hold of all parts of a list could read it."""
    replica = writer.circle.replica
    head = replica.head(replica.me)
    assert head is not None
    for key in reader.circle.replica.here().keys.values():
        try:
            open_list(head, key, replica._part)
        except BadMessage:
            continue
        return True
    return False


# Which key


def test_while_each_branch_removed_somebody_nothing_new_is_sealed(friends: Friends) -> None:
    _, bo, cy, di, ed = friends.people.values()
    two_branches(friends)
    ana = friends.people["Ana"]
    for service in (bo, di):
        assert names(service) == {"Ana", "Bo", "Di"}
        assert {id_of(cy), id_of(ed)} <= set(service.contacts.blocked())
        service.rate(film("newer"), 5)
        before = service.circle.replica.lists.versions()
        assert not service.circle.publish()
        assert service.circle.replica.lists.versions() == before
    friends.meet(ana, bo)
    for service in (ana, bo, di):
        friends.meet(service, ana) if service is not ana else None
        service.circle.publish()
        assert not can_open(cy, service)
        assert not can_open(ed, service)
    everybody_meets(friends, "Ana", "Bo", "Di")
    assert film("newer") in seen(di, bo) & seen(ana, di)


def test_while_each_branch_removed_somebody_people_can_still_take_back(friends: Friends) -> None:
    _, bo, _, di, _ = friends.people.values()
    bo.rate(film("regretted"), 5)
    bo.circle.publish()
    everybody_meets(friends)
    two_branches(friends)
    assert film("regretted") in seen(di, bo)
    bo.unrate(film("regretted"))
    bo.rate(film("newer"), 5)
    assert bo.circle.publish()
    assert not bo.circle.publish()  # once is enough
    friends.meet(di, bo)
    assert seen(di, bo) == set(films("by bo"))
    di.circle.share(Choice())
    di.circle.publish()
    friends.meet(bo, di)
    assert seen(bo, di) == set()
    assert not bo.circle.leave()
    bo.circle.publish()
    friends.meet(di, bo)
    assert di.circle.replica.has_left(id_of(bo))


def test_a_branch_that_knows_of_all_removals_gives_the_key_at_once(friends: Friends) -> None:
    """With the host away for long, the others go on sharing."""
    _, bo, cy, di, ed = friends.people.values()
    copy = copy_of(friends)
    friends.people["Ana"].circle.remove("Cy")
    friends.meet(bo, friends.people["Ana"])
    put_back(friends, copy)
    friends.add("Flo", "by flo")  # whom nobody else knows yet
    friends.meet(di, friends.people["Ana"])
    friends.meet(cy, di)
    everybody_meets(friends, "Bo", "Di")
    flo = friends.people["Flo"]
    assert flo.circle.replica.offer(id_of(bo), bo.circle.replica.greeting()).key is None
    assert bo.circle.replica.offer(id_of(cy), Sync(versions={})).key is None
    everybody_meets(friends, "Bo", "Di", "Flo", "Ed")
    for service in (bo, di, ed, flo):
        assert names(service) == {"Ana", "Bo", "Di", "Ed", "Flo"}
        assert len(service.circle.replica.rosters()) == 2
        assert service.circle.replica.has_key()
        assert not can_open(cy, service)
        for other in (bo, di, ed, flo):
            assert other is service or seen(service, other)


# Who


def test_somebody_removed_does_not_come_back_by_a_link_that_an_old_copy_still_takes(friends: Friends) -> None:
    ana, bo, cy, *_ = friends.people.values()
    text = ana.circle.link().text
    copy = copy_of(friends)
    friends.people["Ana"].circle.remove("Cy")
    friends.meet(bo, friends.people["Ana"])
    ana = put_back(friends, copy)
    cy.circle.forget()
    cy.circle.join(text)
    for _ in range(100):  # with ever higher numbers
        friends.let_in(ana, cy)
        cy.circle.forget()
        cy.circle.join(text)
    assert ana.circle.links()
    friends.meet(bo, ana)
    assert names(ana) == names(bo) == {"Ana", "Bo", "Di", "Ed"}
    assert ana.circle.replica.digest() == bo.circle.replica.digest()
    assert ana.circle.replica.has_key()
    assert ana.circle.links() == []
    cy.circle.forget()
    cy.circle.join(text)
    used = next(peer.secret for peer in cy.contacts.peers() if peer.secret)
    assert "expired" in ana.contacts.accept(used, id_of(cy), 2.0)
    cy.circle.forget()
    cy.circle.join(ana.circle.link().text)  # one that Ana made later
    friends.let_in(ana, cy)
    everybody_meets(friends)
    assert "Cy" in names(bo)
    assert id_of(cy) not in bo.contacts.blocked()


def test_a_membership_that_was_given_after_a_removal_stays_where_another_branch_has_the_removal(
    friends: Friends,
) -> None:
    ana, bo, cy, *_ = friends.people.values()
    ana.circle.remove("Cy")
    friends.meet(bo, ana)
    copy = copy_of(friends)
    ana = friends.people["Ana"]
    cy.circle.forget()
    cy.circle.join(ana.circle.link().text)
    friends.let_in(ana, cy)
    ana = put_back(friends, copy)
    ana.circle.replica.admit("ee" * 32)
    assert "Cy" not in names(ana)
    assert ana.circle.replica.introduced(id_of(cy), cy.circle.replica.rosters())
    everybody_meets(friends)
    assert names(bo) == {"Ana", "Bo", "Cy", "Di", "Ed", ""}


def test_somebody_who_left_with_one_copy_is_gone_and_may_come_back(friends: Friends) -> None:
    ana, bo, cy, di, _ = friends.people.values()
    copy = copy_of(friends)
    ana = friends.people["Ana"]
    cy.circle.leave()
    cy.circle.publish()
    friends.meet(cy, ana)
    friends.meet(bo, ana)
    ana = put_back(friends, copy)
    ana.circle.replica.admit("ee" * 32)
    friends.meet(di, ana)
    friends.meet(di, bo)
    assert "Cy" not in names(di) | names(bo)
    assert di.contacts.blocked() == {}
    friends.meet(di, ana)
    assert "Cy" not in names(ana)
    cy.circle.forget()
    cy.circle.join(ana.circle.link().text)
    friends.let_in(ana, cy)
    everybody_meets(friends)
    assert "Cy" in names(di)


def test_what_a_host_did_with_a_copy_counts_however_old_it_is(friends: Friends) -> None:
    _, bo, *_ = friends.people.values()
    copy = copy_of(friends)
    ana = friends.people["Ana"]
    for number in range(40):
        ana.circle.replica.admit(f"{number:064x}")
        ana.circle.replica.remove(f"{number:064x}", left=True)
    friends.meet(bo, ana)
    ana = put_back(friends, copy)
    ana.circle.remove("Cy")
    friends.meet(bo, ana)
    assert names(bo) == names(ana) == {"Ana", "Bo", "Di", "Ed"}
    assert bo.circle.replica.digest() == ana.circle.replica.digest()


def test_two_copies_that_both_run_do_not_outbid_each_other(friends: Friends) -> None:
    ana, bo, *_ = friends.people.values()
    copy = copy_of(friends)
    ana, other = friends.people["Ana"], Service(copy)
    ana.circle.remove("Cy")
    other.circle.remove("Ed")
    for _ in range(3):
        for service in (ana, other):
            friends.meet(bo, service)
            service.circle.publish()
    stamps = bo.circle.replica.roster_stamps()
    for _ in range(3):
        for service in (ana, other):
            friends.meet(bo, service)
            assert service.circle.replica.roster_stamps() == stamps
            assert service.circle.replica.has_key()
    assert names(bo) == {"Ana", "Bo", "Di"}


def test_agents_find_out_by_themselves(tmp_path: Path) -> None:
    """Real agents: the host's folder is put back, and whoever is on tells it, in whatever order they come."""
    people = MemoryCircle(tmp_path)
    for name in ("Ana", "Bo", "Cy", "Di"):
        people.add(name, films(f"by {name.lower()}"))
    people.run([Session(name, 0, 60) for name in people.people])
    ana, bo, cy, di = people.people.values()
    ana.close()
    shutil.copytree(ana.store.home, tmp_path / "copy")
    ana = people.people["Ana"] = Service(ana.store.home)
    ana.circle.remove("Cy")
    people.add("Ed", films("by ed"))
    people.run([Session(name, 0, 60) for name in ("Ana", "Ed", "Bo")])
    ana.close()
    ana = people.people["Ana"] = Service(tmp_path / "copy")
    ana.circle.remove("Di")
    people.run([Session(name, 0, 60) for name in ("Ana", "Cy")])  # Cy, whom the copy did not remove
    people.run([Session("Cy", 0, 120), Session("Bo", 0, 120)])  # Cy tells Bo of the copy's roster
    assert names(bo) == {"Ana", "Bo", "Ed"}
    people.run([Session(name, 0, 400) for name in ("Ana", "Bo", "Ed", "Cy", "Di")])
    ed = people.people["Ed"]
    for service in (ana, bo, ed):
        assert names(service) == {"Ana", "Bo", "Ed"}
        assert len(service.circle.replica.rosters()) == 1
        assert service.circle.replica.has_key()
    assert seen(ed, bo) == set(films("by bo"))
    assert {seen(ana, ed).pop(), seen(bo, ed).pop()} == set(films("by ed"))
    for gone in (cy, di):
        assert gone.contacts.peer(id_of(bo)).problem == STRANGER  # type: ignore[union-attr]
        assert not any(can_open(gone, service) for service in (ana, bo, ed))


# Replays and lies


def test_an_old_roster_is_not_another_branch_however_old(friends: Friends) -> None:
    ana, bo, cy, *_ = friends.people.values()
    every: list[Signed] = [*ana.circle.replica.rosters()]
    ana.circle.remove("Cy")
    for number in range(50):
        ana.circle.replica.admit("ee" * 32)
        every += ana.circle.replica.rosters()
        ana.circle.replica.remove("ee" * 32, left=True)
        every += ana.circle.replica.rosters()
        if number % 10 == 0:
            friends.meet(bo, ana)
    friends.meet(bo, ana)
    for service in (ana, bo):
        stamps = service.circle.replica.roster_stamps()
        for at in range(0, len(every), MAX_BRANCHES):
            service.circle.replica.introduced(id_of(cy), every[at : at + MAX_BRANCHES])
            service.circle.replica.take(Sync(signed_rosters=every[at : at + MAX_BRANCHES]), 0)
        assert service.circle.replica.roster_stamps() == stamps
        assert names(service) == {"Ana", "Bo", "Di", "Ed"}


def lies(ana: Service, number: int, **values: object) -> Signed:
    """What a host may sign that wants others to fail."""
    roster = ana.circle.replica.roster()
    assert roster is not None
    lie = msgspec.structs.replace(roster, version=90 + number, **values)
    return keys.sign(ana.circle.replica._secret(), "roster", lie)


def test_a_host_that_signs_many_branches_fills_nothing_and_all_agree(friends: Friends) -> None:
    ana, bo, cy, di, ed = friends.people.values()
    now = ana.circle.replica.roster()
    assert now is not None
    made = [lies(ana, n % 3, members={**now.members, f"{n:064x}": 90}) for n in range(40)]
    others = (bo, cy, di, ed)
    for n, signed in enumerate(made):
        others[n % 4].circle.replica.take(Sync(signed_rosters=[signed]), 0)
    for service in others:
        assert len(service.circle.replica.rosters()) == MAX_BRANCHES
    everybody_meets(friends, "Bo", "Cy", "Di", "Ed")
    assert len({service.circle.replica.digest() for service in others}) == 1
    inside = bo.circle.replica.roster()
    assert inside is not None
    assert {one.id for one in bo.contacts.peers()} == set(inside.members) - {id_of(bo)}
    friends.meet(bo, ana)  # and the host can still unite them
    everybody_meets(friends)
    assert len(bo.circle.replica.rosters()) == 1


def test_more_people_than_a_circle_holds_are_never_in_one_roster(friends: Friends) -> None:
    """Two branches together may have more. Who was let in first stays, and the roster can be read."""
    ana, bo, *_ = friends.people.values()
    copy = copy_of(friends)
    for start, hears in ((0, bo), (100, None)):
        ana = friends.people["Ana"]
        for number in range(start, start + MAX_CIRCLE - 5):
            ana.circle.replica.admit(f"{number:064x}")
        if hears is not None:
            friends.meet(hears, ana)
            put_back(friends, copy)
    friends.meet(bo, friends.people["Ana"])
    for service in (bo, friends.people["Ana"]):
        roster = service.circle.replica.roster()
        assert roster is not None
        assert len(roster.members) == MAX_CIRCLE
        assert {"Ana", "Bo", "Cy", "Di", "Ed"} <= names(service)
    assert len(friends.people["Ana"].circle.replica.rosters()[0].body) <= MAX_ROSTER


def test_rosters_of_different_circles_are_refused_together(friends: Friends, tmp_path: Path) -> None:
    ana, *_ = friends.people.values()
    guest = Friends(tmp_path / "other").add("Gus")
    guest.circle.forget()
    guest.circle.join(ana.circle.link().text)
    mine = lies(ana, 0, members={id_of(guest): 90})
    other = lies(ana, 1, members={id_of(guest): 90}, circle=b"x" * 16)
    with pytest.raises(BadMessage, match="another one"):
        guest.circle.replica.take(Sync(signed_rosters=[mine, other]), 0)
    assert guest.circle.replica.roster() is None


# Rosters from before there were branches


class _EarlierRoster(msgspec.Struct, array_like=True):
    """A roster that names no earlier ones, as it was signed before."""

    circle: bytes
    name: str
    host: str
    version: int
    generation: int
    key_check: bytes
    members: dict[str, int]
    gone: tuple[object, ...]


def as_before(service: Service, host: Service) -> None:
    """Keep the roster as a node kept it before."""
    roster = service.circle.replica.roster()
    assert roster is not None
    earlier = _EarlierRoster(*(getattr(roster, name) for name in _EarlierRoster.__struct_fields__))
    signed = keys.sign(host.circle.replica._secret(), "roster", earlier)
    service.circle.replica.change(roster=signed)
    service.store.write("DELETE FROM settings WHERE name = 'circle_aside'")
    assert service.circle.replica.roster() == msgspec.structs.replace(roster, since=MAX_LIST_VERSION)


def test_a_circle_from_before_goes_on(friends: Friends) -> None:
    ana, bo, cy, di, ed = friends.people.values()
    as_before(cy, ana)
    ana.circle.replica.admit("ee" * 32)
    friends.meet(bo, ana)
    for service in (ana, bo):
        as_before(service, ana)
    assert ana.circle.replica.digest() == bo.circle.replica.digest()
    copy = copy_of(friends)
    ana = friends.people["Ana"]
    ana.circle.remove("Di")
    friends.meet(bo, ana)
    friends.meet(cy, bo)  # from an earlier roster to one that does not name it
    for service in (bo, cy):
        assert names(service) == {"Ana", "Bo", "Cy", "Ed", ""}
        assert len(service.circle.replica.rosters()) == 1
    ana = put_back(friends, copy)
    ana.circle.replica.admit("ff" * 32)
    friends.meet(ed, ana)
    friends.meet(ed, bo)
    friends.meet(ed, ana)
    assert names(ed) == names(ana) == {"Ana", "Bo", "Cy", "Ed", ""}
    assert id_of(di) in ana.contacts.blocked()
    assert ed.circle.replica.has_key()


# Everything at once

PERSON = st.integers(0, 7)
ACT = st.tuples(st.sampled_from(["admit", "remove", "remove", "like", "copy"]), PERSON)
MEETING = st.one_of(st.tuples(PERSON, PERSON), st.tuples(PERSON, st.none()))
ERA = st.tuples(
    PERSON,
    st.lists(ACT, min_size=1, max_size=3),
    st.lists(PERSON, min_size=1, max_size=2),
    st.lists(MEETING, max_size=4),
)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1000), eras=st.lists(ERA, min_size=2, max_size=4))
def test_whatever_old_copies_do_nobody_is_lost_and_nobody_is_back(
    tmp_path_factory: pytest.TempPathFactory, seed: int, eras: list[Era]
) -> None:
    patch = same_keys(seed)
    world = World(tmp_path_factory.mktemp("world"))
    try:
        world.live(eras)
    finally:
        patch.undo()
        world.close()


# Lists


@pytest.mark.parametrize("higher", [True, False])
def test_a_like_that_was_taken_back_is_not_brought_back_by_an_old_copy_that_ran(
    friends: Friends, higher: bool
) -> None:
    """An old copy signs a list with the same version, with either hash, while the folder itself goes on."""
    ana, bo, cy, *_ = friends.people.values()
    bo.rate(film("regretted"), 5)
    bo.circle.publish()
    everybody_meets(friends)
    copy = copy_of(friends, "Bo")
    bo = friends.people["Bo"]
    bo.unrate(film("regretted"))
    bo.circle.publish()
    friends.meet(ana, bo)
    mine = bo.circle.replica.stamps()[id_of(bo)]
    for number in range(50):  # until the hash is as it should be
        shutil.copytree(copy, copy.with_name(f"copy {number}"))
        old = Service(copy.with_name(f"copy {number}"))
        old.rate(film(f"other {number}"), 5)
        old.circle.publish()
        theirs = old.circle.replica.stamps()[id_of(bo)]
        if theirs[1] == mine[1] and (theirs > mine) == higher:
            break
    friends.meet(cy, old)
    old.close()
    friends.meet(ana, cy)
    assert (film("regretted") in seen(ana, bo)) == higher
    everybody_meets(friends)
    for service in (ana, cy):
        assert seen(service, bo) == set(films("by bo"))
