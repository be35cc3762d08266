from __future__ import annotations

from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.node.import_ratings import read_file
from tacit.node.importers.movielens import split_title
from tests.node.importers.exports import by_key, plain, read, zipped

OWN = (
    "movie_id,imdb_id,tmdb_id,rating,average_rating,title\n"
    '1,0000001,11,4.5,3.9,"Night Ferry, The (Bac de nuit, Le) (2010)"\n'
    "2,0000002,12,0.5,3.1,Salt Road (1998)\n"
    "3,0000003,13,7,3.1,Grey Hours (2001)\n"
)
RATINGS = "userId,movieId,rating,timestamp\n1,1,4.5,964982703\n1,9,3.0,964982703\n2,2,2.0,964982999\n"
MOVIES = 'movieId,title,genres\n1,"Night Ferry, The (2010)",Drama\n2,Salt Road (1998),Drama|War\n'


def test_the_sites_own_export() -> None:
    found = read(plain(OWN, "movielens-ratings.csv"))
    assert found.format == "movielens"
    assert by_key(found) == {
        "film:t:night ferry:2010": ("rating", 4.5),
        "film:t:salt road:1998": ("rating", 0.5),
    }
    assert found.summary()["reasons"] == {"rating not on its scale": 1}
    assert found.parsed[0].title == "The Night Ferry (2010)"


def test_research_files_hold_many_people() -> None:
    export = zipped({"ml-small/ratings.csv": RATINGS, "ml-small/movies.csv": MOVIES})
    with pytest.raises(BadInput, match="2 people"):
        read(export)
    one = read(export, "profile=1")
    assert by_key(one) == {"film:t:night ferry:2010": ("rating", 4.5)}
    assert one.summary()["reasons"] == {"a film that movies.csv does not list": 1}
    assert one.parsed[0].user == ""
    everybody = read(export, cluster=True)
    assert [(row.user, row.key) for row in everybody.parsed] == [
        ("1", "film:t:night ferry:2010"),
        ("2", "film:t:salt road:1998"),
    ]


def test_research_files_side_by_side(tmp_path: Path) -> None:
    ratings = tmp_path / "ratings.csv"
    ratings.write_text(RATINGS.replace("2,2,", "1,2,"))
    with pytest.raises(BadInput, match=r"movies\.csv"):
        read_file(ratings)
    (tmp_path / "movies.csv").write_text(MOVIES)
    assert len(read_file(ratings).parsed) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Night Ferry (2010)", ("Night Ferry", 2010)),
        ("Night Ferry (a.k.a. The Boat) (Bac, Le) (2010)", ("Night Ferry", 2010)),
        ("Salt Road (1998-2001)", ("Salt Road", 1998)),
        ("Pier: Or (The Long Way) (2014)", ("Pier: Or (The Long Way)", 2014)),
        ("(500) Boats (2009)", ("(500) Boats", 2009)),
        ("2046", ("2046", None)),
    ],
)
def test_titles(text: str, expected: tuple[str, int | None]) -> None:
    assert split_title(text) == expected
