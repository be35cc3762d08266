from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from tacit.node.store.records import NetworkTraffic, Peer
from tests.web.site import Browser, browser


@pytest.fixture
def client(tmp_path: Path) -> Browser:
    return browser(tmp_path)


def test_an_empty_ledger_says_so(tmp_path: Path, client: Browser) -> None:
    assert "No message has left" in client.text("/left")
    (tmp_path / "b").mkdir()
    page = browser(tmp_path / "b", alone=True).text("/left")
    assert "While you are alone the network part of tacit is not even started." in page


def test_days_with_what_left_to_whom_and_how_much(client: Browser) -> None:
    client.service.contacts.save(Peer("ab" * 32, name="<b>Bo", allowed=True))
    enter = client.service.ledger.enter
    enter(1_700_000_000.0, "ab" * 32, "list", 12, 9, 4_000, 1.0)
    enter(1_700_000_060.0, "ab" * 32, "hello", 0, 0, 300, 1.0)
    enter(1_700_200_000.0, "ab" * 32, "update", 37, 12, 18_240, 0.4)
    page, text = client.get("/left").text, client.text("/left")
    assert "3 messages, 23 KB since" in text
    assert "9 titles of yours, 3 carried for others" in text
    assert "12 of 37 titles you rated" in text
    assert "Carried for friends: 1 KB" in text  # 3 of 12 titles of 4,000 bytes
    assert "What you share: 21 KB" in text
    assert "Greetings: 300 bytes" in text
    assert "&lt;b&gt;Bo" in page
    assert page.count('<svg class="bar"') == 2
    assert re.search(r"Friday 17 November 2023|Thursday 16 November 2023", text)


def test_what_the_network_library_did_is_there(client: Browser) -> None:
    assert "None is counted yet." in client.text("/left").split("own upkeep")[1]
    client.service.ledger.add_network(NetworkTraffic(24_000, 1, 9_000, 1, 12, 3, 2))
    page = client.text("/left").split("own upkeep")[1]
    assert (
        "Sent besides messages 15 KB Lookups of addresses 12 Connections to relays 3 Searches for a router 2"
        in page
    )


def test_as_files(client: Browser) -> None:
    enter = client.service.ledger.enter
    enter(1_700_000_000.0, "=peer", "update", 37, 12, 18_240, 0.4)
    enter(1_700_003_600.0, "=peer", "hello", 0, 0, 300, 0.4)
    client.service.ledger.add_network(NetworkTraffic(sent=5))
    rows = list(csv.reader(io.StringIO(client.get("/ledger.csv").text)))
    assert rows[0] == ["time", "peer", "kind", "rows", "rows_rated", "bytes", "disclosure"]
    assert rows[2] == ["1700000000.0", "'=peer", "update", "37", "12", "18240", "0.4"]
    facts = client.get("/ledger.json").json()
    assert [entry["rows"] for entry in facts["entries"]] == [0, 37]
    assert facts["entries"][1]["peer"] == "=peer"
    assert facts["network"]["sent"] == 5
