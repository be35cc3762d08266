from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tacit.core.errors import BadInput
from tacit.node.import_ratings import read_export
from tacit.node.importers.base import Options
from tests.node.importers.exports import by_key, plain, read, zipped

HISTORY = (
    "Title,Date\n"
    '"Salt Road: Season 1: The Pier","9/14/25"\n'
    '"Salt Road: Season 1: The Tide","9/13/25"\n'
    '"Night Ferry: The Return","8/2/25"\n'
    '" : Episode 10","8/1/25"\n'
)
ACTIVITY = (
    "Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,Device Type,Bookmark,Latest Bookmark,"
    "Country\n"
    "Ana,2024-01-02 20:00:00,01:30:00,,Night Ferry,,TV,01:30:00,01:30:00,NO\n"
    "Ana,2024-01-03 20:00:00,00:03:00,,Paper Boats,,TV,00:03:00,00:03:00,NO\n"
    "Ana,2024-01-04 20:00:00,00:03:00,,Paper Boats,,TV,00:06:00,00:06:00,NO\n"
    "Ana,2024-01-05 20:00:00,00:01:00,,Grey Hours,,TV,00:01:00,00:01:00,NO\n"
    "Ana,2024-01-05 20:10:00,00:10:00,,Winter Signal,TRAILER,TV,00:01:00,00:01:00,NO\n"
    "Ben,2024-01-05 20:00:00,00:50:00,,Harbour Lights,,TV,00:01:00,00:01:00,NO\n"
)
RATINGS = (
    "Profile Name,Title Name,Rating Type,Star Value,Thumbs Value,Device Model,Event Utc Ts,Region View Date\n"
    "Ana,Night Ferry,star,4,,TV,2015-01-01 10:00:00,2015-01-01\n"
    "Ana,Salt Road,thumb,,2,TV,2020-01-01 10:00:00,2020-01-01\n"
    "Ana,Grey Hours,thumb,,1,TV,2020-01-01 10:00:00,2020-01-01\n"
)


def test_the_short_history() -> None:
    found = read(plain(HISTORY, "NetflixViewingHistory.csv"))
    assert found.format == "netflix"
    assert by_key(found) == {
        "series:t:salt road:-": ("seen", None),
        "film:t:night ferry the return:-": ("seen", None),
    }
    assert found.summary()["reasons"] == {"no title": 1}
    assert found.parsed[0].value == 2
    assert found.preview()["without_year"] == 2


@pytest.mark.parametrize(
    ("dates", "first"),
    [
        (["9/14/25", "8/2/25"], date(2025, 9, 14)),
        (["24.01.23", "23.01.23"], date(2023, 1, 24)),
        (["2021-12-15", "2021-12-14"], date(2021, 12, 15)),
        (["14-07-2021", "01-07-2021"], date(2021, 7, 14)),
        (["12/04/2022", "11/05/2021"], None),
    ],
)
def test_dates_as_accounts_write_them(dates: list[str], first: date | None) -> None:
    export = plain("Title,Date\n" + "".join(f"Night Ferry {i},{d}\n" for i, d in enumerate(dates)), "h.csv")
    options = Options(today=date(2026, 1, 1))
    if first is None:
        with pytest.raises(BadInput, match=r"two ways.*dates=d/m"):
            read_export(export, "netflix", options)
    else:
        time = read_export(export, "netflix", options).parsed[0].time
        assert time is not None
        assert datetime.fromtimestamp(time, UTC).date() == first


def test_a_person_can_say_how_dates_are_written() -> None:
    export = plain("Title,Date\nNight Ferry,12/04/2022\n", "NetflixViewingHistory.csv")
    assert read(export, "dates=d/m").parsed[0].time == 1649721600  # 12 April
    assert read(export, "dates=m/d").parsed[0].time == 1670112000  # 4 December


def test_the_data_request_is_about_a_household() -> None:
    export = zipped({"CONTENT_INTERACTION/ViewingActivity.csv": ACTIVITY})
    with pytest.raises(BadInput, match="2 people: Ana, Ben"):
        read(export)
    found = read(export, "profile=Ana")
    assert list(by_key(found)) == ["film:t:night ferry:-", "film:t:paper boats:-"]
    assert found.summary()["reasons"] == {"a trailer or preview": 1, "watched for less than five minutes": 1}
    with pytest.raises(BadInput, match="no rows of this profile"):
        read(export, "profile=Cleo")


def test_stars_count_and_thumbs_only_when_explained() -> None:
    export = plain(RATINGS, "Ratings.csv")
    found = read(export)
    assert by_key(found) == {"film:t:night ferry:-": ("rating", 4.0)}
    assert found.summary()["skipped"] == 2
    explained = read(export, "liked=2,disliked=1")
    assert by_key(explained)["film:t:salt road:-"] == ("liked", None)
    assert by_key(explained)["film:t:grey hours:-"] == ("disliked", None)
