from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.node.start.starts import start
from tests.web.site import BASE, Browser, browser


@pytest.fixture
def client(tmp_path: Path) -> Browser:
    return browser(tmp_path)


def add(
    client: Browser, title: str = "Night Ferry", more: str = "2010", value: str = "4", kind: str = "film"
) -> None:
    assert client.submit("/add", kind=kind, title=title, more=more, value=value).status_code == 200


def test_an_empty_page_says_why_and_what_next(client: Browser) -> None:
    assert "Nothing to go on yet" in client.text("/")


def test_recommendations_have_titles_and_a_reason(client: Browser) -> None:
    add(client)
    page = client.text("/")
    assert "Certified Pier (2011)" in page
    assert "Near to Night Ferry (2010) and Salt Road (1998), which you liked." in page
    assert "Nobody is known here now." in page


def test_titles_are_text(client: Browser) -> None:
    add(client)
    page = client.get("/").text
    assert "Winter &lt;i&gt;Signal&lt;/i&gt; (2012)" in page
    assert "<i>Signal" not in page
    add(client, title="<script>alert(1)</script>")
    assert "<script>alert" not in client.get("/data").text
    assert "<script>alert" not in client.get("/?q=<script>alert(1)</script>").text


def test_rating_a_recommendation(client: Browser) -> None:
    add(client)
    answer = client.submit(
        "/rate", key="film:t:certified pier:2011", title="Certified Pier (2011)", value="5"
    )
    assert "Saved: Certified Pier (2011)." in answer.text
    ratings = {r.key: (r.signal, r.value) for r in client.service.ratings()}
    assert ratings["film:t:certified pier:2011"] == ("rating", 5.0)
    assert "Certified Pier" not in client.text("/").replace("Saved: Certified Pier", "")


def test_not_for_me_and_taking_it_back(client: Browser) -> None:
    add(client)
    client.submit("/rate", key="film:t:certified pier:2011", title="Certified Pier", value="no")
    assert [r.signal for r in client.service.ratings() if r.key == "film:t:certified pier:2011"] == [
        "disliked"
    ]
    client.submit("/rate", key="film:t:certified pier:2011", title="Certified Pier", value="none")
    assert len(client.service.ratings()) == 1


def test_searching_and_rating_what_was_found(client: Browser) -> None:
    add(client)
    page = client.get("/?q=ferry").text
    assert "Night Ferry (2010)" in page
    assert 'aria-pressed="true">4</button>' in page
    answer = client.submit(
        "/rate", key="film:t:night ferry:2010", title="Night Ferry (2010)", value="2", q="ferry"
    )
    assert str(answer.url).endswith("/?q=ferry")
    assert client.service.ratings()[0].value == 2.0
    assert "No title known here" in client.text("/?q=zebra")


@pytest.mark.parametrize(
    ("kind", "more", "key"),
    [
        ("film", "2010", "film:t:night ferry:2010"),
        ("film", "", "film:t:night ferry:-"),
        ("series", "2010", "series:t:night ferry:2010"),
        ("book", "Ada Okafor", "book:t:night ferry:okafor"),
        ("artist", "", "artist:t:night ferry"),
    ],
)
def test_adding_what_is_not_listed(client: Browser, kind: str, more: str, key: str) -> None:
    add(client, kind=kind, more=more)
    assert [r.key for r in client.service.ratings()] == [key]


@pytest.mark.parametrize(
    ("path", "fields", "says"),
    [
        ("/rate", {"key": "nonsense", "value": "4"}, "Key of an item"),
        ("/rate", {"key": "csv:1", "value": "6"}, "Rating: got 6; allowed: 1 to 5."),
        ("/rate", {"key": "csv:1", "value": "nan"}, "allowed: 1 to 5"),
        ("/rate", {"value": "4"}, "Key of an item"),
        ("/add", {"kind": "film", "title": " ", "value": "4"}, "nothing readable"),
        ("/add", {"kind": "film", "title": "X", "more": "soon", "value": "4"}, "four digits"),
        ("/add", {"kind": "car", "title": "X", "value": "4"}, "film, series, book or artist"),
        ("/add", {"kind": "film", "title": "X"}, "allowed: 1 to 5"),
    ],
)
def test_a_mistake_is_one_line_and_changes_nothing(
    client: Browser, path: str, fields: dict[str, str], says: str
) -> None:
    answer = client.submit(path, **fields)
    assert says in answer.text
    assert 'role="alert"' in answer.text
    assert client.service.ratings() == []


def test_the_status_line_is_alone_and_keeps_what_the_page_will_say(client: Browser) -> None:
    client.app.app  # type: ignore[attr-defined]  # noqa: B018 - the gate's inside
    client.post("/pause", data={"form_key": client.keys.form, "paused": "yes"}, headers={"Origin": "http://127.0.0.1:8477"},
                follow_redirects=False)  # fmt: skip
    line = client.get("/status").text
    assert "Paused" in line
    assert "<html" not in line
    assert 'role="status"' in client.get("/").text


def test_a_cluster_has_a_page_for_each_person(tmp_path: Path) -> None:
    client = browser(tmp_path, cluster=True)
    text = b"user,item,title,rating\nana,1,Night Ferry,4\nben,2,Salt Road,5\n"
    client.submit("/data/read", files={"file": ("x.csv", text)})
    client.submit("/data/keep", keep="yes")
    assert "<option selected>ben</option>" in client.get("/?person=ben").text
    client.submit("/rate", key="csv:1", title="Night Ferry", value="3", person="ben")
    assert {(r.person, r.key) for r in client.service.ratings()} == {
        ("ana", "csv:1"),
        ("ben", "csv:2"),
        ("ben", "csv:1"),
    }


def test_where_the_list_comes_from_is_said_with_true_reasons(tmp_path: Path) -> None:
    client = browser(tmp_path, alone=True)
    client.service.suggestions.set_start(start())
    client.service.rate("film:t:night ferry:2010", 5.0, "Night Ferry (2010)")
    page = client.text("/")
    assert "from rows learned from invented, 200 titles" in page
    assert "Because you liked Night Ferry (2010) and Salt Road (1998)." in page
    client.submit("/rate", key="film:t:salt road:1998", title="Salt Road (1998)", value="no")
    assert client.service.undo() is None


def test_damaged_ratings_are_told_with_the_remedy(tmp_path: Path) -> None:
    client = browser(tmp_path, alone=True)
    client.service.rate("film:t:night ferry:2010", 5.0)
    client.service.store.write("UPDATE ratings SET value = 1.0")
    quiet = TestClient(client.app, base_url=BASE, raise_server_exceptions=False, cookies=client.cookies)
    assert "tacit node restore" in quiet.get("/data").text
