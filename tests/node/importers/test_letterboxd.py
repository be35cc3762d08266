from __future__ import annotations

from tests.node.importers.exports import by_key, plain, read, zipped

HEAD = "Date,Name,Year,Letterboxd URI"
ZIP: dict[str, str | bytes] = {
    "profile.csv": "Date Joined,Username\n2020-01-01,ana\n",
    "ratings.csv": f"{HEAD},Rating\n2021-03-04,Night Ferry,2010,https://boxd.it/a,4.5\n"
    "2021-03-05,The Salt Road,1998,https://boxd.it/b,5\n2021-03-05,Grey Hours,2001,https://boxd.it/c,9\n",
    "watched.csv": f"{HEAD}\n2021-03-04,Night Ferry,2010,https://boxd.it/a\n"
    "2021-03-04,Paper Boats,2016,https://boxd.it/d\n2021-03-04,,2016,https://boxd.it/e\n",
    "watchlist.csv": f"{HEAD}\n2021-03-04,Winter Signal,2011,https://boxd.it/f\n",
    "likes/films.csv": f"{HEAD}\n2021-03-04,Harbour Lights,1998,https://boxd.it/g\n"
    "2021-03-04,Night Ferry,2010,https://boxd.it/a\n",
    "diary.csv": f"{HEAD},Rating,Rewatch,Tags,Watched Date\n"
    "2021-03-06,Blue Orchard,1989,https://boxd.it/xyz,3,Yes,,2019-12-24\n"
    "2021-03-06,Quiet Pier,1990,https://boxd.it/xyw,,,,2019-12-25\n",
    "reviews.csv": f"{HEAD},Rating,Rewatch,Review,Tags,Watched Date\n"
    '2021-03-06,Blue Orchard,1989,https://boxd.it/xyz,3,Yes,"long\nand, secret",,2019-12-24\n',
    "lists/best.csv": "Letterboxd list export v7\nDate,Name,Tags,URL,Description\n",
    "deleted/diary.csv": f"{HEAD},Rating,Rewatch,Tags,Watched Date\n2021-03-06,Regret,1989,https://boxd.it/q,1,,,\n",
    "orphaned/diary.csv": f"{HEAD},Rating,Rewatch,Tags,Watched Date\n2021-03-06,Orphan,1989,https://boxd.it/q,1,,,\n",
}


def test_the_whole_zip_is_put_together_film_by_film() -> None:
    found = read(zipped(ZIP))
    assert found.format == "letterboxd"
    assert by_key(found) == {
        "film:t:night ferry:2010": ("rating", 4.5),
        "film:t:salt road:1998": ("rating", 5.0),
        "film:t:paper boats:2016": ("seen", None),
        "film:t:winter signal:2011": ("want", None),
        "film:t:harbour lights:1998": ("liked", None),
        "film:t:blue orchard:1989": ("rating", 3.0),
        "film:t:quiet pier:1990": ("seen", None),
    }
    assert found.summary() == {
        "imported": 7,
        "skipped": 2,
        "reasons": {"rating not on its scale": 1, "no title": 1},
    }
    assert found.preview()["lines"] == {"rating not on its scale": [4], "no title": [4]}


def test_days_are_those_of_watching() -> None:
    times = {row.key: row.time for row in read(zipped(ZIP)).parsed}
    assert times["film:t:blue orchard:1989"] == 1577145600  # 2019-12-24
    assert times["film:t:paper boats:2016"] is None  # watched.csv only knows when it was entered


def test_one_file_of_it_is_enough() -> None:
    found = read(plain(str(ZIP["ratings.csv"]), "ratings.csv"))
    assert found.format == "letterboxd"
    assert len(found.parsed) == 2
    likes = read(plain(str(ZIP["likes/films.csv"]), "films.csv"))
    assert {row.signal for row in likes.parsed} == {"liked"}


def test_titles_as_people_read_them() -> None:
    titles = [row.title for row in read(zipped(ZIP)).parsed]
    assert "The Salt Road (1998)" in titles
