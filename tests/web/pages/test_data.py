from __future__ import annotations

import re
from pathlib import Path

import pytest

from tacit.node.start import rows_file
from tests.node.importers.exports import zip_bytes
from tests.node.importers.test_letterboxd import ZIP
from tests.web.invented import invented_start
from tests.web.site import Browser, browser, words

LETTERBOXD = {"file": ("letterboxd-ana.zip", zip_bytes(ZIP))}


@pytest.fixture
def client(tmp_path: Path) -> Browser:
    return browser(tmp_path)


def test_a_file_is_shown_before_anything_is_kept(client: Browser) -> None:
    answer = client.submit("/data/read", files=LETTERBOXD)
    assert "This is from Letterboxd" in answer.text
    assert "1: rating not on its scale (line 4)" in answer.text
    assert client.service.ratings() == []
    client.submit("/data/keep", keep="no")
    assert client.service.ratings() == []
    client.submit("/data/keep", keep="yes")
    assert client.service.ratings() == []  # It is not waiting any more.


def test_keeping_it(client: Browser) -> None:
    client.submit("/data/read", files=LETTERBOXD)
    answer = client.submit("/data/keep", keep="yes")
    assert "7 titles kept, 7 of them new or changed." in answer.text
    assert len(client.service.ratings()) == 7
    client.submit("/data/read", files=LETTERBOXD)
    assert "7 titles kept, 0 of them new or changed." in client.submit("/data/keep", keep="yes").text


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
    client.submit("/rate", key="film:t:night ferry:2010", value="none")
    assert len(client.service.ratings()) == 7
    assert "tick the box first" in client.submit("/data/delete", source="letterboxd").text
    assert len(client.service.ratings()) == 7
    client.submit("/data/delete", source="letterboxd", sure="yes")
    assert [r.key for r in client.service.ratings()] == ["csv:1"]


def test_the_list_is_searched_and_turned(client: Browser) -> None:
    text = "item,title,rating\n" + "".join(f"{i},Film {i:03},4\n" for i in range(120))
    client.submit("/data/read", files={"file": ("x.csv", text.encode())})
    client.submit("/data/keep", keep="yes")
    assert "1 to 50 of 120" in client.text("/data")
    assert "101 to 120 of 120" in client.text("/data?from=100")
    assert "1 to 1 of 1" in client.text("/data?q=film+007")
    assert "None of yours has these words" in client.text("/data?q=zebra")
    for start in ("x", "-5", "99999999999", "²"):
        assert client.get("/data", params={"from": start}).status_code == 200


def test_everything_as_csv_can_be_read_again(client: Browser) -> None:
    client.service.rate("film:t:night ferry:2010", 4, "Night Ferry (2010)")
    data = client.get("/ratings.csv").content
    client.submit("/data/delete", source="here", sure="yes")
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


def test_sorted_and_shown_by_what_was_said(client: Browser) -> None:
    rate, say = client.service.rate, client.service.say
    rate("film:t:low water:1999", 2, "Low Water (1999)")
    rate("film:t:night ferry:2010", 4.5, "Night Ferry (2010)")
    say("film:t:marmalade:1960", "want", "Marmalade (1960)")

    def names(query: str) -> list[str]:
        return re.findall(r'<span class="name">(.*?)</span>', client.get(f"/data?{query}").text)

    assert names("sort=best") == ["Night Ferry", "Low Water", "Marmalade"]
    assert names("sort=title") == ["Low Water", "Marmalade", "Night Ferry"]
    assert names("show=want") == ["Marmalade"]
    assert names("show=stars&sort=title") == ["Low Water", "Night Ferry"]
    assert names("show=no") == []
    assert "There are none of these" in client.text("/data?show=no")
    assert "\u2605\u2605\u2605\u2605\u00bd" in client.text("/data")


def test_half_a_star_of_another_service_is_kept_as_one(client: Browser) -> None:
    file = {"file": ("x.csv", b"title,rating\nNight Ferry (2010),0.5\n")}
    client.submit("/data/read", files=file)
    client.submit("/data/keep", keep="yes")
    assert [r.value for r in client.service.ratings()] == [1.0]


def test_the_check_says_how_much_the_start_knows_and_gives_examples(tmp_path: Path) -> None:
    client = browser(tmp_path, alone=True)
    client.service.suggestions.set_start(invented_start())
    file = {"file": ("x.csv", b"title,year,rating\nNight Ferry,1948,4.5\nZebra,2001,2\n")}
    page = words(client.submit("/data/read", files=file).text)
    assert "Known to your start 1 of 2" in page
    assert "Night Ferry (1948) \u2605\u2605\u2605\u2605\u00bd" in page


def test_a_start_file_is_found_checked_and_shown_before_it_is_used(tmp_path: Path) -> None:
    client = browser(tmp_path, alone=True)
    data = rows_file.pack(invented_start())
    broken = data[:-1] + bytes([data[-1] ^ 1])
    assert "its checksum does not fit" in client.submit("/data/read", files={"file": ("a.rows", broken)}).text
    page = client.submit("/data/read", files={"file": ("a.rows", data)}).text
    assert "This is a start file" in page
    assert "made up for tests" in page
    assert client.service.suggestions.facts() is None
    client.submit("/data/keep", keep="no")
    assert client.service.suggestions.facts() is None
    assert 'role="alert"' in client.submit("/data/keep", keep="yes").text
    client.submit("/data/read", files={"file": ("a.rows", data)})
    assert (
        "Suggestions come from invented films now, 72 titles." in client.submit("/data/keep", keep="yes").text
    )
    facts = client.service.suggestions.facts()
    assert facts is not None
    assert facts.items == 72
