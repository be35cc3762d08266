from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tacit.node.store.records import Peer
from tests.web.site import Browser, browser


@pytest.fixture
def client(tmp_path: Path) -> Browser:
    return browser(tmp_path)


def test_an_empty_ledger_says_so(client: Browser) -> None:
    page = client.text("/sharing")
    assert "No message to another node has left." in page
    assert "you have not rated anything" in page


def test_the_share_is_saved_and_shown(client: Browser) -> None:
    client.submit("/sharing", percent="40")
    assert client.service.sharing().disclosure == 0.4
    page = client.get("/sharing").text
    assert "About 4 in 10 of your ratings take part from now on." in page
    assert 'value="40"' in page
    assert "Guarantee: none. No noise is added" in page
    assert "One message shows the person who receives it what you liked." in page


def test_a_node_that_exchanges_sums_says_what_hides_them_and_when_it_waits(client: Browser) -> None:
    client.service.store.set(model="ials")
    page = client.text("/sharing")
    assert (
        "One share of the sums, judged item by item, does not tell its receiver which items you have." in page
    )
    assert "Until you know three others, nothing about your ratings is sent." in page
    assert "in groups of 4 to 16 people an outside test read every list" in page
    assert "Guarantee: none." in page
    assert "No noise is added" not in page
    assert "Sharing waits: at least 3 others must be known here, now 0" in page
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
    assert "Paused: nothing about your ratings is sent." in client.text("/sharing")
    client.submit("/pause", paused="no")
    assert client.service.sharing().paused is False


def test_the_next_message_is_shown_row_by_row(client: Browser) -> None:
    client.service.rate("csv:1", 4)
    page = client.text("/sharing")
    assert "The next message: 18 KB, with numbers for 3 items; 1 of them you rated, 2 you did not." in page
    assert "Night Ferry yes" in page


def test_the_ledger_as_table_plot_and_files(client: Browser) -> None:
    enter = client.service.ledger.enter
    enter(1_700_000_000.0, "=peer", "update", 37, 12, 18_240, 0.4)
    enter(1_700_003_600.0, "=peer", "hello", 0, 0, 300, 0.4)
    page = client.get("/sharing").text
    assert "12 of 37" in page
    assert page.count("<rect ") == 2
    assert "37 rows, 12 about items you rated" in page
    rows = list(csv.reader(io.StringIO(client.get("/ledger.csv").text)))
    assert rows[0] == ["time", "peer", "kind", "rows", "rows_rated", "bytes", "disclosure"]
    assert rows[2] == ["1700000000.0", "'=peer", "update", "37", "12", "18240", "0.4"]
    entries = client.get("/ledger.json").json()["entries"]
    assert [entry["rows"] for entry in entries] == [0, 37]
    assert entries[1]["peer"] == "=peer"
