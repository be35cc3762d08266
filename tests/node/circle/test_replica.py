from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacit.core.errors import BadMessage
from tacit.node.circle import keys
from tacit.node.circle.replica import Replica
from tacit.node.circle.sealed_list import open_list
from tacit.node.network.circle_messages import Card, Head, Roster, Signed, Sync, read
from tacit.node.receive_limits import LIST_BURST, MAX_WANTED, PARTS
from tacit.node.service import Service
from tests.node.circle.friends import Friends, film, films


@pytest.fixture
def friends(tmp_path: Path) -> Friends:
    made = Friends(tmp_path)
    for name, like in (("Ana", "night ferry"), ("Bo", "salt road"), ("Cy", "paper boats")):
        made.add(name, like)
    ana, bo, cy = made.people.values()
    for one, other in ((bo, ana), (cy, ana), (bo, ana)):
        made.meet(one, other)
    return made


def id_of(service: Service) -> str:
    return str(service.store.setting("id"))


def likes(service: Service) -> dict[str, set[str]]:
    """What a node knows of others, by the first letter of their names."""
    names = {one.id: one.name for one in service.circle.members()}
    return {names[one]: set(titles) for one, titles in service.circle.likes().likes.items()}


def size(said: list[Sync]) -> int:
    return sum(len(msgspec.msgpack.encode(one)) for one in said)


def test_anybody_carries_anybodys_list(friends: Friends) -> None:
    ana, bo, cy = friends.people.values()
    cy.rate(film("grey hours"), 5)
    cy.circle.publish()
    friends.meet(cy, bo)
    friends.meet(ana, bo)
    assert likes(ana)["Cy"] == set(films("paper boats", "grey hours"))


def test_equal_replicas_have_nothing_to_say(friends: Friends) -> None:
    ana, bo, _ = friends.people.values()
    assert ana.circle.replica.greeting() == bo.circle.replica.greeting()
    assert size([bo.circle.replica.greeting()]) < 80


def test_only_parts_that_changed_travel(friends: Friends) -> None:
    ana, bo, _ = friends.people.values()
    for n in range(300):
        ana.rate(film(f"number {n}"), 5)
    ana.circle.publish()
    said = friends.meet(bo, ana)
    assert sum(len(one.parts) for one in said) == 16
    ana.rate(film("one more"), 5)
    ana.circle.publish()
    said = friends.meet(bo, ana)
    assert sum(len(one.parts) for one in said) == 1
    ana.store.set(name="Anna")
    ana.circle.publish()
    said = friends.meet(bo, ana)
    assert sum(len(one.parts) for one in said) == 1  # the card


def test_a_list_is_replaced_only_by_a_newer_one_of_its_member(friends: Friends) -> None:
    ana, bo, cy = friends.people.values()
    replica = bo.circle.replica
    old = replica._signed(id_of(ana))
    ana.rate(film("grey hours"), 5)
    ana.circle.publish()
    friends.meet(bo, ana)
    now = likes(bo)
    replica.take(Sync(heads=[old]), 0)  # a replay
    assert likes(bo) == now
    head = read(replica._signed(id_of(ana)).body, Head)
    forged = keys.sign(
        bytes.fromhex(cy.store.setting("secret")), "list", msgspec.structs.replace(head, version=99)
    )
    with pytest.raises(BadMessage, match="did not sign"):
        replica.take(Sync(heads=[forged]), 0)
    roster = keys.sign(
        bytes.fromhex(ana.store.setting("secret")), "roster", head
    )  # signed, for something else
    with pytest.raises(BadMessage, match="did not sign"):
        replica.take(Sync(heads=[roster]), 0)
    assert likes(bo) == now


def test_names_of_others_are_shown_without_characters_that_command(friends: Friends) -> None:
    ana, bo, _ = friends.people.values()
    bo.store.set(name="\x1b[31m\u202eBo\n")  # what only a changed program would sign
    bo.circle.publish()
    friends.meet(bo, ana)
    names = {one.name for one in ana.circle.members()}
    assert "[31mBo" in names
    assert all(name.isprintable() for name in names)
    assert ana.contacts.peer(id_of(bo)).name.isprintable()  # type: ignore[union-attr]


def test_a_refused_message_changes_nothing(friends: Friends) -> None:
    ana, bo, cy = friends.people.values()
    bo.rate(film("grey hours"), 5)
    bo.circle.publish()
    good = bo.circle.replica._signed(id_of(bo))
    before = ana.circle.replica.digest(), ana.circle.replica.lists.pending()
    with pytest.raises(BadMessage):
        ana.circle.replica.take(Sync(heads=[good, Signed(good.body, b"0" * 64)]), 0)
    assert (ana.circle.replica.digest(), ana.circle.replica.lists.pending()) == before
    assert likes(ana)["Cy"] == likes(bo)["Cy"]
    assert cy.circle.replica.digest() == before[0]


