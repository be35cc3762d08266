from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.experiment.result import Cost, Result
from tacit.papers import base
from tacit.papers.base import (
    NOT_AT_HAND,
    Claim,
    Fact,
    Finding,
    Outcomes,
    Row,
    Wanted,
    kind_of,
    measured,
    missing,
    stated,
    verdict,
)


def run_with(value: float | None) -> Result:
    metrics = {} if value is None else {"rmse": value}
    return Result("a/b", 0, {}, {}, {}, metrics, [], Cost(), pl.DataFrame())


WANTED = Wanted("a/b", "synthetic")


@pytest.mark.parametrize(
    ("cases", "word"),
    [
        ([], "not checked"),
        ([True, True], "holds"),
        ([True], "holds"),
        ([False], "does not hold"),
        ([True] * 9 + [False] * 7, "holds in 9 of 16"),
        ([True] * 8 + [False] * 8, "does not hold (8 of 16)"),
        ([True] + [False] * 15, "does not hold (1 of 16)"),
        ([False, False], "does not hold (0 of 2)"),
    ],
)
def test_verdict(cases: list[bool], word: str) -> None:
    assert verdict(cases) == word


@given(st.lists(st.booleans(), min_size=1))
def test_a_verdict_says_holds_for_a_majority_and_nothing_else(cases: list[bool]) -> None:
    words = verdict(cases)
    assert words.startswith("holds") == (2 * sum(cases) > len(cases))
    assert kind_of(words) in ("holds", "holds in most cases", "does not hold")
    if words not in ("holds", "does not hold"):
        assert f"{sum(cases)} of {len(cases)}" in words


def test_a_line_that_needs_no_run() -> None:
    told = stated(Fact("p", "users", "users", 943.0, 943.0))
    assert (told["verdict"], told["difference"], told["tolerance"]) == ("agrees", 0, 0.1)
    assert stated(Fact("p", "users", "users", 1554.0, 718.0))["verdict"] == "differs"
    assert stated(Fact("p", "users", "users", None, 718.0))["verdict"] == NOT_AT_HAND
    assert stated(Fact("p", "users", "users", 3.0))["verdict"] is None


def test_what_a_run_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing(Wanted("a/b", "nowhere", optional=True, gigabytes=42)) == NOT_AT_HAND
    assert missing(Wanted("a/b", "nowhere", needs="no_such_package")) == "needs no_such_package"
    monkeypatch.setattr(base, "at_hand", lambda name: True)
    assert missing(Wanted("a/b", "large", optional=True, gigabytes=42)) == "needs 42 GB of memory"


def test_runs_that_are_too_short_give_numbers_and_no_verdict() -> None:
    found = Finding("holds", "2.47 times BPR-MF", {"ratio": 2.47})
    slow = Claim("C", "text", "section 1", "measure", (), lambda o: found)
    assert slow.judge(Outcomes(False, {})) == found
    told = slow.judge(Outcomes(True, {}))
    assert (told.verdict, told.numbers) == ("not checked", found.numbers)
    assert told.ours == "2.47 times BPR-MF (--quick: too short to decide)"
    assert replace(slow, quick=True).judge(Outcomes(True, {})) == found


def test_a_row_with_the_papers_number() -> None:
    told = measured(Row("p", "n", WANTED, "rmse", paper=1.0, tolerance=0.1), [run_with(1.0), run_with(1.1)])
    assert told["ours"] == pytest.approx(1.05)
    assert told["sd"] == pytest.approx(0.0707, abs=1e-4)
    assert told["difference"] == pytest.approx(0.05)
    assert told["verdict"] == "agrees"
    far = measured(Row("p", "n", WANTED, "rmse", paper=1.0, tolerance=0.01), [run_with(1.05)])
    assert (far["verdict"], far["sd"], far["seeds"]) == ("differs", None, 1)


def test_where_the_paper_prints_nothing_there_is_nothing_to_agree_with() -> None:
    told = measured(Row("p", "n", WANTED, "rmse"), [run_with(0.9)])
    assert (told["paper"], told["difference"], told["verdict"]) == (None, None, None)
    empty = measured(Row("p", "n", WANTED, "rmse", paper=1.0), [run_with(None)])
    assert (empty["ours"], empty["verdict"]) == (None, None)


def test_outcomes_are_found_by_what_was_wanted() -> None:
    runs = [run_with(1.0)]
    outcomes = Outcomes(True, {WANTED: runs})
    assert outcomes[Wanted("a/b", "synthetic", seconds=99.0)] == runs
    assert Wanted("a/b", "other") not in outcomes
    assert outcomes.every() == runs
