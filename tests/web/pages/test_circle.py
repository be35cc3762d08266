from __future__ import annotations

import re
from pathlib import Path

import pytest

from tacit.node.circle.likes import Choice
from tacit.node.service import FROM_CIRCLE
from tacit.node.store.records import Rating
from tacit.testing.memory_circle import make_member
from tests.node.circle.friends import Friends, film
from tests.web.invented import invented_start
from tests.web.site import Browser, Real, browser, page_of, words


@pytest.fixture
def client(tmp_path: Path) -> Browser:
    client = browser(tmp_path, alone=True, service=Real)
    client.service.rate("film:t:night ferry:2010", 5, "Night Ferry (2010)")
    client.service.rate("book:t:paper boats:okafor", 4, "Paper Boats, Ada Okafor")
    client.service.rate("film:t:low water:1999", 1, "Low Water (1999)")
    return client


@pytest.fixture
def friends(tmp_path: Path) -> Friends:
    made = Friends(tmp_path)
    made.add("Ana", "night ferry", "salt road")
    made.add("<b>Bo", "paper boats")
    return made


def test_from_no_circle_to_one_with_a_link(client: Browser) -> None:
    assert "Alone. Nothing leaves this computer." in client.text("/circle")
    answer = client.submit("/circle/create", circle="Tuesday films", name="Ana")
    page = words(answer.text)
    assert "Tuesday films is there. You share nothing yet" in page
    assert "Everybody in this circle will see the titles you share." in page
    assert "Circle. Nobody else is in it yet." in page
    assert "There is no link now." in page
    page = client.submit("/circle/link", link="make").text
    link = page.split('id="out" readonly value="')[1].split('"')[0]
    assert link == client.service.circle.links()[0].text
    assert "The link as a QR code" in page
    assert "for 20 more people" in words(page)
    assert "The link is stopped." in client.submit("/circle/link", link="stop").text
    assert client.service.circle.links() == []


def test_what_is_shared_is_chosen_and_shown_exactly(client: Browser) -> None:
    client.submit("/circle/create", circle="Tuesday films")

    def shared() -> list[str]:
        return sorted(item.title for item in client.service.circle.shared().items)

    assert shared() == []
    assert "You share 2 titles." in client.submit("/circle/share", rule="all", named="yes").text
    assert shared() == ["Night Ferry (2010)", "Paper Boats, Ada Okafor"]  # what was not liked is not in it
    assert client.service.circle.shared().named is True
    client.submit("/circle/share", rule="kinds", kind="book")
    assert shared() == ["Paper Boats, Ada Okafor"]
    assert client.service.circle.shared().named is False
    client.submit("/circle/share", rule="items", item="film:t:night ferry:2010")
    assert shared() == ["Night Ferry (2010)"]
    page = client.get("/circle").text
    assert re.search(r'value="film:t:night ferry:2010" checked', page)
    assert not re.search(r'value="book:t:paper boats:okafor" checked', page)
    client.submit("/circle/share", rule="none")
    assert shared() == []


def test_a_hidden_title_stays_hidden_until_it_is_chosen(client: Browser) -> None:
    client.submit("/circle/create", circle="Tuesday films")
    hidden = frozenset({"film:t:night ferry:2010"})
    client.service.circle.share(Choice(all=True, hidden=hidden))
    for fields in (
        {"rule": "items", "item": "book:t:paper boats:okafor"},
        {"rule": "none"},
        {"rule": "kinds", "kind": "film"},
        {"rule": "all"},
    ):
        client.submit("/circle/share", **fields)
        shared = client.service.circle.shared()
        assert shared.choice.hidden == hidden
        assert not hidden & {item.key for item in shared.items}
    client.submit("/circle/share", rule="items", item="film:t:night ferry:2010")
    assert {item.key for item in client.service.circle.shared().items} == hidden


@pytest.mark.parametrize("fields", [{}, {"rule": "some"}, {"rule": "kinds", "kind": "car"}])
def test_a_choice_that_is_none_is_refused(client: Browser, fields: dict[str, str]) -> None:
    client.submit("/circle/create", circle="Tuesday films")
    assert 'role="alert"' in client.submit("/circle/share", **fields).text
    assert client.service.circle.shared().items == []


def test_a_link_is_looked_at_before_anything_is_joined(client: Browser, tmp_path: Path) -> None:
    host = make_member(tmp_path / "host", "Mara", [])
    host.circle.create("Tuesday <i>films")
    link = host.circle.link().text
    page = client.submit("/circle/look", link=link).text
    assert "Tuesday &lt;i&gt;films" in page
    assert "Join, and share 2 titles" in page
    assert client.service.circle.state is None
    assert "You did not join." in client.submit("/circle/join", join="no").text
    assert client.service.circle.state is None
    assert 'role="alert"' in client.submit("/circle/join", join="all").text  # the link was put away
    client.submit("/circle/look", link=link)
    page = client.submit("/circle/join", join="none", name="Ana").text
    assert "Not let in yet" in page
    assert client.service.circle.shared().rule == "none"
    assert 'role="alert"' in client.submit("/circle/leave").text
    client.submit("/circle/leave", sure="yes")
    assert client.service.circle.state is None


@pytest.mark.parametrize("link", ["", "nonsense", "tacit1:abc", "x" * 5000])
def test_a_bad_link_is_one_line(client: Browser, link: str) -> None:
    answer = client.submit("/circle/look", link=link)
    assert 'role="alert"' in answer.text
    assert str(answer.url).endswith("/circle")