def test_only_the_host_changes_the_roster(friends: Friends) -> None:
    _, bo, cy = friends.people.values()
    replica = bo.circle.replica
    roster = replica.roster()
    assert roster is not None
    own = msgspec.structs.replace(roster, version=99, members={id_of(bo): 1, id_of(cy): 1})
    forged = keys.sign(bytes.fromhex(cy.store.setting("secret")), "roster", own)
    with pytest.raises(BadMessage, match="did not sign"):
        replica.take(Sync(signed_rosters=[forged]), 0)
    mine = msgspec.structs.replace(own, host=id_of(cy))
    with pytest.raises(BadMessage, match="another one"):
        replica.take(
            Sync(signed_rosters=[keys.sign(bytes.fromhex(cy.store.setting("secret")), "roster", mine)]), 0
        )
    assert replica.roster() == roster


def test_a_member_that_changes_too_often_is_taken_later(friends: Friends) -> None:
    ana, bo, _ = friends.people.values()
    replica, friends.now = Replica(bo.store, lambda: 0.0), 0
    taken = set()
    for n in range(LIST_BURST + 10):
        ana.rate(film(f"number {n}"), 5)
        ana.circle.publish()
        replica.take(Sync(heads=[ana.circle.replica._signed(id_of(ana))]), 1)
        taken.add(read(read(replica.lists.pending()[id_of(ana)], Signed).body, Head).version)
    assert len(taken) == LIST_BURST
    friends.now = 700 * 1_000_000
    friends.meet(bo, ana)
    assert likes(bo)["Ana"] == likes(ana).get(
        "Ana", set(films(*(f"number {n}" for n in range(30)), "night ferry"))
    )


def test_members_whose_parts_never_come_do_not_keep_others_away(friends: Friends) -> None:
    ana, bo, _ = friends.people.values()
    replica, roster = ana.circle.replica, ana.circle.replica.roster()
    assert roster is not None
    for number in range(40):  # as if they had sent heads of lists that nobody has
        member = f"{number:064x}"
        parts = tuple(keys.hashed(f"{number} {part}".encode(), "none") for part in range(PARTS + 1))
        head = Head(roster.circle, member, 1, 1, roster.key_check, 0, parts, False)
        body = msgspec.msgpack.encode(head)
        replica.lists.wait_for(member, msgspec.msgpack.encode(Signed(body, b"\0" * 64)))
    bo.rate(film("grey hours"), 5)
    bo.circle.publish()
    friends.now += 60_000_000
    asked, got = replica.offer(id_of(bo), bo.circle.replica.greeting()), bo.circle.replica
    for _ in range(5):
        replica.take(got.offer(id_of(ana), asked), friends.now)
        asked = replica.offer(id_of(bo), got.greeting())
        assert len(asked.want) <= MAX_WANTED
    assert film("grey hours") in likes(ana)["Bo"]


def test_an_old_copy_of_a_folder_goes_on_above_its_last_version(friends: Friends) -> None:
    ana, bo, _ = friends.people.values()
    old = ana.circle.replica._signed(id_of(ana))
    for n in range(3):
        ana.rate(film(f"number {n}"), 5)
        ana.circle.publish()
    friends.meet(bo, ana)
    version = bo.circle.replica.lists.versions()[id_of(ana)]
    ana.circle.replica.lists.use(id_of(ana), 1, msgspec.msgpack.encode(old), 0.0)  # as it was
    ana.unrate(film("number 0"))
    friends.meet(ana, bo)
    ana.circle.publish()
    friends.meet(ana, bo)
    assert bo.circle.replica.lists.versions()[id_of(ana)] == version + 1
    assert film("number 0") not in likes(bo)["Ana"]


def test_after_a_removal_nothing_newer_can_be_read_by_the_removed(friends: Friends) -> None:
    ana, bo, cy = friends.people.values()
    old = cy.circle.replica.here().keys
    ana.circle.remove("Cy")
    bo.rate(film("grey hours"), 5)
    friends.meet(bo, ana)
    bo.circle.publish()
    # Somebody who carries it to Cy anyway: the key that Cy has does not open it.
    replica = bo.circle.replica
    head = read(replica._signed(id_of(bo)).body, Head)
    (fresh,) = replica.here().keys.keys() - old.keys()
    with pytest.raises(BadMessage, match="does not open"):
        open_list(head, *old.values(), replica._part)
    assert open_list(head, replica.here().keys[fresh], replica._part)[1] == Card("Bo", True)
    # A member who was away learns of the removal before it gets the key, and tells Cy neither.
    offered = replica.offer(id_of(cy), Sync(versions={}))
    assert (offered.key, offered.heads, offered.signed_rosters) == (None, [], [])


