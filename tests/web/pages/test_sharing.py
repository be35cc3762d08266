from __future__ import annotations

from pathlib import Path

import pytest

from tacit.node.store.records import Peer
from tests.web.site import Browser, browser


@pytest.fixture
def client(tmp_path: Path) -> Browser:
    return browser(tmp_path)


def test_nothing_to_send_yet(client: Browser) -> None:
    assert "you have not rated anything" in client.text("/sharing")


def test_a_node_without_a_model_has_no_such_page(tmp_path: Path) -> None:
    client = browser(tmp_path, alone=True)
    for path in ("/sharing", "/people"):
        assert str(client.get(path).url).endswith("/circle")


def test_the_share_is_saved_and_shown(client: Browser) -> None:
    client.submit("/sharing", percent="40")
    assert client.service.sharing().disclosure == 0.4
    page = client.get("/sharing").text
    assert "The shared model learns from about 4 in 10 of your ratings from now on." in page
    assert 'value="40"' in page
    assert "Guarantee: none. No noise is added" in page
    assert "One message shows the person who receives it what you liked." in page


def test_a_node_that_exchanges_sums_says_what_hides_them_and_when_it_waits(client: Browser) -> None:
    client.service.store.set(model="ials")
    page = client.text("/sharing")
    assert (
        "One share of the sums tells its receiver hardly anything about single items, unless the receiver works with "
        "your mask partners." in page
    )
    assert "Until you know 99 others (3 if you forced it), nothing about your ratings is sent." in page
    assert "in groups of 4 to 16 people an outside test read every list" in page
    assert "named the person who added one rating in 86 % of 119 trials" in page
    assert "Guarantee: none." in page
    assert "No noise is added" not in page
    assert "Nothing is sent: at least 99 others must be known here, now 0." in page
    client.service.set_sharing(small_sums=True)
    assert "Nothing is sent: at least 3 others must be known here, now 0." in client.text("/sharing")
    for number in range(3):
        client.service.contacts.save(Peer(f"{number:064x}", allowed=True))
    assert "at least 3 others" not in client.text("/sharing")
    assert "ials" in client.text("/people")


@pytest.mark.parametrize("given", ["", "-1", "101", "many", "nan"])
def test_a_share_that_is_none_is_refused(client: Browser, given: str) -> None:
    answer = client.submit("/sharing", percent=given)
    assert "allowed: 0 to 100 percent" in answer.text
    assert client.service.sharing().disclosure == 1.0


def test_pausing_and_going_on(client: Browser) -> None:
    client.submit("/pause", paused="yes")
    assert client.service.sharing().paused is True
    assert "Paused. Nothing about your ratings is sent." in client.text("/sharing")
    client.submit("/pause", paused="no")
    assert client.service.sharing().paused is False


def test_the_next_message_is_shown_row_by_row(client: Browser) -> None:
    client.service.rate("csv:1", 4)
    page = client.text("/sharing")
    assert "The next message: 18 KB, with numbers for 3 items; 1 of them you rated, 2 you did not." in page
    assert "Night Ferry yes" in page
