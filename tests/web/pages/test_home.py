from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.web.invented import invented_start, say_what_ana_likes
from tests.web.pages.test_saying import add
from tests.web.site import BASE, Browser, Real, browser, words


@pytest.fixture
def client(tmp_path: Path) -> Browser:
    return browser(tmp_path)


@pytest.fixture
def ana(tmp_path: Path) -> Browser:
    """A page with a start and ratings; the list is the rule's own."""
    client = browser(tmp_path, alone=True, service=Real)
    start = invented_start()
    client.service.suggestions.set_start(start)
    say_what_ana_likes(client.service, start)
    return client


def names(client: Browser, path: str) -> list[str]:
    return re.findall(r"<h3>(.*?)</h3>", client.get(path).text)


def test_the_list_is_the_rules_own_in_its_order(ana: Browser) -> None:
    expected = [item.title.rpartition(" (")[0] for item in ana.service.recommend(12)]
    assert names(ana, "/") == [name.replace("'", "&#39;") for name in expected]
    assert "12 titles you have not seen" in ana.text("/")


def test_every_reason_is_a_sum_that_adds_up(ana: Browser) -> None:
    page = ana.get("/").text
    sums = re.findall(r"<tbody>(.*?)</tbody>\s*<tfoot>(.*?)</tfoot>", page, flags=re.DOTALL)
    assert len(sums) == 12
    for rows, whole in sums:
        parts = [int(part.replace("\u2212", "-")) for part in re.findall(r">(\u2212?\d+) %<", rows)]
        assert sum(parts) == 100
        assert ">100 %<" in whole
    assert "Against it: " in words(page)
    item = ana.service.recommend(1)[0]
    assert sum(reason.part for reason in item.reasons) > 0
    first = [title.rpartition(" (")[0] for title in item.because]
    assert f"Because you liked {first[0]} and {first[1]}" in unescape(words(page))


def test_titles_are_as_people_write_them(ana: Browser) -> None:
    page = ana.text("/?q=pilot")
    assert "The Pilot&#39;s Daughter" in page
    assert "Pilots Daughter" not in page


def test_filters(ana: Browser) -> None:
    old = ana.get("/?first=1950&last=1970").text
    years = [int(year) for year in re.findall(r'<p class="facts">(\d{4}),', old)]
    assert years
    assert all(1950 <= year <= 1970 for year in years)
    assert "You have been through all of it" in ana.text("/?first=1800&last=1801")
    assert "Night Ferry" not in names(ana, "/?n=96")
    assert "Night Ferry" in names(ana, "/?n=96&seen=yes")
    assert names(ana, "/?first=1970&last=1950") == names(ana, "/?first=1950&last=1970")
    for strange in ("first=x", "kind=car", "n=0", "n=99999", "n=x", "new=maybe"):
        assert len(names(ana, f"/?{strange}")) >= 12, strange


def test_a_kind_that_nobody_has_says_so(ana: Browser) -> None:
    page = ana.text("/?kind=book")
    assert "The start has no books" in page
    assert "You have been through all of it" not in page
    pills = ana.get("/").text
    assert [label for label in ("Films", "Series", "Books", "Music") if f"{label}<span class=" in pills] == [
        "Series", "Books", "Music",
    ]  # fmt: skip


def test_genres_stand_beside_a_title_where_the_start_has_them(ana: Browser) -> None:
    assert ", film" in ana.text("/")
    start = invented_start()
    ana.service.suggestions.set_start(replace(start, genres=["comedy|drama|war"] * len(start)))
    page = ana.text("/")
    assert ", comedy and drama" in page
    assert ", film" not in page
    assert ", comedy and drama" in ana.text("/?q=breakwater")


def test_what_is_new_since_last_time(ana: Browser) -> None:
    ana.get("/")
    assert "new since last time" not in ana.text("/").replace("New since", "")
    assert len(names(ana, "/?new=yes")) == 12  # the first visit: everything is
    ana.service.store.write("UPDATE visits SET time = time - 7200")
    assert not set(names(ana, "/")) & set(names(ana, "/?new=yes"))


def test_more_titles(ana: Browser) -> None:
    assert 'href="/?n=24' in ana.get("/").text
    assert len(names(ana, "/?n=24")) == 24


def test_without_ratings_it_says_what_the_list_is(tmp_path: Path) -> None:
    client = browser(tmp_path, alone=True, service=Real)
    client.service.suggestions.set_start(invented_start())
    page = client.text("/")
    assert "these are what most people liked" in page
    assert "Because many people like it" in page


def test_an_empty_page_says_why_and_what_next(tmp_path: Path, client: Browser) -> None:
    assert "Nothing to go on yet" in client.text("/")
    (tmp_path / "b").mkdir()
    alone = browser(tmp_path / "b", alone=True, service=Real)
    assert "tacit node learn movielens-100k" in alone.text("/")
    alone.service.rate("csv:1", 4)
    assert "tacit has 1 rating of yours and nothing to compare them with" in alone.text("/")


def test_an_exchanged_model_says_what_a_title_is_near_to(client: Browser) -> None:
    add(client)
    page = client.text("/")
    assert "Certified Pier" in page
    assert "Near to Night Ferry and Salt Road, which you liked." in page


def test_titles_are_text(client: Browser) -> None:
    add(client)
    page = client.get("/").text
    assert "Winter &lt;i&gt;Signal&lt;/i&gt;" in page
    assert "<i>Signal" not in page
    add(client, title="<script>alert(1)</script>")
    assert "<script>alert" not in client.get("/data").text
    assert "<script>alert" not in client.get("/?q=<script>alert(1)</script>").text
    assert "<script>alert" not in client.get("/?kind=<script>alert(1)</script>&first=<script>").text


def test_searching(client: Browser) -> None:
    add(client)
    page = client.text("/?q=ferry")
    assert "Night Ferry" in page
    assert "You said: \u2605\u2605\u2605\u2605." in page
    nothing = client.text("/?q=zebra")
    assert "No title here has these words" in nothing
    assert "Add it" in nothing


def test_the_line_of_truth_is_alone_and_keeps_what_the_page_will_say(client: Browser) -> None:
    client.post("/pause", data={"form_key": client.keys.form, "paused": "yes"}, headers={"Origin": BASE},
                follow_redirects=False)  # fmt: skip
    line = client.get("/line").text
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


def test_where_the_list_comes_from_is_said(ana: Browser) -> None:
    assert "from your ratings and from invented films, 72 titles" in ana.text("/")


def test_damaged_ratings_are_told_with_the_remedy(tmp_path: Path) -> None:
    client = browser(tmp_path, alone=True)
    client.service.rate("film:t:night ferry:2010", 5.0)
    client.service.store.write("UPDATE ratings SET value = 1.0")
    quiet = TestClient(client.app, base_url=BASE, raise_server_exceptions=False, cookies=client.cookies)
    page = quiet.get("/data").text
    assert "tacit node restore" in page
    assert 'role="alert"' in page
    assert "/static/tacit.css" in page


def test_a_page_that_is_not_there_has_the_looks_of_the_others(client: Browser) -> None:
    answer = client.get("/nothing")
    assert answer.status_code == 404
    assert "There is no such page" in answer.text
    assert "/static/tacit.css" in answer.text
