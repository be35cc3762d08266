"""The page about circles, typed as it stands by two people: two processes on one computer, joined by one link."""

from __future__ import annotations

import re
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("cryptography", reason="cryptography is not installed")
pytest.importorskip("iroh", reason="iroh is not installed")

from tests.cli.test_node_circle import Friend
from tests.cli.test_node_command import Started, wait_for
from tests.docs.pages import commands, page

TEXT = page("guide/circle.md")
STEPS = re.split(r"^(Ana makes|Bo got|Some seconds later)", TEXT, flags=re.MULTILINE)


@pytest.fixture
def started() -> Iterator[list[Started]]:
    nodes: list[Started] = []
    yield nodes
    for node in nodes:
        node.process.kill()
        node.process.communicate()


def test_two_friends_join_by_one_link_and_see_what_each_other_likes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], started: list[Started]
) -> None:
    ana, bo = Friend(tmp_path / "ana", capsys), Friend(tmp_path / "bo", capsys)
    for person, name, like in ((ana, "Ana", "film:t:salt road:1998"), (bo, "Bo", "film:t:paper boats:1999")):
        person.does("init", "--name", name)
        person.does("rate", like, "5")
    link = ""
    for person, text in ((ana, STEPS[2]), (bo, STEPS[4])):
        for command in commands(text):
            words = [link if word == "LINK" else word for word in shlex.split(command)[2:]]
            if words == ["start"]:
                started.append(Started(person))
            else:
                link = person.does(*words).get("link", link)
    wait_for(lambda: bo.titles() == {"Ana": 1, "Bo": 1} == ana.titles())
    later = [shlex.split(command)[2:] for command in commands(STEPS[6])]
    assert [words[0] for words in later] == ["circle", "recommend", "ledger", "doctor"]
    for person in (ana, bo):
        said = [person.says(*words) for words in later]
        assert "1 title" in said[0]
        assert "1 titles" not in said[0]
        assert "of your circle liked it" in said[1]
        assert "1 that you shared" in said[2]
        assert "Film club: 1 other, 1 of your 1 likes are shared." in said[3]
    assert bo.does("recommend")["items"][0]["because"] == ["one of your circle liked it: Ana"]
    assert bo.does("status")["mode"] == "circle"
    wait_for(lambda: ana.does("status")["received"]["updates"] >= 1)
    ana.does("circle", "remove", "Bo")
    wait_for(lambda: ana.titles() == {"Ana": 1})
    for node in started:
        assert node.stop(signal.SIGTERM)[0] == 0
