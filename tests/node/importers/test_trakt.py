from __future__ import annotations

import json

import pytest

from tacit.core.errors import BadInput
from tests.node.importers.exports import by_key, read, zipped


def movie(title: str, year: int | None) -> dict[str, object]:
    return {"title": title, "year": year, "ids": {"trakt": 1, "slug": "x", "imdb": None, "tmdb": 3}}


RATED = json.dumps(
    [
        {
            "rated_at": "2024-02-01T00:00:00.000Z",
            "rating": 9,
            "type": "movie",
            "movie": movie("Night Ferry", 2010),
        },
        {
            "rated_at": "2024-02-01T00:00:00.000Z",
            "rating": 11,
            "type": "movie",
            "movie": movie("Grey Hours", 2001),
        },
        {"rated_at": 7, "rating": [], "type": "movie", "movie": "what"},
        {"rated_at": "2024-02-01T00:00:00.000Z", "rating": 9, "type": "person"},
    ]
)
HISTORY = json.dumps(
    [
        {"id": 1, "watched_at": "2024-03-01T20:00:00.000Z", "action": "scrobble", "type": "episode",
         "episode": {"title": "The Pier", "season": 1, "number": 1}, "show": movie("Salt Road", 1998)},
        {"id": 2, "watched_at": "2024-03-02T20:00:00.000Z", "action": "scrobble", "type": "episode",
         "episode": {"title": "The Tide", "season": 1, "number": 2}, "show": movie("Salt Road", 1998)},
        {"id": 3, "watched_at": "2024-03-02T22:00:00.000Z", "action": "watch", "type": "movie",
         "movie": movie("Paper Boats", 2016)},
    ]
)  # fmt: skip
EPISODES = json.dumps(
    [{"rated_at": "2024-02-01T00:00:00.000Z", "rating": 1, "type": "episode",
      "episode": {"title": "x"}, "show": movie("Salt Road", 1998)}]
)  # fmt: skip
WATCHLIST = json.dumps(
    [{"listed_at": "2024-02-01T00:00:00.000Z", "type": "movie", "movie": movie("Later", 2020)}]
)
OLD: dict[str, str | bytes] = {
    "ana/ratings/ratings-movies.json": RATED,
    "ana/ratings/ratings-episodes.json": EPISODES,
    "ana/watched/history-1.json": HISTORY,
    "ana/lists/watchlist.json": WATCHLIST,
    "ana/user/profile.json": "{}",
}
NEW: dict[str, str | bytes] = {
    "ratings-movies.json": RATED,
    "ratings-episodes.json": EPISODES,
    "watched-history-1.json": HISTORY,
    "lists-watchlist.json": WATCHLIST,
    "user-profile.json": "{}",
}


@pytest.mark.parametrize("layout", [OLD, NEW], ids=["old", "new"])
def test_both_layouts(layout: dict[str, str | bytes]) -> None:
    found = read(zipped(layout))
    assert found.format == "trakt"
    assert by_key(found) == {
        "film:t:night ferry:2010": ("rating", 4.5),
        "series:t:salt road:1998": ("seen", None),
        "film:t:paper boats:2016": ("seen", None),
        "film:t:later:2020": ("want", None),
    }
    assert found.summary()["reasons"] == {
        "rating not on its scale": 1,
        "an entry that cannot be read": 1,
        "neither a film nor a series": 1,
    }


@pytest.mark.parametrize("text", ["{}", "[", "nothing", "[" * 100_000])
def test_a_damaged_file_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"ratings-movies\.json is damaged"):
        read(zipped({"ratings-movies.json": text}))
