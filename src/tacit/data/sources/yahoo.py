"""Yahoo! R3, "Ratings for user selected and randomly selected songs": tab-separated user, song, rating."""

from __future__ import annotations

from pathlib import Path

from tacit.data.sources.archives import Parsed, columns, member, numbers


def parse(archive: Path) -> Parsed:
    """The ratings users gave of their own accord (the training file); random songs are another set."""
    with member(archive, "ydata-ymusic-rating-study*train.txt", "*train*.txt") as file:
        return Parsed(numbers(columns(file.read(), ["user", "item", "rating"])))
