from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacit.core.errors import BadInput
from tacit.node import first_setup
from tacit.node.import_ratings import KEPT, NothingUsable, formats, match_known_items, read_export, recognize
from tacit.node.importers.archive import Line, open_export
from tacit.node.importers.base import Options, ParsedRating, Report
from tacit.node.service import Service
from tests.node.importers import (
    test_goodreads,
    test_imdb,
    test_lastfm,
    test_letterboxd,
    test_netflix,
    test_storygraph,
    test_trakt,
)
from tests.node.importers.exports import plain, read, zip_bytes, zipped

SAMPLES = [
    zip_bytes(test_letterboxd.ZIP),
    zip_bytes(test_trakt.NEW),
    test_imdb.TODAY.encode(),
    test_goodreads.export(test_goodreads.COLUMNS).encode(),
    test_storygraph.TODAY.encode(),
    test_netflix.HISTORY.encode(),
    test_netflix.ACTIVITY.encode(),
    test_lastfm.HEAD.encode(),
    b"item,title,rating\n7,Night Ferry,4\n",
]


def test_there_is_an_importer_for_every_promised_format() -> None:
    promised = "csv goodreads imdb lastfm letterboxd listenbrainz movielens netflix storygraph trakt"
    assert sorted(formats()) == promised.split()
    assert all(importer.title and importer.hint for importer in formats().values())


def test_the_wrong_format_is_refused_with_the_right_one() -> None:
    with pytest.raises(BadInput, match=r"no goodreads export.*looks like imdb"):
        read_export(plain(test_imdb.TODAY), "goodreads")
    with pytest.raises(BadInput, match="known: "):
        read_export(plain("item\n1\n"), "letterbox")


def test_a_csv_that_looks_like_a_service_s_export_is_read_as_that() -> None:
    """As any csv, an IMDb file would lose its ratings: all of it would count as seen."""
    found, right = read_export(plain(test_imdb.TODAY), "csv"), read_export(plain(test_imdb.TODAY))
    assert found.format == right.format == "imdb"
    assert found.parsed == right.parsed
    assert "rating" in {rating.signal for rating in found.parsed}
    for text in (test_goodreads.export(test_goodreads.COLUMNS), test_storygraph.TODAY, test_netflix.HISTORY):
        assert read_export(plain(text), "csv").format == recognize(plain(text)) != "csv"


def test_csv_stays_csv_where_it_is_one_or_columns_are_named() -> None:
    assert read_export(plain("item,title,date\n7,Night Ferry,2020-01-01\n"), "csv").format == "csv"
    assert read_export(plain("title,rating\nNight Ferry (2010),4\n"), "csv").format == "csv"
    mapped = Options.parse(["title=title,rating=imdb rating"])
    assert read_export(plain(test_imdb.TODAY), "csv", mapped).format == "csv"


@pytest.mark.parametrize(
    "text", ["%PDF-1.4 ...", "<html><body>My Activity</body></html>", "{}", "a,b\n1,2\n"]
)
def test_an_unknown_file_is_refused(text: str) -> None:
    assert recognize(plain(text)) is None
    with pytest.raises(BadInput, match="not an export that tacit knows"):
        read(plain(text))


def test_importing_again_changes_nothing(tmp_path: Path) -> None:
    first_setup.create(tmp_path / "home")
    service = Service(tmp_path / "home")
    found = read(zipped(test_letterboxd.ZIP))
    assert service.add(found.ratings()) == 7
    before = service.ratings()
    assert service.add(read(zipped(test_letterboxd.ZIP)).ratings()) == 0
    assert service.ratings() == before
    service.close()


FILES = {
    "ratings.csv": "Date,Name,Year,Letterboxd URI,Rating\n2021-03-05,Night Ferry,2010,https://boxd.it/a,4.5\n",
    "watched.csv": "Date,Name,Year,Letterboxd URI\n2022-03-05,Night Ferry,2010,https://boxd.it/a\n",
    "watchlist.csv": "Date,Name,Year,Letterboxd URI\n2023-03-05,Night Ferry,2010,https://boxd.it/a\n",
}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    first_setup.create(tmp_path / "home")
    service = Service(tmp_path / "home")
    yield service
    service.close()


