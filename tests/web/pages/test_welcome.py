from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.pages.test_data import LETTERBOXD
from tests.web.site import Browser, browser


@pytest.fixture
def client(tmp_path: Path) -> Browser:
    return browser(tmp_path, welcomed=False)


def test_the_first_visit_begins_there(client: Browser) -> None:
    answer = client.get("/")
    assert str(answer.url).endswith("/welcome")
    assert answer.text.count('aria-current="step"') == 1


def test_the_first_run_ends_paused(client: Browser) -> None:
    assert client.service.sharing().paused is False
    answer = client.submit("/welcome/read", files=LETTERBOXD)
    assert str(answer.url).endswith("/welcome/check")
    assert client.service.ratings() == []
    assert client.service.sharing().paused is True
    answer = client.submit("/welcome/keep", keep="yes")
    assert str(answer.url).endswith("/welcome/choose")
    assert len(client.service.ratings()) == 7
    answer = client.submit("/welcome/choose", percent="30")
    assert str(answer.url).endswith("/welcome/people")
    answer = client.submit("/welcome/finish", wish="stay")
    assert str(answer.url) == "http://127.0.0.1:8477/"
    assert "Certified Pier" in answer.text
    sharing = client.service.sharing()
    assert sharing.paused is True
    assert sharing.disclosure == 0.3


def test_every_step_can_be_skipped_and_it_still_ends_paused(client: Browser) -> None:
    for path in ("/welcome", "/welcome/check", "/welcome/choose", "/welcome/people"):
        assert client.get(path).status_code == 200
    answer = client.submit("/welcome/finish", wish="anything")
    assert client.service.sharing().paused is True
    assert "Nothing to go on yet" in answer.text


def test_inviting_and_joining_stay_in_the_last_step_and_paused(client: Browser) -> None:
    answer = client.submit("/welcome/finish", wish="invite")
    assert "who can accept it within a week" in answer.text
    answer = client.submit("/welcome/finish", wish="join", ticket="nonsense")
    assert 'role="alert"' in answer.text
    assert str(answer.url).endswith("/welcome/people")
    assert client.service.sharing().paused is True


def test_sharing_starts_only_by_the_button_for_it(client: Browser) -> None:
    client.submit("/welcome/finish", wish="share")
    assert client.service.sharing().paused is False


def test_back_from_the_check_keeps_nothing(client: Browser) -> None:
    client.submit("/welcome/read", files=LETTERBOXD)
    answer = client.submit("/welcome/keep", keep="no")
    assert str(answer.url).endswith("/welcome")
    assert client.service.ratings() == []


def test_a_bad_file_stays_on_the_first_step(client: Browser) -> None:
    answer = client.submit("/welcome/read", files={"file": ("x.txt", b"hello")})
    assert str(answer.url).endswith("/welcome")
    assert "not an export that tacit knows" in answer.text


def test_a_node_that_is_alone_adds_a_file_and_has_nothing_to_choose(tmp_path: Path) -> None:
    client = browser(tmp_path, welcomed=False, alone=True)
    page = client.text("/welcome")
    assert "Alone: nothing is sent." in page
    assert "people you invite" not in page
    client.submit("/welcome/read", files=LETTERBOXD)
    answer = client.submit("/welcome/keep", keep="yes")
    assert str(answer.url) == "http://127.0.0.1:8477/"
    assert len(client.service.ratings()) == 7
    assert "Turn sharing on" not in answer.text
    for path in ("/", "/sharing", "/people", "/data"):
        assert "Alone: nothing is sent." in client.text(path)
    assert "ends being alone" in client.text("/people")
    assert str(client.get("/welcome/choose").url) == "http://127.0.0.1:8477/"


def test_it_can_be_skipped(tmp_path: Path) -> None:
    client = browser(tmp_path, welcomed=False, alone=True)
    answer = client.submit("/welcome/finish", wish="stay")
    assert "tacit node learn movielens-100k" in answer.text
