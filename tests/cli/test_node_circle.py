"""`tacit node circle`, typed by a person; the node does not run."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("cryptography", reason="cryptography is not installed")
pytest.importorskip("iroh", reason="iroh is not installed")

from tacit.cli.main import call
from tests.cli.test_node_command import Person


class Friend(Person):
    """Somebody at a terminal who types `circle` and its words."""

    def tries(self, *words: str) -> int:
        self._capsys.readouterr()
        code = call(["node", *words, "--home", str(self.home)])
        self.printed, self.told = self._capsys.readouterr()
        return code

    def titles(self) -> dict[str, int | None]:
        """How many titles each member shares."""
        found = self.does("circle", "members")["members"]
        return {one["name"]: one["titles"] for one in found if not one["removed_by"]}


@pytest.fixture
def ana(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Friend:
    person = Friend(tmp_path / "ana", capsys)
    person.does("init", "--name", "Ana")
    person.does("rate", "film:t:salt road:1998", "5")
    person.does("rate", "book:t:paper boats:okafor", "4")
    person.does("rate", "film:t:grey hours:2001", "2")
    return person


@pytest.fixture
def bo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Friend:
    person = Friend(tmp_path / "bo", capsys)
    person.does("init", "--name", "Bo")
    return person


def test_a_person_is_told_before_anything_leaves(ana: Friend, bo: Friend) -> None:
    told = "Everybody in this circle will see the titles you share."
    assert told in ana.says("circle", "create", "Film club")
    assert told in ana.says("circle", "share", "--all")
    assert told not in ana.says("circle", "share")
    link = ana.does("circle", "link")["link"]
    assert told in bo.says("circle", "join", link)
    assert "Nothing is shared yet" in bo.told
    assert "the host has not let you in yet" in bo.says("circle", "members")
    assert "not let in yet, nobody sees your titles" in bo.says("status")


def test_pausing_says_what_the_circle_keeps(ana: Friend) -> None:
    assert "circle" not in ana.says("pause")
    ana.does("circle", "create", "Film club")
    assert "list" not in ana.says("pause")  # nobody has one
    assert "circle, paused: nothing is sent" in ana.says("status")
    ana.does("resume")
    assert "its members see the titles you share" in ana.says("status")


def test_a_link_that_works_keeps_what_it_was_made_for(ana: Friend) -> None:
    ana.does("circle", "create", "Film club")
    assert ana.does("circle", "link", "--uses", "3")["uses"] == 3
    assert ana.tries("circle", "link", "--uses", "5") == 2
    assert "link --revoke first" in ana.told
    assert ana.does("circle", "link")["uses"] == 3
    ana.does("circle", "link", "--revoke")
    assert ana.does("circle", "link", "--uses", "5")["uses"] == 5


def test_what_is_shared_is_chosen_and_shown(ana: Friend) -> None:
    assert len(ana.does("circle", "create", "Film club")["id"]) == 64
    for words, rule, titles in (
        ((), "none", []),
        (("--all",), "all", ["Paper Boats, Okafor", "Salt Road (1998)"]),
        (("--hide", "salt"), "all", ["Paper Boats, Okafor"]),
        (("--kind", "film"), "kinds", []),
        (("--item", "salt"), "kinds", ["Salt Road (1998)"]),
        (("--none",), "none", []),
        (("--item", "boats"), "items", ["Paper Boats, Okafor"]),
        (("--item", "salt"), "items", ["Paper Boats, Okafor", "Salt Road (1998)"]),
        (("--unnamed",), "items", ["Paper Boats, Okafor", "Salt Road (1998)"]),
    ):
        found = ana.does("circle", "share", *words)
        assert (found["rule"], sorted(one["title"] for one in found["items"])) == (rule, titles)
        assert found["likes"] == 2
    assert not found["named"]
    assert "Salt Road (1998)" in ana.says("circle", "share")
    assert ana.does("sharing")["next"]["rows"] == 2
    assert "2 titles are shared with your circle" in ana.says("sharing")


def test_a_title_that_is_hidden_stays_hidden_until_it_is_named(ana: Friend) -> None:
    ana.does("circle", "create", "Film club")
    both, boats = ["Paper Boats, Okafor", "Salt Road (1998)"], ["Paper Boats, Okafor"]
    for words, titles in (
        (("--all", "--hide", "salt"), boats),
        (("--none",), []),
        (("--all",), boats),
        (("--item", "boats"), boats),
        (("--all",), boats),
        (("--kind", "film", "--kind", "book"), boats),
        (("--item", "salt"), both),
        (("--all",), both),
    ):
        found = ana.does("circle", "share", *words)
        assert sorted(one["title"] for one in found["items"]) == titles, words


def test_the_link_is_shown_again_and_revoked(ana: Friend, bo: Friend) -> None:
    ana.does("circle", "create", "Film club")
    made = ana.does("circle", "link", "--uses", "3", "--days", "1")
    assert (made["uses"], made["used"]) == (3, 0)
    assert ana.does("circle", "link")["link"] == made["link"] == ana.does("invite")["ticket"]
    assert made["link"] in ana.says("circle", "link")
    assert ana.does("circle", "link", "--revoke") == {"revoked": True}
    assert "There was no link" in ana.says("circle", "link", "--revoke")
    joined = bo.does("join", ana.does("circle", "link")["link"])  # one system of invitations
    assert joined == {"peer": ana.does("status")["id"]}
    assert bo.does("status")["mode"] == "circle"
    assert bo.does("circle", "leave") == {"left": True}
    assert bo.does("status")["mode"] == "alone"


def test_the_doctor_knows_the_circle(ana: Friend, bo: Friend) -> None:
    def line(person: Friend) -> str:
        person.tries("doctor", "--json")
        return person.printed

    assert "In no circle: nobody sees what you like." in line(ana)
    ana.does("circle", "create", "Film club")
    assert "tacit node circle share --all, if they may see what you like" in line(ana)
    ana.does("circle", "share", "--all")
    assert "Film club: 0 others, 2 of your 2 likes are shared." in line(ana)
    assert "Nobody else is in the circle yet." in line(ana)
    bo.does("circle", "join", ana.does("circle", "link")["link"])
    assert "The host of Film club has not let you in yet." in line(bo)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("members",), "circle: this node is in no circle; tacit node circle create NAME makes one"),
        (("share", "--all"), "circle: this node is in no circle"),
        (("leave",), "circle: this node is in no circle"),
        (("join", "rubbish"), "link: got no invitation of tacit"),
        (("create", "x" * 40), "up to 32 characters"),
        (("share", "--all", "--none"), "one of them"),
        (("share", "--all", "--item", "salt"), "--all and --item"),
    ],
)
def test_a_mistake_is_one_clear_line(bo: Friend, words: tuple[str, ...], told: str) -> None:
    assert bo.tries("circle", *words) == 2
    assert told in bo.told
    assert bo.told.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("remove", "Bo"), "member: got Bo; allowed: Ana"),
        (("remove", "Ana"), "got yourself"),
        (("share", "--kind", "cooking"), "kind: got cooking"),
        (("share", "--item", "unheard of"), "a key or a title that is known"),
        (("share", "--item", "grey hours"), "Grey Hours (2001) is not among your likes"),
        (("link", "--uses", "0"), "uses: got 0"),
        (("create", "Another"), "one at a time"),
    ],
)
def test_a_mistake_in_a_circle_is_one_clear_line(ana: Friend, words: tuple[str, ...], told: str) -> None:
    ana.does("circle", "create", "Film club")
    assert ana.tries("circle", *words) == 2
    assert told in ana.told
    assert ana.told.count("\n") == 1
