from __future__ import annotations

from pathlib import Path

import pytest

from tests.node.importers.exports import zip_bytes
from tests.node.importers.test_letterboxd import ZIP
from tests.web.site import Browser, browser

LETTERBOXD = {"file": ("letterboxd-ana.zip", zip_bytes(ZIP))}


@pytest.fixture
def client(tmp_path: Path) -> Browser:
    return browser(tmp_path)


def test_a_file_is_shown_before_anything_is_kept(client: Browser) -> None:
    answer = client.submit("/data/read", files=LETTERBOXD)
    assert "This looks like <strong>Letterboxd</strong>" in answer.text
    assert "1: rating not on its scale (line 4)" in answer.text
    assert client.service.ratings() == []
    client.submit("/data/keep", keep="no")
    assert client.service.ratings() == []
    client.submit("/data/keep", keep="yes")
    assert client.service.ratings() == []  # It is not waiting any more.


def test_keeping_it(client: Browser) -> None:
    client.submit("/data/read", files=LETTERBOXD)
    answer = client.submit("/data/keep", keep="yes")
    assert "7 kept, 7 of them new or changed." in answer.text
    assert len(client.service.ratings()) == 7
    client.submit("/data/read", files=LETTERBOXD)
    assert "7 kept, 0 of them new or changed." in client.submit("/data/keep", keep="yes").text


def test_what_was_left_out_can_be_downloaded_until_the_next_file(client: Browser) -> None:
    assert "/skipped.csv" not in client.text("/data")
    assert "/skipped.csv" in client.submit("/data/read", files=LETTERBOXD).text
    answer = client.submit("/data/keep", keep="yes")
    assert "2 rows of the last file left out" in " ".join(answer.text.split())
    file = client.get("/skipped.csv")
    assert file.headers["content-disposition"] == 'attachment; filename="tacit-skipped.csv"'
    assert "Grey Hours,2001" in file.text
    assert file.text.count("\n") == 3
    client.submit("/data/read", files={"file": ("x.csv", b"item,rating\n7,4\n")})
    client.submit("/data/keep", keep="yes")
    assert "/skipped.csv" not in client.text("/data")
    assert "Grey Hours" not in client.get("/skipped.csv").text


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("x.zip", zip_bytes(ZIP)[:500], "X.zip is a damaged zip; get it again."),
        ("x.html", b"<html>My Activity</html>", "not an export that tacit knows"),
        ("x.csv", b"\x89PNG\r\n\x1a\n\0\0\0\0", "not an export that tacit knows"),
        ("x.csv", b"", "X.csv is empty."),
        ("", b"", "choose a file first"),
    ],
)
def test_a_bad_file_is_one_line_and_nothing_is_kept(
    client: Browser, name: str, data: bytes, says: str
) -> None:
    answer = client.submit("/data/read", files={"file": (name, data)})
    assert says in answer.text
    assert 'role="alert"' in answer.text
    assert client.service.ratings() == []


def test_hints_for_a_file_of_ones_own(client: Browser) -> None:
    file = {"file": ("voti.csv", b"titolo;voto\nNight Ferry (2010);8\n")}
    client.submit("/data/read", files=file, format="csv", map="title=titolo,rating=voto,scale=10")
    client.submit("/data/keep", keep="yes")
    assert [(r.key, r.value) for r in client.service.ratings()] == [("film:t:night ferry:2010", 4.0)]


def test_taking_back_one_rating_or_a_whole_source(client: Browser) -> None:
    client.submit("/data/read", files=LETTERBOXD)
    client.submit("/data/keep", keep="yes")
    client.service.rate("csv:1", 3)
    client.submit("/data/remove", key="film:t:night ferry:2010")
    assert len(client.service.ratings()) == 7
    assert "tick the box first" in client.submit("/data/undo", source="letterboxd").text
    assert len(client.service.ratings()) == 7
    client.submit("/data/undo", source="letterboxd", sure="yes")
    assert [r.key for r in client.service.ratings()] == ["csv:1"]


def test_the_list_is_searched_and_turned(client: Browser) -> None:
    text = "item,title,rating\n" + "".join(f"{i},Film {i:03},4\n" for i in range(120))
    client.submit("/data/read", files={"file": ("x.csv", text.encode())})
    client.submit("/data/keep", keep="yes")
    assert "1 to 50 of 120" in client.text("/data")
    assert "101 to 120 of 120" in client.text("/data?from=100")
    assert "1 to 1 of 1" in client.text("/data?q=film+007")
    for start in ("x", "-5", "99999999999", "²"):
        assert client.get("/data", params={"from": start}).status_code == 200


def test_everything_as_csv_can_be_read_again(client: Browser) -> None:
    client.service.rate("film:t:night ferry:2010", 4, "Night Ferry (2010)")
    data = client.get("/ratings.csv").content
    client.submit("/data/undo", source="here", sure="yes")
    assert client.service.ratings() == []
    client.submit("/data/read", files={"file": ("ratings.csv", data)})
    client.submit("/data/keep", keep="yes")
    assert [(r.key, r.value) for r in client.service.ratings()] == [("film:t:night ferry:2010", 4.0)]


def test_forgetting_needs_a_word_and_somebody_who_can(tmp_path: Path, client: Browser) -> None:
    assert "tacit node forget" in client.submit("/data/forget", sure="yes").text
    (tmp_path / "b").mkdir()
    called = []
    able = browser(tmp_path / "b", forget=lambda: called.append(1))
    assert "tick the box first" in able.submit("/data/forget").text
    assert called == []
    assert "tacit stops and deletes everything here" in able.submit("/data/forget", sure="yes").text
    assert called == [1]
