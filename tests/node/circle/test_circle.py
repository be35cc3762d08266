from __future__ import annotations

from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.node.circle.likes import Choice
from tacit.node.network.invitations import read_ticket
from tacit.node.service import Service
from tests.node.circle.friends import ALL, Friends, film, films, make_member


@pytest.fixture
def friends(tmp_path: Path) -> Friends:
    made = Friends(tmp_path)
    made.add("Ana", "night ferry", "salt road")
    made.add("Bo", "paper boats")
    return made


def both(friends: Friends) -> tuple[Service, Service]:
    ana, bo = friends.people.values()
    friends.meet(bo, ana)
    return ana, bo


def test_two_friends_see_what_each_other_likes(friends: Friends) -> None:
    ana, bo = both(friends)
    assert list(bo.circle.likes().likes.values()) == [{film("night ferry"), film("salt road")}]
    assert list(ana.circle.likes().names.values()) == ["Bo"]
    assert [(one.name, one.is_me, one.is_host, one.titles) for one in bo.circle.members()] == [
        ("Bo", True, False, 1),
        ("Ana", False, True, 2),
    ]
    assert ana.mode() == bo.mode() == "circle"
    assert [item.title for item in ana.circle.titles_of(bo.store.setting("id"))] == ["Paper Boats (2001)"]


def test_a_suggestion_says_who_of_the_circle_liked_it(friends: Friends) -> None:
    ana, bo = both(friends)
    assert [(item.key, item.circle) for item in ana.recommend()] == [
        (film("paper boats"), "one of your circle liked it: Bo")
    ]
    bo.circle.share(ALL, named=False)
    bo.circle.publish()
    friends.meet(ana, bo)
    assert [item.circle for item in ana.recommend()] == ["one of your circle liked it"]


def test_two_members_with_one_name_are_told_apart(tmp_path: Path) -> None:
    friends = Friends(tmp_path)
    friends.add("Ana", "night ferry")
    friends.add("ana", "paper boats")
    host, guest = both(friends)
    mine, theirs = host.store.setting("id")[:6], guest.store.setting("id")[:6]
    assert [one.name for one in host.circle.members()] == [f"Ana ({mine})", f"ana ({theirs})"]
    assert [item.circle for item in host.recommend()] == [f"one of your circle liked it: ana ({theirs})"]


def test_a_title_that_only_a_friend_knows_can_be_named(friends: Friends) -> None:
    ana, _ = both(friends)
    assert ana.find("paper boats").key == film("paper boats")
    assert [item.title for item in ana.search("boats")] == ["Paper Boats (2001)"]
    ana.say(film("paper boats"), "disliked")
    assert ana.recommend() == []


def test_nothing_is_shared_before_it_is_chosen(tmp_path: Path) -> None:
    ana = make_member(tmp_path / "a", "Ana", films("night ferry"))
    ana.circle.create("Friends")
    assert ana.circle.shared().rule == "none"
    assert ana.circle.preview().titles == []
    assert ana.circle.preview(ALL).titles == ["Night Ferry (2001)"]
    assert ana.preview().rows == 0


def test_what_is_shared_is_chosen_by_kind_or_title(friends: Friends) -> None:
    ana, bo = both(friends)
    ana.rate("book:t:winter signal:okafor", 5)
    for choice, seen in (
        (Choice(kinds=frozenset({"book"})), {"book:t:winter signal:okafor"}),
        (Choice(items=frozenset({film("salt road")})), {film("salt road")}),
        (
            Choice(all=True, hidden=frozenset(films("salt road", "night ferry"))),
            {"book:t:winter signal:okafor"},
        ),
    ):
        ana.circle.share(choice)
        assert ana.circle.publish()
        friends.meet(bo, ana)
        assert list(bo.circle.likes().likes.values()) == [seen]
    ana.circle.share(Choice())
    ana.circle.publish()
    friends.meet(bo, ana)
    assert bo.circle.likes().likes == {}
    with pytest.raises(BadInput, match=r"kind: got cooking; allowed: film"):
        Choice(kinds=frozenset({"cooking"}))


