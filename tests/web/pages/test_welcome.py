from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.invented import invented_start
from tests.web.pages.test_data import LETTERBOXD
from tests.web.site import BASE, Browser, browser


@pytest.fixture
def client(tmp_path: Path) -> Browser:
    """Of a node that exchanges a model."""
    return browser(tmp_path, welcomed=False)


@pytest.fixture
def alone(tmp_path: Path) -> Browser:
    return browser(tmp_path, welcomed=False, alone=True)


def test_the_first_visit_begins_there(client: Browser) -> None:
    answer = client.get("/")
    assert str(answer.url).endswith("/welcome")
    assert "Something good for tonight" in answer.text


def test_the_first_run_ends_paused(client: Browser) -> None:
    assert client.service.sharing().paused is False
    answer = client.submit("/welcome/read", files=LETTERBOXD)
    assert str(answer.url).endswith("/welcome/check")
    assert client.service.ratings() == []
    assert client.service.sharing().paused is True
    answer = client.submit("/welcome/keep", keep="yes")
    assert str(answer.url) == f"{BASE}/"
    assert len(client.service.ratings()) == 7
    assert "Certified Pier" in answer.text
    assert client.service.sharing().paused is True


def test_it_can_be_skipped_and_still_ends_paused(client: Browser) -> None:
    for path in ("/welcome", "/welcome/check"):
        assert client.get(path).status_code == 200
    answer = client.submit("/welcome/finish")
    assert client.service.sharing().paused is True
    assert "Nothing to go on yet" in answer.text
    assert str(client.get("/").url) == f"{BASE}/"


def test_sharing_starts_only_by_the_button_for_it(client: Browser) -> None:
    client.submit("/welcome/finish")
    assert "Sharing is on." in client.submit("/pause", paused="no").text
    assert client.service.sharing().paused is False


def test_keeping_nothing_goes_back(client: Browser) -> None:
    client.submit("/welcome/read", files=LETTERBOXD)
    answer = client.submit("/welcome/keep", keep="no")
    assert str(answer.url).endswith("/welcome")
    assert "Nothing was kept." in answer.text
    assert client.service.ratings() == []


def test_a_bad_file_stays_on_the_first_page(client: Browser) -> None:
    answer = client.submit("/welcome/read", files={"file": ("x.txt", b"hello")})
    assert str(answer.url).endswith("/welcome")
    assert "not an export that tacit knows" in answer.text


def test_alone_every_page_says_that_nothing_leaves(alone: Browser) -> None:
    page = alone.text("/welcome")
    assert "Alone. Nothing leaves this computer." in page
    assert "paused" not in page
    alone.submit("/welcome/read", files=LETTERBOXD)
    answer = alone.submit("/welcome/keep", keep="yes")
    assert str(answer.url) == f"{BASE}/"
    assert len(alone.service.ratings()) == 7
    assert alone.service.sharing().paused is False
    for path in ("/", "/data", "/few", "/circle", "/left", "/status", "/?q=x", "/data/check"):
        assert "Alone. Nothing leaves this computer." in alone.text(path)


def test_well_known_titles_are_there_with_a_start(alone: Browser) -> None:
    assert "tacit node learn movielens-100k" in alone.text("/welcome")
    alone.service.suggestions.set_start(invented_start())
    page = alone.get("/welcome").text
    assert page.count('data-part="few"') == 12
    assert "tacit node learn" not in page
