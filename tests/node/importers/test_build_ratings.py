from __future__ import annotations

import pytest

from tacit.node.importers.base import ParsedRating, Report
from tacit.node.importers.build_ratings import merge_duplicates


def one(*rows: ParsedRating) -> ParsedRating:
    merged = merge_duplicates(rows, Report())
    assert len(merged) == 1
    return merged[0]


@pytest.mark.parametrize("weaker", ["want", "seen", "dropped", "disliked", "liked"])
def test_a_rating_says_more_than_anything_else(weaker: str) -> None:
    rating, other = ParsedRating("csv:1", "One", "rating", 4, 5), ParsedRating("csv:1", "", weaker)
    assert one(rating, other) == one(other, rating) == rating


def test_the_latest_of_two_ratings_counts_else_the_last() -> None:
    old, new = (
        ParsedRating("csv:1", "", "rating", 2, 5, time=100),
        ParsedRating("csv:1", "", "rating", 4, 5, time=200),
    )
    assert one(old, new) == one(new, old) == new
    unknown = ParsedRating("csv:1", "", "rating", 5, 5)
    assert one(unknown, ParsedRating("csv:1", "", "rating", 1, 5)).value == 1
    assert one(old, unknown) == old


def test_plays_add_up_and_three_are_needed() -> None:
    plays = [ParsedRating("artist:t:x", "X", "seen", time=t, exact=True) for t in (3, 1, 2)]
    assert one(*plays) == ParsedRating("artist:t:x", "X", "seen", 3, time=3, exact=True)
    report = Report()
    assert merge_duplicates(plays[:2], report) == []
    assert report.counts == {"played fewer than 3 times": 1}


def test_people_of_a_cluster_stay_apart() -> None:
    assert (
        len(
            merge_duplicates(
                [ParsedRating("csv:1", "", "seen", user="a"), ParsedRating("csv:1", "", "seen", user="b")],
                Report(),
            )
        )
        == 2
    )


@pytest.mark.parametrize(("count", "known"), [(4, True), (5, False)])
def test_a_second_that_many_share_is_no_time(count: int, known: bool) -> None:
    rows = merge_duplicates(
        [ParsedRating(f"csv:{i}", "", "seen", time=1000, exact=True) for i in range(count)], Report()
    )
    assert all((row.time == 1000) == known for row in rows)


@pytest.mark.parametrize(("count", "known"), [(49, True), (50, False)])
def test_a_day_that_many_share_is_no_time(count: int, known: bool) -> None:
    rows = merge_duplicates(
        [ParsedRating(f"csv:{i}", "", "seen", time=86400) for i in range(count)], Report()
    )
    assert all((row.time == 86400) == known for row in rows)
