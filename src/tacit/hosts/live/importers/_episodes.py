"""Films and series in a list of titles that does not tell them apart.

`Salt Road: Season 1: The Pier` is an episode, `Night Ferry: The Return` is a film. A title belongs to a series if it
names a season or an episode, or if several others begin alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set

ALIKE = 4
"""So many different titles with the same beginning are a series; three may be three films."""
_SEASON = re.compile(
    r":\s*(?:(?:season|series|staffel|saison|temporada|stagione|seizoen|part|parte|partie|teil|volume|vol\.|book|"
    r"chapter|kapitel|limited series|miniserie)\b)",
    re.IGNORECASE,
)
_EPISODE = re.compile(
    r"\((?:episode|folge|épisode|episodio)\s*\d+\)|:\s*(?:episode|folge|épisode|episodio)\s*\d+", re.I
)


def works(titles: Set[str]) -> dict[str, tuple[str, str]]:
    """(film or series, its own title) of each title."""
    beginnings = Counter(_beginning(title) for title in titles if ":" in title)
    return {title: _work(title, beginnings) for title in titles}


def _work(title: str, beginnings: Counter[str]) -> tuple[str, str]:
    season = _SEASON.search(title)
    if season and title.count(":") > 1:
        return "series", title[: season.start()].strip()
    if season and re.search(
        r"(?:season|staffel|saison|temporada|stagione|limited series)", season[0], re.IGNORECASE
    ):
        return "series", title[: season.start()].strip()
    if _EPISODE.search(title) or (":" in title and beginnings[_beginning(title)] >= ALIKE):
        return "series", _beginning(title)
    return "film", title


def _beginning(title: str) -> str:
    return title.partition(":")[0].strip()
