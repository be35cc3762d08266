from __future__ import annotations

from pathlib import Path

import pytest

from tacit.node import first_setup
from tacit.node.service import Service
from tacit.node.store.records import Peer
from tests.web.site import Browser, browser


@pytest.fixture
def client(tmp_path: Path) -> Browser:
    return browser(tmp_path)


def test_nobody_yet(client: Browser) -> None:
    assert "Nobody yet Invite someone" in client.text("/people")


def test_an_invitation_is_shown_once_and_works(client: Browser, tmp_path: Path) -> None:
    page = client.submit("/people/invite").text
    ticket = page.split("data-select>")[1].split("</textarea>")[0]
    assert "data-select>" not in client.get("/people").text
    first_setup.create(tmp_path / "other", model="bpr")
    other = Service(tmp_path / "other")
    assert other.join(ticket).id == client.service.status().id
    answer = client.submit("/people/join", ticket=other.invite())
    assert "Joined" in answer.text
    assert [p.id for p in client.service.peers()] == [other.status().id]
    other.close()


@pytest.mark.parametrize("ticket", ["", "nonsense", "x" * 5000])
def test_a_bad_invitation_is_one_line(client: Browser, ticket: str) -> None:
    answer = client.submit("/people/join", ticket=ticket)
    assert 'role="alert"' in answer.text
    assert client.service.peers() == []


def test_peers_and_their_trouble_as_text(client: Browser) -> None:
    client.service.contacts.save(Peer("ab" * 32, name="<b>Ben", allowed=True, problem="offline"))
    client.service.problem_log.add("peer", "<i>refused", 0)
    page = client.get("/people").text
    assert "&lt;b&gt;Ben" in page
    assert "offline" in page
    assert "&lt;i&gt;refused" in client.get("/status").text
    client.submit("/people/remove", peer="ab" * 32)
    assert client.service.peers() == []


def test_who_may_talk_to_it(client: Browser) -> None:
    client.submit("/people/open", open="yes")
    assert client.service.sharing().open is True
    client.submit("/people/open", open="no")
    assert client.service.sharing().open is False
