from __future__ import annotations

from pathlib import Path

import pytest

from tacit.node.doctor import reach
from tests.web.invented import invented_start
from tests.web.site import Real, browser


def test_the_doctors_checks_and_where_suggestions_come_from(tmp_path: Path) -> None:
    client = browser(tmp_path, alone=True, service=Real)
    page = client.text("/status")
    assert "There are no ratings yet." in page
    assert "2 things could be better." in page  # no ratings, no start
    client.service.suggestions.set_start(invented_start())
    client.service.rate("film:t:night ferry:2010", 4)
    page = client.text("/status")
    assert "Everything works." in page
    assert "All ratings and titles fit their checksums: 1." in page
    assert "invented films, 72 titles" in page
    assert "made up for tests" in page


def test_looking_asks_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*_: object) -> bool:
        raise AssertionError("somebody was asked")

    for name in ("_answers", "_joins"):
        monkeypatch.setattr(reach, name, asked)
    client = browser(tmp_path)
    assert "These checks ask nobody" in client.text("/status")
    assert "Everything on this computer works. The network was not checked." in client.text("/status")
    (tmp_path / "b").mkdir()
    alone = browser(tmp_path / "b", alone=True)
    assert "Made now" in alone.submit("/status/check").text  # alone, the button asks nobody either


def test_a_damaged_store_is_told_first(tmp_path: Path) -> None:
    client = browser(tmp_path, alone=True, service=Real)
    client.service.rate("film:t:night ferry:2010", 5.0)
    client.service.store.write("UPDATE ratings SET value = 1.0")
    page = client.text("/status")
    assert "1 thing does not work." in page
    assert page.index("tacit node restore") < page.index("The store is whole")


def test_crowd_is_not_ready_and_says_so(tmp_path: Path) -> None:
    page = browser(tmp_path, alone=True).text("/status")
    assert "Crowd: not ready yet" in page
