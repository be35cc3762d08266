from __future__ import annotations

import pytest

from tests.node.importers.exports import by_key, plain, read

TODAY = (
    "Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,"
    "Num Votes,Release Date,Directors\n"
    "tt0000001,9,2024-05-01,Nachtfähre,Night Ferry,https://x,Movie,7.1,100,2010,Drama,10,2010-01-01,A B\n"
    "tt0000002,3,2024-05-02,Salt Road,Salt Road,https://x,TV Mini Series,7.1,100,1998,Drama,10,1998-01-01,A B\n"
    'tt0000003,8,2024-05-02,"Pier, Part 1",Pier,https://x,TV Episode,7.1,100,1998,Drama,10,1998-01-01,A B\n'
    "tt0000004,x,2024-05-02,Grey Hours,Grey Hours,https://x,movie,7.1,100,2001,Drama,10,2001-01-01,A B\n"
)
UNTIL_2024 = (
    "Const,Your Rating,Date Rated,Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,"
    "Release Date,Directors\n"
    "tt0000001,9,2020-05-01,Night Ferry,https://x,movie,7.1,100,2010,Drama,10,2010-01-01,A B\n"
)
IN_2017 = UNTIL_2024.replace("Date Rated", "Date Added")
LIST = (
    "Position,Const,Created,Modified,Description,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),"
    "Year,Genres,Num Votes,Release Date,Directors,Your Rating,Date Rated\n"
    "1,tt0000001,2023-01-01,2023-01-01,,Night Ferry,Night Ferry,https://x,Movie,7,1,2010,D,1,2010-01-01,A,9,2023-02-01\n"
    "2,tt0000005,2023-01-01,2023-01-01,,Paper Boats,Paper Boats,https://x,Movie,7,1,2016,D,1,2016-01-01,A,,\n"
)
BEFORE_2017 = (
    '"position","const","created","modified","description","Title","Title type","Directors","You rated",'
    '"IMDb Rating","Runtime (mins)","Year","Genres","Num. Votes","Release Date (month/day/year)","URL"\n'
    '"1","tt0000001","Sat Dec 31 00:00:00 2016","","","Night Ferry","Feature Film","A B","9","7.1","100","2010",'
    '"drama","10","2010-01-01","http://x"\n'
)


@pytest.mark.parametrize("text", [TODAY, UNTIL_2024, IN_2017, LIST, BEFORE_2017])
def test_every_era_gives_the_same_film(text: str) -> None:
    found = read(plain(text, "3f2a-uuid.csv"))
    assert found.format == "imdb"
    assert by_key(found)["film:t:night ferry:2010"] == ("rating", 4.5)
    assert found.parsed[0].time is not None


def test_kinds_and_what_is_left_out() -> None:
    found = read(plain(TODAY))
    assert by_key(found)["series:t:salt road:1998"] == ("rating", 1.5)
    assert found.summary()["reasons"] == {
        "an episode: the file does not say of which series": 1,
        "rating not on its scale": 1,
    }


def test_a_watchlist_is_a_wish() -> None:
    assert by_key(read(plain(LIST)))["film:t:paper boats:2016"] == ("want", None)


def test_old_files_are_not_utf_8() -> None:
    found = read(plain(UNTIL_2024.replace("Night Ferry", "Père Noël").encode("cp1252")))
    assert list(by_key(found)) == ["film:t:pere noel:2010"]


def test_the_old_date() -> None:
    assert read(plain(BEFORE_2017)).parsed[0].time == 1483142400  # 2016-12-31
