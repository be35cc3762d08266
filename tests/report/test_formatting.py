import math

import pytest

from tacit.report.formatting import (
    amount,
    by_interest,
    compact,
    duration,
    headline,
    in_words,
    listing,
    number,
)


@pytest.mark.parametrize(
    ("value", "written"),
    [(0, "0"), (0.01234, "0.0123"), (1.234, "1.23"), (12.34, "12.3"), (1234.5, "1,234"), (48.0, "48")],
)
def test_amounts_have_three_figures_that_count(value: float, written: str) -> None:
    assert amount(value) == written


@pytest.mark.parametrize("nothing", [None, math.nan, math.inf])
def test_what_is_no_number_is_a_dash(nothing: float | None) -> None:
    assert number(nothing) == amount(nothing) == compact(nothing) == "\u2013"


def test_compact_counts() -> None:
    assert [compact(n) for n in (0, 950, 28_340, 1_200_000)] == ["0", "950", "28.3k", "1.20M"]


def test_durations() -> None:
    assert [duration(s) for s in (0.42, 12.34, 245, 7800)] == [
        "0.420 s",
        "12.3 s",
        "4 min 05 s",
        "2 h 10 min",
    ]


def test_metrics_are_ordered_by_what_readers_ask_first() -> None:
    measured = ["evenness@10", "hr@5", "hr@20", "hr@10", "mae", "rmse", "ndcg@20", "my_own"]
    assert by_interest(measured) == [
        "rmse",
        "ndcg@20",
        "hr@5",
        "hr@10",
        "hr@20",
        "mae",
        "evenness@10",
        "my_own",
    ]
    assert headline(measured, 3) == ["rmse", "ndcg@20", "hr@10"]


def test_metrics_in_words_and_unknown_ones_as_they_are() -> None:
    assert in_words("ndcg@10") == "ranking quality in the top 10 (NDCG@10)"
    assert in_words("my_own") == "my_own"


def test_listing() -> None:
    assert [listing("a"), listing("ab"), listing("abc")] == ["a", "a and b", "a, b and c"]