def test_a_member_who_does_not_know_of_a_removal_still_shares(friends: Friends) -> None:
    ana, bo, cy = friends.people.values()
    ana.circle.remove("Cy")
    bo.rate(film("grey hours"), 5)
    bo.circle.publish()
    friends.meet(cy, bo)
    assert likes(cy)["Bo"] == set(films("salt road", "grey hours"))


def test_removing_forgets_the_list_and_blocks(friends: Friends) -> None:
    ana, bo, cy = friends.people.values()
    assert "Cy" in likes(bo)
    parts = bo.circle.replica.lists.part_names()
    ana.circle.remove("Cy")
    friends.meet(bo, ana)
    for service in (ana, bo):
        assert "Cy" not in likes(service)
        assert id_of(cy) in service.contacts.blocked()
        assert id_of(cy) not in service.circle.replica.lists.versions()
    assert len(bo.circle.replica.lists.part_names()) < len(parts)


@pytest.mark.parametrize("days", [1, 7, 90])
def test_somebody_removed_comes_back_only_by_a_link_made_later(friends: Friends, days: float) -> None:
    ana, _, cy = friends.people.values()
    text = ana.circle.link().text
    ana.circle.remove("Cy")
    cy.circle.forget()
    cy.circle.join(text)
    secret = next(peer.secret for peer in cy.contacts.peers() if peer.secret)
    assert "invitation" in ana.contacts.accept(secret, id_of(cy), 2.0)
    cy.circle.forget()
    cy.circle.join(ana.circle.link(days=days).text)
    friends.let_in(ana, cy)
    assert not cy.circle.state.waiting  # type: ignore[union-attr]


def test_the_host_takes_somebody_out_who_left(friends: Friends) -> None:
    ana, bo, cy = friends.people.values()
    assert not cy.circle.leave()
    cy.circle.publish()
    friends.meet(cy, bo)
    assert next(one for one in bo.circle.members() if one.name == "Cy").left
    assert "Cy" not in likes(bo)
    friends.meet(bo, ana)
    gone = next(one for one in ana.circle.members() if one.name == "Cy")
    assert (gone.left, gone.removed_by) == (True, "")
    assert ana.circle.state is not None
    assert ana.circle.state.generation == 2


@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["like", "take back", "meet"])), max_size=12)
)
def test_whatever_happens_all_replicas_become_equal(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, str]]
) -> None:
    friends = Friends(tmp_path_factory.mktemp("circle"))
    people = [friends.add(name) for name in ("Ana", "Bo", "Cy")]
    for n, (person, what) in enumerate(steps):
        service = people[person]
        if what == "meet":
            friends.meet(service, people[(person + 1) % 3])
        elif what == "like":
            service.rate(film(f"number {n}"), 5)
        elif ratings := service.ratings():
            service.unrate(ratings[0].key)
        service.circle.publish()
    for one, other in ((1, 0), (2, 0), (1, 0), (2, 1)):
        friends.meet(people[one], people[other])
    assert len({service.circle.replica.digest() for service in people}) == 1
    for reader in people:
        for writer in people:
            found = reader.circle.replica.list_of(id_of(writer))
            assert found is not None
            assert set(found[0].titles) == {rating.key for rating in writer.ratings()}
    assert isinstance(people[0].circle.replica.roster(), Roster)
    for service in people:
        service.close()


def test_a_relay_of_a_member_is_contacted_only_if_it_is_iroh_s_or_the_link_named_it(friends: Friends) -> None:
    ana, bo, _ = friends.people.values()
    iroh, own = "https://euc1-1.relay.n0.iroh.link./", "https://relay.example/"
    for relays, kept in (((), (iroh,)), ((own,), (own, iroh))):
        ana.contacts.trust(relays)
        bo.store.set(name=f"Bo {len(relays)}")
        bo.circle.publish(("10.0.0.9:5", own, iroh, "https://router.local:80/"))
        friends.meet(bo, ana)
        known = ana.contacts.peer(id_of(bo))
        assert known is not None
        assert set(known.addresses) == {"10.0.0.9:5", *kept}


def test_the_relay_of_a_link_is_contacted(friends: Friends) -> None:
    ana, _, cy = friends.people.values()
    ana.store.set(relay="https://relay.example/")
    cy.circle.forget()
    cy.circle.join(ana.circle.link().text)
    assert cy.contacts.relays() == {"", "https://relay.example/"}
