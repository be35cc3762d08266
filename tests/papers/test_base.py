from __future__ import annotations

import polars as pl
import pytest

from tacit.experiment.result import Cost, Result
from tacit.papers.base import Outcomes, Row, Wanted, measured, verdict


def run_with(value: float | None) -> Result:
    metrics = {} if value is None else {"rmse": value}
    return Result("a/b", 0, {}, {}, {}, metrics, [], Cost(), pl.DataFrame())


WANTED = Wanted("a/b", "synthetic")


@pytest.mark.parametrize(
    ("cases", "word"),
    [
        ([], "not checked"),
        ([True, True], "holds"),
        ([True, False], "partly"),
        ([False, False], "does not hold"),
    ],
)
def test_verdict(cases: list[bool], word: str) -> None:
    assert verdict(cases) == word


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
