from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.site import Browser, browser, words

PIER = {"key": "film:t:certified pier:2011", "title": "Certified Pier (2011)"}


@pytest.fixture
def client(tmp_path: Path) -> Browser:
    return browser(tmp_path)


def add(
    client: Browser, title: str = "Night Ferry", more: str = "2010", value: str = "4", kind: str = "film"
) -> None:
    assert client.submit("/add", kind=kind, title=title, more=more, value=value).status_code == 200


def said(client: Browser) -> dict[str, tuple[str, float | None]]:
    return {r.key: (r.signal, r.value) for r in client.service.ratings()}


def number(page: str) -> str:
    return page.split('name="number" value="')[1].split('"')[0]


def test_stars_leave_the_list_and_can_be_undone(client: Browser) -> None:
    add(client)
    answer = client.submit("/rate", **PIER, value="seen", stars="4.5")
    assert "Certified Pier (2011): \u2605\u2605\u2605\u2605\u00bd." in words(answer.text)
    assert said(client)[PIER["key"]] == ("rating", 4.5)
    assert "<h3>Certified Pier</h3>" not in answer.text
    answer = client.submit("/undo", **PIER, number=number(answer.text))
    assert "Undone: Certified Pier (2011)." in words(answer.text)
    assert PIER["key"] not in said(client)
    assert "<h3>Certified Pier</h3>" in answer.text


@pytest.mark.parametrize(
    ("value", "signal", "words_of_it"),
    [
        ("seen", "seen", "seen, and not suggested again"),
        ("want", "want", "on your list of things to see"),
        ("no", "disliked", "not for you, and not suggested again"),
        ("liked", "liked", "liked"),
    ],
)
def test_seen_want_not_for_me(client: Browser, value: str, signal: str, words_of_it: str) -> None:
    answer = client.submit("/rate", **PIER, value=value)
    assert said(client) == {PIER["key"]: (signal, None)}
    assert f"Certified Pier (2011): {words_of_it}." in words(answer.text)
    client.submit("/rate", **PIER, value="none")
    assert said(client) == {}


@pytest.mark.parametrize("part", ["card", "row", "few"])
def test_a_script_gets_only_the_part_and_undo_where_it_was_done(client: Browser, part: str) -> None:
    add(client)
    client.submit("/rate", **PIER, value="2")
    answer = client.submit("/rate", **PIER, value="no", part=part)
    assert f'data-part="{part}"' in answer.text
    assert "<html" not in answer.text
    assert 'data-says="Certified Pier (2011): not for you, and not suggested again"' in answer.text
    assert said(client)[PIER["key"]] == ("disliked", None)
    if part != "few":  # there pressing the same button again takes it back
        client.submit("/undo", **PIER, number=number(answer.text), part=part)
        assert said(client)[PIER["key"]] == ("rating", 2.0)
    assert 'role="status"' not in client.get("/").text  # nothing is left for the next page to say


def test_a_script_gets_a_mistake_as_one_line(client: Browser) -> None:
    answer = client.submit("/rate", **PIER, value="6", part="card")
    assert answer.status_code == 422
    assert answer.text == "Rating: got 6; allowed: 1 to 5."
    assert answer.headers["content-type"].startswith("text/plain")
    assert said(client) == {}


def test_parts_are_text(client: Browser) -> None:
    answer = client.submit("/rate", key="csv:1", title='"><script>alert(1)</script>', value="no", part="card")
    assert "<script" not in answer.text


def test_an_undo_of_something_else_does_nothing(client: Browser) -> None:
    add(client)
    for given in ("", "x", "-1", "999", "1e30", "nan"):
        answer = client.submit("/undo", **PIER, number=given)
        assert 'role="alert"' in answer.text, given
    assert len(said(client)) == 1


@pytest.mark.parametrize(
    ("back", "goes"),
    [
        ("/?q=ferry", "/?q=ferry"),
        ("/data?sort=title", "/data?sort=title"),
        ("//evil.example/", "/"),
        ("http://evil.example/", "/"),
        ("/circle/leave", "/"),
        ("\\\\evil.example", "/"),
        ("", "/"),
    ],
)
def test_a_form_goes_back_to_where_it_was_and_nowhere_else(client: Browser, back: str, goes: str) -> None:
    add(client)
    answer = client.post(
        "/rate", data={"form_key": client.keys.form, **PIER, "value": "4", "back": back},
        headers={"Origin": f"http://{client.keys.host}"}, follow_redirects=False,
    )  # fmt: skip
    assert answer.headers["location"] == goes


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
        ("/rate", {"key": "csv:1", "value": "0.5"}, "Rating: got 0.5; allowed: 1 to 5."),
        ("/rate", {"key": "csv:1", "value": "seen", "stars": "9"}, "allowed: 1 to 5"),
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
