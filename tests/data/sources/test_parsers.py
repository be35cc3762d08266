"""Tiny archives in the publishers' own formats."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import polars as pl
import pytest

from tacit.data.sources import amazon, foursquare, gowalla, librarything, movielens, netflix, yahoo
from tacit.data.sources.archives import NotInArchive, member, unpacked


def zipped(folder: Path, name: str, **members: str | bytes) -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w") as archive:
        for member_name, content in members.items():
            archive.writestr(member_name.replace("__", "/").replace("_dot_", "."), content)
    return path


def tarred(folder: Path, name: str, member_name: str, content: bytes) -> Path:
    path = folder / name
    with tarfile.open(path, "w:gz") as archive:
        info = tarfile.TarInfo(member_name)
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
    return path


def test_movielens_100k(tmp_path: Path) -> None:
    flags = "|".join("1" if n in (3, 5) else "0" for n in range(19))
    item = f"7|Café, The (1995)|01-Jan-1995||http://x|{flags}\n8|unknown||||1{'|0' * 18}\n".encode("latin-1")
    archive = zipped(
        tmp_path, "ml-100k.zip", ml__u_dot_data="1\t7\t5\t874965758\n2\t8\t3\t3\n", ml__u_dot_item=item
    )
    rows, items = movielens.parse_100k(archive)
    assert rows.rows() == [(1, 7, 5.0, 874965758), (2, 8, 3.0, 3)]
    assert items is not None
    assert items.rows() == [
        (7, "Café, The (1995)", "Animation|Comedy", 1995),
        (8, "unknown", "unknown", None),
    ]


def test_movielens_100k_inside_recbole(tmp_path: Path) -> None:
    inter = "user_id:token\titem_id:token\trating:float\ttimestamp:float\n1\t7\t5\t10\n"
    item = 'item_id:token\ttitle\tyear\tclass\n7\tThe "Café"\t1995\tComedy Sci-Fi\n8\tx\tunknown\tWar\n'
    names = {"recbole__ml-100k_dot_inter": inter, "recbole__ml-100k_dot_item": item}
    rows, items = movielens.parse_100k(zipped(tmp_path, "recbole.whl", **names))
    assert rows.rows() == [(1, 7, 5.0, 10)]
    assert items is not None
    assert items.rows() == [(7, 'The "Café"', 1995, "Comedy|Sci-Fi"), (8, "x", None, "War")]


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8"])
def test_movielens_1m_and_10m(tmp_path: Path, encoding: str) -> None:
    movies = "7::Misérables, Les (1995)::Drama|Musical\n".encode(encoding)
    ratings = "1::7::4.5::978300760\n1::8::3::978300761\n"
    rows, items = movielens.parse_1m(
        zipped(tmp_path, "m.zip", m__ratings_dot_dat=ratings, m__movies_dot_dat=movies)
    )
    assert rows.rows() == [(1, 7, 4.5, 978300760), (1, 8, 3.0, 978300761)]
    assert items is not None
    assert items.rows() == [(7, "Misérables, Les (1995)", "Drama|Musical", 1995)]


def test_foursquare_new_york_as_archive_and_as_plain_file(tmp_path: Path) -> None:
    line = "470\t49bb\t4bf\tCafé\t40.7198\t-74.0025\t-240\tTue Apr 03 18:00:09 +0000 2012\n".encode("latin-1")
    plain = tmp_path / "dataset_TSMC2014_NYC.txt"
    plain.write_bytes(line)
    archive = zipped(tmp_path, "dataset_tsmc2014.zip", d__dataset_TSMC2014_NYC_dot_txt=line)
    for path in (plain, archive):
        rows = foursquare.parse_nyc(path).rows
        assert rows.rows() == [(470, "49bb", 1.0, 1333476009, 40.7198, -74.0025, "Café")]


def test_foursquare_countries_keep_the_latest_visit_and_active_users(tmp_path: Path) -> None:
    pois = "".join(f"v{n}\t45.{n}\t7.0\tBar\tIT\n" for n in range(20)) + "w\t1.0\t2.0\tBar\tCA\n"
    visit = "{}\t{}\tTue Apr 03 18:00:{:02d} +0000 2012\t60\n"
    visits = "".join(visit.format(1, f"v{n}", n) for n in range(20)) + visit.format(1, "v3", 59)
    visits += visit.format(1, "w", 0) + visit.format(2, "v1", 0)
    archive = zipped(
        tmp_path,
        "dataset_WWW2019.zip",
        d__raw_POIs_dot_txt=pois,
        d__dataset_WWW_Checkins_anonymized_dot_txt=visits,
    )
    rows = foursquare.country("IT")(archive).rows
    assert len(rows) == 20
    assert rows["user"].unique().to_list() == [1]
    assert rows.row(by_predicate=pl.col("item") == "v3")[3] == 1333476059
    assert len(foursquare.country("CA")(archive).rows) == 0


def test_gowalla_is_cut_to_new_york(tmp_path: Path) -> None:
    path = tmp_path / "loc-gowalla_totalCheckins.txt.gz"
    text = "0\t2010-10-19T23:55:27Z\t40.7\t-74.0\t22\n0\t2010-10-18T22:17:43Z\t30.2\t-97.7\t42\n"
    path.write_bytes(gzip.compress(text.encode()))
    assert gowalla.parse(path).rows.rows() == [(0, 22, 1.0, 1287532527, 40.7, -74.0)]


def test_amazon_keeps_users_with_twenty_ratings(tmp_path: Path) -> None:
    path = tmp_path / "ratings_Digital_Music.csv"
    path.write_text(
        "".join(f"A,B{n},4.0,{n}\n" for n in range(20)) + "".join(f"C,B{n},1.0,5\n" for n in range(19))
    )
    rows = amazon.parse(path).rows
    assert rows["user"].unique().to_list() == ["A"]
    assert rows.row(0) == ("A", "B0", 4.0, 0)


def test_librarything_reads_literals_and_runs_nothing(tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    good = [
        f"reviews[('{n}', 'ann')] = {{'unixtime': {n}, 'work': '{n}', 'stars': 4.5, 'user': 'ann'}}"
        for n in range(19)
    ]
    good += ["{'comment': \"it's {odd}\", 'work': '77', 'stars': 2, 'user': 'ann'}"]
    bad = [
        "",
        "reviews = {}",
        "{'work': '1', 'user': 'ann'}",
        f"{{'stars': open({str(trap)!r}, 'w'), 'user': 'ann'}}",
    ]
    content = "\n".join([*good, *bad]).encode()
    rows = librarything.parse(tarred(tmp_path, "lthing_data.tar.gz", "lthing_data/reviews.txt", content)).rows
    assert len(rows) == 20
    assert rows.row(1) == ("ann", "1", 4.5, 1)
    assert rows.row(19) == ("ann", "77", 2.0, None)
    assert not trap.exists()


def test_yahoo_r3_takes_the_training_file(tmp_path: Path) -> None:
    name = "r3/ydata-ymusic-rating-study-v1_0-train.txt"
    assert yahoo.parse(tarred(tmp_path, "Webscope_R3.tgz", name, b"1\t14\t5\n2\t15\t1\n")).rows.rows() == [
        (1, 14, 5.0),
        (2, 15, 1.0),
    ]


def test_netflix_blocks_become_rows(tmp_path: Path) -> None:
    blocks = "".join(f"{movie}:\n6,{movie % 5 + 1},2005-09-0{movie % 9 + 1}\n" for movie in range(1, 21))
    blocks += "21:\n7,3,2005-01-01\n"
    titles = "1,2003,Dinosaur Planet\n2,NULL,One, Two, Café\n".encode("latin-1")
    archive = zipped(tmp_path, "n.zip", combined_data_1_dot_txt=blocks, movie_titles_dot_csv=titles)
    rows, items = netflix.parse(archive)
    assert len(rows) == 20, "user 7 has one rating only"
    assert rows.row(0) == (6, 1, 2.0, 1125619200)
    assert items is not None
    assert items.rows() == [(1, "Dinosaur Planet", 2003), (2, "One, Two, Café", None)]
    plain = tmp_path / "combined_data_1.txt"
    plain.write_text(blocks)
    assert netflix.parse(plain).items is None


def test_netflix_users_are_drawn_until_they_have_more_than_so_many_ratings(tmp_path: Path) -> None:
    """Dymbe, section 4.2.3: "random users are selected until the total amount of their ratings are above"."""
    counts = {user: 20 + user % 7 for user in range(1, 61)}
    counts[61] = 19
    blocks = "".join(
        f"{movie}:\n" + "".join(f"{user},3,2005-09-01\n" for user, n in counts.items() if movie <= n)
        for movie in range(1, 27)
    )
    plain = tmp_path / "combined_data_1.txt"
    plain.write_text(blocks)
    draws = [netflix.parse(plain, ratings=500, seed=seed).rows for seed in (0, 0, 1)]
    assert draws[0].equals(draws[1])
    chosen = [set(rows["user"].to_list()) for rows in draws]
    assert chosen[0] != chosen[2]
    for rows in draws:
        kept = dict(rows.group_by("user").len().iter_rows())
        assert kept == {user: counts[user] for user in kept}, "whole users"
        assert 61 not in kept, "too few ratings"
        assert 500 < len(rows) <= 500 + max(kept.values())
    assert len(netflix.parse(plain).rows) == sum(counts.values()) - 19


def test_a_member_that_is_not_there_is_named(tmp_path: Path) -> None:
    archive = zipped(tmp_path, "ml-1m.zip", readme="x")
    with (
        pytest.raises(NotInArchive, match=r"ml-1m\.zip has no file ratings\.dat"),
        member(archive, "ratings.dat"),
    ):
        pass
    packed = tarred(tmp_path, "a.tar.gz", "x/readme", b"hello")
    with unpacked(packed, "nothing", "read*") as path:
        assert path.read_bytes() == b"hello"