@pytest.mark.parametrize("order", list(permutations(FILES)))
def test_stars_stay_in_whatever_order_files_come(service: Service, order: tuple[str, ...]) -> None:
    for name in order:
        found = read(plain(FILES[name], name))
        beside = found.beside(service.ratings())
        service.add(found.ratings())  # the store looks for itself, too
        if "ratings.csv" in order[: order.index(name)]:
            assert beside.summary() == {"imported": 0, "skipped": 1, "reasons": {KEPT: 1}}
            assert found.summary()["imported"] == 1, "what was read is still what was read"
    (kept,) = service.ratings()
    assert (kept.signal, kept.value, kept.time) == ("rating", 4.5, 1614902400)


def imdb(day: str, stars: int) -> str:
    return f"Const,Your Rating,Date Rated,Title,Title Type,Year\ntt1,{stars},{day},Night Ferry,Movie,2010\n"


@pytest.mark.parametrize(
    ("day", "stars", "source"),
    [("2020-01-01", 4.5, "letterboxd"), ("2022-01-01", 1.0, "imdb"), ("", 4.5, "letterboxd")],
    ids=["older", "later", "without a date"],
)
def test_of_two_services_the_later_rating_counts(
    service: Service, day: str, stars: float, source: str
) -> None:
    service.add(read(plain(FILES["ratings.csv"], "ratings.csv")).ratings())
    changed = service.add(read(plain(imdb(day, 2))).ratings())
    assert [(r.value, r.source) for r in service.ratings()] == [(stars, source)]
    assert changed == (source == "imdb")


def test_an_older_import_does_not_replace_what_was_said_by_hand(service: Service) -> None:
    service.rate("film:t:night ferry:2010", 2.0)
    service.add(read(plain(FILES["ratings.csv"], "ratings.csv")).ratings())
    assert [(r.value, r.source) for r in service.ratings()] == [(2.0, "here")]
    service.say("film:t:night ferry:2010", "seen")
    assert [r.signal for r in service.ratings()] == ["seen"], "by hand the last word counts"


def test_ratings_are_on_the_scale_of_the_store() -> None:
    ratings = {r.key: r for r in read(zipped(test_letterboxd.ZIP)).ratings()}
    assert ratings["film:t:night ferry:2010"].value == 4.5
    assert ratings["film:t:night ferry:2010"].source == "letterboxd"
    assert ratings["film:t:harbour lights:1998"].value is None
    low = read(plain("item,rating\n1,0.5\n2,5\n")).ratings()
    assert [r.value for r in low] == [1.0, 5.0]


def test_a_preview_tells_counts_and_days_but_no_title() -> None:
    preview = read(zipped(test_letterboxd.ZIP)).preview()
    assert preview["kinds"] == {"film": 7}
    assert preview["signals"] == {"rating": 3, "liked": 1, "seen": 2, "want": 1}
    assert preview["from"] == 1577145600
    assert "Ferry" not in repr(preview)


def row(key: str) -> ParsedRating:
    return ParsedRating(key, "", "seen")


@pytest.mark.parametrize(
    ("key", "known", "matched"),
    [
        ("film:t:night ferry:-", ["film:t:night ferry:2010"], "film:t:night ferry:2010"),
        (
            "film:t:night ferry:-",
            ["film:t:night ferry:2010", "film:t:night ferry:1950"],
            "film:t:night ferry:-",
        ),
        ("film:t:night ferry:-", ["series:t:night ferry:2010"], "film:t:night ferry:-"),
        ("film:t:night ferry:2011", ["film:t:night ferry:2010"], "film:t:night ferry:2010"),
        ("film:t:night ferry:2012", ["film:t:night ferry:2010"], "film:t:night ferry:2012"),
        (
            "film:t:night ferry:2011",
            ["film:t:night ferry:2010", "film:t:night ferry:2012"],
            "film:t:night ferry:2011",
        ),
        (
            "film:t:night ferry:2011",
            ["film:t:night ferry:2010", "film:t:night ferry:2011"],
            "film:t:night ferry:2011",
        ),
        ("csv:7", ["csv:8"], "csv:7"),
    ],
)
def test_years_are_settled_only_where_there_is_one_answer(key: str, known: list[str], matched: str) -> None:
    assert [r.key for r in match_known_items([row(key)], known)] == [matched]


