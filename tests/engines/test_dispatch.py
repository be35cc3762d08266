from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from tacit.core.errors import BadInput, Interrupted, TacitError, TooBig
from tacit.engines.dispatch import Dispatch
from tacit.engines.orders import Answer, Order, carry_out
from tacit.experiment.batch import RunListener, Task, run_all
from tests.engines.runs import SMALL, TASKS, figures


class _Here:
    """Places in this process: a run is carried out when its end is asked for, the last one first."""

    threads = 1

    def __init__(self, room: int = 2, *, fails: str = "", lies: bool = False) -> None:
        self.running: dict[int, Order] = {}
        self.most = self.started = 0
        self.stopped = False
        self._room, self._fails, self._lies = room, fails, lies

    def has_room(self, memory: int) -> bool:
        assert memory > 0
        return len(self.running) < self._room

    def start(self, place: int, order: Order, memory: int) -> None:
        self.running[place] = order
        self.started += 1
        self.most = max(self.most, len(self.running))

    def ended(self, seconds: float) -> list[tuple[int, Answer]]:
        place, order = self.running.popitem()
        if self._fails:
            return [(place, Answer("failed", self._fails))]
        return [(place, Answer("done") if self._lies else carry_out(order, lambda: False))]

    def stop(self) -> None:
        self.stopped = True


def _engine(places: _Here) -> Dispatch:
    def given() -> AbstractContextManager[_Here]:
        return nullcontext(places)

    return Dispatch(given)


def test_results_are_those_of_one_process_and_in_order(tmp_path: Path) -> None:
    places = _Here()
    assert figures(_engine(places), tmp_path / "two") == figures(None, tmp_path / "one")
    assert places.most == 2
    assert places.started == 3  # two tasks stand for one run


def test_without_a_folder_too() -> None:
    assert figures(_engine(_Here()), None) == figures(None, None)


def test_finished_runs_are_only_read(tmp_path: Path) -> None:
    first = figures(_engine(_Here()), tmp_path)
    places, lines = _Here(), list[str]()
    again = run_all(TASKS, tmp_path, RunListener(engine=_engine(places), say=lines.append))
    assert places.started == 0
    assert [one.to_json()["metrics"] for one in again] == [one["metrics"] for one in first]
    assert all("finished before" in line for line in lines)


def test_a_run_that_fails_stops_the_others_and_names_itself(tmp_path: Path) -> None:
    places = _Here(fails="ValueError: no")
    with pytest.raises(TacitError, match=r"seed 1 \(2 of 4\): ValueError: no"):
        figures(_engine(places), tmp_path)
    assert places.stopped


def test_a_run_that_left_nothing_is_not_taken_for_done(tmp_path: Path) -> None:
    with pytest.raises(TacitError, match="left no result"):
        figures(_engine(_Here(lies=True)), tmp_path)


def test_a_stop_is_passed_on(tmp_path: Path) -> None:
    places = _Here()
    asked = iter([False, True])
    host = RunListener(engine=_engine(places), stop=lambda: next(asked))
    with pytest.raises(Interrupted, match="of 4 runs are finished; the same command continues from here"):
        run_all(TASKS, tmp_path, host)
    assert places.stopped


def test_what_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="on_round"):
        run_all(TASKS, tmp_path, RunListener(engine=_engine(_Here()), on_round=lambda now: None))

    class _Small(_Here):
        def has_room(self, memory: int) -> bool:
            raise TooBig("memory: too small")

    with pytest.raises(TooBig):
        run_all(
            [Task("baseline/popular", "synthetic", SMALL)], tmp_path, RunListener(engine=_engine(_Small()))
        )