def test_one_circle_at_a_time_and_no_other_exchange_beside_it(friends: Friends, tmp_path: Path) -> None:
    ana, bo = friends.people.values()
    for service in (ana, bo):
        with pytest.raises(BadInput, match="one at a time"):
            service.circle.create("Others")
    with pytest.raises(BadInput, match="one at a time"):
        bo.circle.join(ana.circle.link().text)
    with pytest.raises(BadInput, match="this node's own"):
        ana.circle.join(ana.circle.link().text)
    with pytest.raises(BadInput, match="tacit node circle leave"):
        ana.be_alone()
    research = make_member(tmp_path / "r", "Research", model="bpr")
    with pytest.raises(BadInput, match="exchanges bpr; allowed: tacit node mode alone"):
        research.circle.create("Others")
    library = make_member(tmp_path / "l", "Library", cluster=True)
    with pytest.raises(BadInput, match="for one person"):
        library.circle.create("Others")


@pytest.mark.parametrize("name", ["", "  ", "x" * 33, "a\x07b"])
def test_a_circle_has_a_short_plain_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="up to 32 characters"):
        make_member(tmp_path / "n", "Ana").circle.create(name)


def test_there_is_one_link_short_enough_for_a_qr_code(friends: Friends) -> None:
    ana, bo = friends.people.values()
    link = ana.circle.link()
    assert ana.circle.link().text == link.text == ana.invite()
    assert len(link.text) <= 420
    assert (link.uses, link.used) == (20, 1)
    assert read_ticket(link.text.upper()).circle == "Friends"
    assert ana.circle.revoke()
    assert not ana.circle.revoke()
    assert ana.circle.links() == []
    assert ana.circle.link().text != link.text
    with pytest.raises(BadInput, match="only Ana can make links"):
        bo.circle.link()
    for bad in ({"uses": 0}, {"uses": 50}, {"days": 0}, {"days": 91}):
        with pytest.raises(BadInput, match="allowed"):
            ana.circle.link(**bad)


def test_a_link_ends_after_its_time_and_its_uses(tmp_path: Path) -> None:
    ana = make_member(tmp_path / "a", "Ana")
    ana.circle.create("Friends")
    secret = read_ticket(ana.circle.link(uses=2, days=1).text).secret
    expires = ana.circle.links()[0].expires
    assert ana.contacts.accept(secret, "b" * 64, expires - 1) == ""
    assert ana.contacts.accept(secret, "c" * 64, expires - 1) == ""
    assert ana.contacts.accept(secret, "b" * 64, expires - 1) == ""  # the same again is no other use
    assert "it worked for 2 nodes" in ana.contacts.accept(secret, "d" * 64, expires - 1)
    assert "expired" in ana.contacts.accept(secret, "b" * 64, expires + 1)
    assert ana.circle.links() == []


def test_only_the_host_removes_and_not_itself(friends: Friends) -> None:
    ana, bo = both(friends)
    with pytest.raises(BadInput, match="only Ana can remove people"):
        bo.circle.remove("Ana")
    with pytest.raises(BadInput, match="yourself; allowed: tacit node circle leave"):
        ana.circle.remove("Ana")
    with pytest.raises(BadInput, match="member: got Cy; allowed: Ana, Bo"):
        ana.circle.remove("Cy")
    ana.circle.remove("Bo")
    gone = ana.circle.members()[1]
    assert (gone.name, gone.removed_by, gone.left) == ("Bo", ana.store.setting("id"), False)


def test_leaving_a_circle_of_one_is_done_at_once(tmp_path: Path) -> None:
    ana = make_member(tmp_path / "a", "Ana")
    ana.circle.create("Friends")
    assert ana.circle.leave()
    assert ana.mode() == "alone"
    with pytest.raises(BadInput, match="circle: this node is in no circle"):
        ana.circle.members()
