from __future__ import annotations

import pytest

from tacit.core.errors import BadInput
from tests.node.importers.exports import by_key, plain, read

FULL = "item,title,year,rating,timestamp\n7,Night Ferry,2010,4,964982703\n8,Salt Road,1998,,\n9,,,0,\n,,,3,\n"


def test_the_columns_of_the_contract() -> None:
    found = read(plain(FULL))
    assert found.format == "csv"
    assert by_key(found) == {"csv:7": ("rating", 4.0), "csv:8": ("seen", None)}
    assert [row.title for row in found.parsed] == ["Night Ferry (2010)", "Salt Road (1998)"]
    assert found.parsed[0].time == 964982703
    assert found.summary() == {
        "imported": 2,
        "skipped": 2,
        "reasons": {"rating not on its scale": 1, "no title": 1},
    }


def test_item_alone_is_enough() -> None:
    assert by_key(read(plain("item\n7\n"))) == {"csv:7": ("seen", None)}


def test_a_signal_says_what_a_line_without_a_rating_means() -> None:
    text = "item,rating,signal\n1,4,liked\n2,,disliked\n3,,want\n4,,rating\n5,,nonsense\n"
    signals = {key: signal for key, (signal, _) in by_key(read(plain(text))).items()}
    assert signals == {
        "csv:1": "rating",
        "csv:2": "disliked",
        "csv:3": "want",
        "csv:4": "seen",
        "csv:5": "seen",
    }


def test_other_names_and_separators() -> None:
    text = "titolo;voto;anno\nNight Ferry;8,5;2010\nSalt Road;3;1998\n"
    found = read(plain(text), "title=titolo,rating=voto,year=anno")
    assert by_key(found) == {
        "film:t:night ferry:2010": ("rating", 4.25),
        "film:t:salt road:1998": ("rating", 1.5),
    }


def test_books_by_title() -> None:
    found = read(plain("title\tauthor\nPaper Boats\tAda Okafor\n"), "kind=book")
    assert list(by_key(found)) == ["book:t:paper boats:okafor"]


def test_the_year_may_stand_in_the_title() -> None:
    assert list(by_key(read(plain("title\nNight Ferry (2010)\n"), "kind=film"))) == [
        "film:t:night ferry:2010"
    ]


def test_a_full_key_stands_for_itself() -> None:
    assert list(by_key(read(plain("item\nfilm:t:night ferry:2010\n")))) == ["film:t:night ferry:2010"]


@pytest.mark.parametrize(("highest", "stars"), [("5", 4.0), ("8", 2.0), ("80", 0.2)])
def test_the_scale_is_the_smallest_that_holds_all(highest: str, stars: float) -> None:
    assert by_key(read(plain(f"item,rating\n1,4\n2,{highest}\n")))["csv:1"] == ("rating", stars)


def test_a_given_scale_wins() -> None:
    found = read(plain("item,rating\n1,4\n2,11\n"), "scale=10")
    assert by_key(found) == {"csv:1": ("rating", 2.0)}
    assert found.summary()["skipped"] == 1


def test_people_of_a_cluster() -> None:
    text = "user,item,rating\nana,1,4\nben,1,2\n"
    with pytest.raises(BadInput, match="2 people"):
        read(plain(text))
    assert [(row.user, row.stars) for row in read(plain(text), cluster=True).parsed] == [
        ("ana", 4.0),
        ("ben", 2.0),
    ]


@pytest.mark.parametrize(
    ("text", "maps", "says"),
    [
        ("titolo,voto\nx,1\n", [], "not an export that tacit knows"),
        ("item,rating\n1,4\n", ["rating=voto"], "no column voto"),
        ("item,rating\n1,400\n", [], "scale=HIGHEST"),
        ("item,rating\n,\n", [], "nothing that can be used"),
        ("item\n", [], "nothing that can be used"),
        ("item\n1\n", ["colour=red"], "known: "),
        ("item\n1\n", ["scale=-1"], "highest rating"),
        ("item\n1\n", ["rating"], "name=value"),
        ("item\n1\n", ["dates=soon"], "d/m or m/d"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(text: str, maps: list[str], says: str) -> None:
    with pytest.raises(BadInput, match=says) as told_so:
        read(plain(text), *maps)
    assert "\n" not in str(told_so.value)
