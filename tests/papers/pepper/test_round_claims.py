"""What PEPPER's claims about rounds and seconds make of made-up runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import polars as pl

from tacit.experiment.result import Result
from tacit.papers.base import Wanted
from tacit.papers.pepper.paper import paper
from tacit.papers.pepper.runs import PEPPER
from tests.papers.pepper.made_up_runs import by_recipe, check, result


def test_p6_and_p7_go_by_rounds_and_seconds() -> None:
    def halved(w: Wanted) -> Result:
        six = dict(w.settings).get("view") == 6
        return result(0.5, rounds=60 if six else 100 if w.recipe == PEPPER else 200, seconds=4 if six else 2)

    assert check("P6a", halved).verdict == "holds"
    assert check("P6b", halved).verdict == "holds"
    assert check("P7", halved).verdict == "holds"
    assert check("P6a", by_recipe()).verdict == "does not hold (0 of 4)"
    assert check("P6b", by_recipe()).verdict == "does not hold (0 of 2)"
    assert check("P7", by_recipe()).verdict == "does not hold (0 of 24)"


def test_p6b_goes_by_seconds_until_convergence() -> None:
    def twice_in_all_rounds(w: Wanted) -> Result:
        six = dict(w.settings).get("view") == 6
        made = result(0.5)
        return replace(made, per_user=made.per_user.with_columns(seconds=pl.lit(2.0 if six else 1.0)))

    assert check("P6b", twice_in_all_rounds).verdict == "does not hold (0 of 2)"
    table = next(e for e in paper.exhibits if e.name == "table-8")
    printed = {(r.name, r.metric): r.paper for r in table.rows(False)}
    assert printed["view 6", "seconds_to_convergence"] == 119.8
    assert printed["view 6", "seconds"] is None


def test_p6c_wants_more_than_noise() -> None:
    def with_six(gain: float) -> Callable[[Wanted], Result]:
        return lambda w: result(0.5 + gain * (dict(w.settings).get("view") == 6))

    assert check("P6c", with_six(0.01)).verdict == "holds"
    assert check("P6c", with_six(0.004)).verdict == "does not hold (0 of 2)"
    assert "0.490 for 0.500" in check("P6c", with_six(-0.01)).ours


def test_p7_wants_five_percent_fewer() -> None:
    def rounds(part: float) -> Callable[[Wanted], Result]:
        return lambda w: result(0.5, rounds=100 * part if w.recipe == PEPPER else 100)

    assert check("P7", rounds(0.94)).verdict == "holds"
    assert check("P7", rounds(0.97)).verdict == "does not hold (0 of 24)"


def test_p7b_wants_more_saved_in_the_tail_than_on_average() -> None:
    def slow_last(own: float, rival: float) -> Callable[[Wanted], Result]:
        """All users need 100 rounds, but one of ten."""

        def made(w: Wanted) -> Result:
            last = own if w.recipe == PEPPER else rival
            run = result(0.5)
            return replace(
                run, per_user=run.per_user.with_columns(rounds_to_convergence=pl.Series([100.0] * 9 + [last]))
            )

        return made

    assert check("P7b", slow_last(200, 300)).verdict == "holds"
    assert check("P7b", slow_last(300, 200)).verdict == "does not hold (0 of 8)"
    assert check("P7b", by_recipe()).verdict == "does not hold (0 of 8)"

    def fewer_for_all(w: Wanted) -> Result:
        return result(0.5, rounds=50 if w.recipe == PEPPER else 100)

    assert check("P7b", fewer_for_all).verdict == "does not hold (0 of 8)", "as much on average"


def test_p9_wants_two_groups_of_nodes() -> None:
    def nodes(quick: int, slow: int) -> Callable[[Wanted], Result]:
        def made(w: Wanted) -> Result:
            seconds = [0.5] * quick + [1.0] * (10 - quick - slow) + [2.0] * slow
            run = result(0.5)
            own = seconds if w.recipe == PEPPER else [1.0] * 10
            each = run.per_user.with_columns(seconds_to_convergence=pl.Series(own))
            return replace(run, per_user=each)

        return made

    assert check("P9", nodes(2, 7)).verdict == "holds"
    assert check("P9", nodes(2, 2)).verdict == "does not hold (0 of 4)", "a fifth below, but few above"
    assert check("P9", nodes(0, 7)).verdict == "does not hold (0 of 4)"