@pytest.mark.parametrize(
    ("known", "key"),
    [
        ([], "film:t:nuovo cinema aurora:1988"),
        (["film:t:cinema aurora:1988"], "film:t:cinema aurora:1988"),
        (["film:t:cinema aurora:1989"], "film:t:cinema aurora:1989"),
        (["film:t:nuovo cinema aurora:1988", "film:t:cinema aurora:1988"], "film:t:nuovo cinema aurora:1988"),
    ],
)
def test_whichever_title_of_imdb_is_known_here_counts(known: list[str], key: str) -> None:
    text = "Const,Your Rating,Title,Original Title,Title Type,Year\n"
    text += "tt1,9,Cinema Aurora,Nuovo Cinema Aurora,Movie,1988\n"
    (found,) = read_export(plain(text), known=known).parsed
    assert found.key == key


def test_two_spellings_of_one_film_become_one() -> None:
    rows = match_known_items(
        [row("film:t:night ferry:2010"), row("film:t:night ferry:2011")], ["film:t:night ferry:2010"]
    )
    assert [r.key for r in rows] == ["film:t:night ferry:2010"]


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(SAMPLES), st.data())
def test_a_damaged_export_gives_rows_or_one_line(sample: bytes, data: st.DataObject) -> None:
    damaged = bytearray(sample)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        how = data.draw(st.sampled_from(["cut", "flip", "insert", "drop"]))
        if how == "cut":
            del damaged[place + 1 :]
        elif how == "flip":
            damaged[place] ^= data.draw(st.integers(1, 255))
        elif how == "insert":
            damaged[place:place] = data.draw(st.binary(min_size=1, max_size=8))
        elif len(damaged) > 1:
            del damaged[place]
    _reads_or_refuses(bytes(damaged))


@settings(max_examples=200)
@given(st.binary(min_size=1, max_size=300))
def test_any_bytes_give_rows_or_one_line(data: bytes) -> None:
    _reads_or_refuses(data)


def _reads_or_refuses(data: bytes) -> None:
    for name in [None, *formats()]:
        try:
            found = read_export(open_export(data, "export"), name)
            assert found.parsed
            assert found.ratings()
            said = repr(found.preview())
        except BadInput as error:
            said = str(error)
        assert "\n" not in said
        assert not any(title in said for title in ("Ferry", "Salt", "Paper", "Orchard"))


def test_reasons_keep_only_the_first_lines() -> None:
    report = Report()
    for line in range(1, 100):
        report.skip("no title", Line.of(line, "x.csv", "?"))
    assert report.counts == {"no title": 99}
    assert report.lines == {"no title": list(range(1, 21))}


SKIPPING = [
    (zip_bytes(test_letterboxd.ZIP), ()),
    (test_netflix.ACTIVITY.encode(), ("profile=Ana",)),
    (test_lastfm.HEAD.encode() + b"1,2021,Blue Orchard,,,,,\n2,2021,,,,,,\n" * 3 + b"9,2021,Once,,,,,\n", ()),
    (b"item,title,rating\n7,Night Ferry,4\n8,Salt Road,11\n,,3\n9,Grey Hours,x\n", ("scale=5",)),
    (b'[{"rating": 7, "movie": {"title": "Night Ferry", "year": 2010}}, {"rating": 3}, 5, '
     b'{"rating": 11, "movie": {"title": "Salt Road"}}]', ()),
]  # fmt: skip


@pytest.mark.parametrize(("data", "maps"), SKIPPING)
def test_every_row_that_is_left_out_is_there_to_look_at_as_it_was(data: bytes, maps: tuple[str, ...]) -> None:
    name = "ratings-movies.json" if data.startswith(b"[") else "export.csv"
    export = open_export(data, name)
    found = read_export(export, options=Options.parse(list(maps)))
    skipped = found.report.skipped
    assert skipped
    assert Counter(one.reason for one in skipped) == found.report.counts
    for one in skipped:
        if one.line:
            text = export.text(one.file)
            assert one.text in text
            if not name.endswith("json"):
                assert text.splitlines()[one.line - 1] == one.text.splitlines()[0]
        else:
            assert one.text, "what has no line has a name"


def test_a_file_without_anything_usable_still_tells_what_it_held() -> None:
    with pytest.raises(NothingUsable) as told:
        read_export(plain("item,title,rating\n,,3\n7,Night Ferry,many\n"))
    assert [(one.line, one.text) for one in told.value.report.skipped] == [
        (2, ",,3"),
        (3, "7,Night Ferry,many"),
    ]