def test_members_with_names_as_text_and_removing_one(friends: Friends) -> None:
    ana, bo = friends.people.values()
    friends.meet(bo, ana)
    client = page_of(ana)
    page = client.get("/circle").text
    assert "&lt;b&gt;Bo</b>: 1 title" in page
    assert "Ana</b> (you), the host: 2 titles" in page
    assert "Circle. 1 person sees the 2 titles you share." in words(page)
    answer = client.submit("/circle/remove", member=bo.store.setting("id"))
    assert "&lt;b&gt;Bo is removed. What they saw, they saw." in answer.text
    assert "Nobody else is in it yet." in words(answer.text)
    client.submit("/circle/leave", sure="yes")
    assert ana.mode() == "alone"


def test_only_the_host_has_links_and_removes(friends: Friends) -> None:
    ana, bo = friends.people.values()
    friends.meet(bo, ana)
    client = page_of(bo)
    page = client.get("/circle").text
    assert "Only the host makes links." in page
    assert "/circle/remove" not in page
    for path, fields in (("/circle/link", {}), ("/circle/remove", {"member": ana.store.setting("id")})):
        assert 'role="alert"' in client.submit(path, **fields).text
    assert len(ana.circle.members()) == 2


def test_what_friends_like_stands_beside_titles(friends: Friends) -> None:
    ana, bo = friends.people.values()
    friends.meet(bo, ana)
    page = page_of(ana).text("/")
    assert "Only your circle knows these" in page
    assert "One of your circle liked it: &lt;b&gt;Bo." in page
    assert "Paper Boats" in page


def test_titles_that_only_the_circle_knows_are_seen_wherever_they_stand(friends: Friends) -> None:
    ana, bo = friends.people.values()
    start = invented_start()
    ana.suggestions.set_start(start)
    ana.add([Rating(start.keys[n], start.titles[n], value=5.0) for n in range(0, 40, 3)])
    bo.add([Rating(film(f"unheard {letter}"), "", value=5.0) for letter in "abcdefgh"])
    bo.circle.publish()
    friends.meet(bo, ana)
    best = [item.key for item in ana.recommend(12)]
    assert not [key for key in best if "unheard" in key], "the list itself does not have them"
    page = page_of(ana).get("/").text
    first, second = page.split("Only your circle knows these")
    assert (first.count("<h3>"), second.count("<h3>")) == (12, FROM_CIRCLE)
    assert "Unheard" not in first
    assert "Unheard" not in page_of(ana).get("/?kind=book").text
    assert "Unheard" not in page_of(ana).get("/?last=2000").text


def test_the_titles_of_a_member_can_be_seen_and_rated(friends: Friends) -> None:
    ana, bo = friends.people.values()
    friends.meet(bo, ana)
    client, member = page_of(ana), bo.store.setting("id")
    assert f"/circle/list?member={member}" in client.get("/circle").text
    page = client.get(f"/circle/list?member={member}").text
    assert "What &lt;b&gt;Bo likes" in page
    assert "<h3>Paper Boats</h3>" in page
    back = f"/circle/list?member={member}"
    answer = client.submit(
        "/rate", key=film("paper boats"), title="Paper Boats (2001)", value="want", back=back
    )
    assert str(answer.url).endswith(back)
    for nobody in ("", "x", ana.store.setting("id")):
        assert str(client.get(f"/circle/list?member={nobody}").url).endswith("/circle")


def test_the_list_that_leaves_has_titles_only(client: Browser) -> None:
    """The promise: no stars, dates or dislikes."""
    client.submit("/circle/create", circle="Tuesday films")
    client.submit("/circle/share", rule="all")
    client.service.circle.publish()
    replica = client.service.circle.replica
    found = replica.list_of(replica.me)
    assert found is not None
    assert set(found[0].titles) == {"film:t:night ferry:2010", "book:t:paper boats:okafor"}
    assert {*found[0].__slots__} == {"titles", "_key"}


def test_pausing_empties_the_list(friends: Friends) -> None:
    ana, bo = friends.people.values()
    friends.meet(bo, ana)
    client = page_of(ana)
    assert "Paused." in client.text("/") if client.submit("/pause", paused="yes") else False
    assert not ana.is_silent()  # the circle has to hear of it first
    ana.circle.publish()
    friends.meet(bo, ana)
    assert dict(bo.circle.likes().likes) == {}
    client.submit("/pause", paused="no")
    ana.circle.publish()
    friends.meet(bo, ana)
    assert [len(keys) for keys in bo.circle.likes().likes.values()] == [2]


def test_a_node_for_research_or_for_many_has_no_circle(tmp_path: Path) -> None:
    client = browser(tmp_path)
    assert str(client.get("/circle").url).endswith("/people")
    (tmp_path / "b").mkdir()
    many = browser(tmp_path / "b", alone=True, cluster=True)
    assert "A circle needs a node for one person." in many.text("/circle")
    assert 'role="alert"' in many.submit("/circle/create", circle="X").text


def test_single_titles_beyond_those_liked_cannot_be_shared(client: Browser) -> None:
    client.submit("/circle/create", circle="Tuesday films")
    client.submit("/circle/share", rule="items", item="film:t:low water:1999")
    assert client.service.circle.shared().items == []
    assert client.service.circle.shared().choice == Choice(items=frozenset({"film:t:low water:1999"}))
