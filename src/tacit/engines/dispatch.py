"""Hand out the runs of a batch to free places, each run once, and take results in order.

A place is where one run at a time is carried out: a process, or a task of a cluster. Runs that are finished in the
folder of the batch are only read. Two tasks that stand for one run share its folder: the second waits and reads it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from tacit.core.errors import BadInput, Interrupted, TacitError
from tacit.engines.orders import Answer, Order, order_of
from tacit.experiment.batch import Job, RunListener, folder_of, found_before, prepare_task, same_run
from tacit.experiment.experiment import Experiment
from tacit.experiment.result import Result

_LOOK = 0.2
"""Seconds between two looks at whether to stop."""


class Places(Protocol):
    """Where runs are carried out, several at a time."""

    threads: int | None
    """Cores that each run may use."""

    def has_room(self, memory: int) -> bool:
        """Whether a run that needs this much memory can start now. Raises TooBig if it never can."""
        ...

    def start(self, place: int, order: Order, memory: int) -> None:
        """Start a run."""
        ...

    def ended(self, seconds: float) -> list[tuple[int, Answer]]:
        """Runs that ended; waits up to this many seconds for one."""
        ...

    def stop(self) -> None:
        """Ask every run to stop with a state to go on from, and wait until all have."""
        ...


@dataclass(slots=True)
class _Waiting:
    """A run that is not finished yet."""

    job: Job
    experiment: Experiment
    where: Path


class Dispatch:
    """An engine made of places. `places` gives them anew for every batch."""

    def __init__(self, places: Callable[[], AbstractContextManager[Places]]) -> None:
        self._places = places

    def run_all(
        self, jobs: Sequence[Job], out: Path | None, host: RunListener
    ) -> Iterator[tuple[int, Result]]:
        """Places and results, in the order of `jobs`. Without `out` models are not kept."""
        if host.on_round is not None:
            raise BadInput(
                "on_round", got="with --jobs or --engine", allowed="one process: a callback stays in it"
            )
        scratch = tempfile.TemporaryDirectory(prefix="tacit-") if out is None else nullcontext(str(out))
        with scratch as folder, self._places() as places:
            yield from _Batch(jobs, Path(folder), host, places, kept=out is not None).results()


class _Batch:
    """One batch on its way."""

    def __init__(
        self, jobs: Sequence[Job], out: Path, host: RunListener, places: Places, *, kept: bool
    ) -> None:
        self._out, self._host, self._places, self._kept = out, host, places, kept
        self._jobs, self._left = jobs, list(jobs)
        self._next: _Waiting | None = None
        self._running: dict[int, _Waiting] = {}
        self._found: dict[int, Result] = {}

    def results(self) -> Iterator[tuple[int, Result]]:
        """All of them, each as soon as those before it are there."""
        try:
            for job in self._jobs:
                while job.place not in self._found:
                    self._step()
                yield job.place, self._found.pop(job.place)
        finally:
            if self._running:
                self._places.stop()

    def _step(self) -> None:
        if self._host.stop():
            raise Interrupted("before the next run")
        while self._start_next():
            pass
        for place, answer in self._places.ended(_LOOK) if self._running else ():
            self._take(self._running.pop(place), answer)

    def _start_next(self) -> bool:
        """Start the next run, or find it finished; False where there is none, or no room."""
        busy = {same_run(one.job.task) for one in self._running.values()}
        if self._next is None:
            ready = next((job for job in self._left if same_run(job.task) not in busy), None)
            if ready is None:
                return False
            self._left.remove(ready)
            experiment = prepare_task(ready.task, self._host.download, here=False)
            self._next = _Waiting(ready, experiment, folder_of(experiment, self._out))
        one = self._next
        if (before := self._read(one)) is not None:
            self._host.say(f"{one.job.title}: finished before, taken from {one.where}")
            self._found[one.job.place], self._next = before, None
            return True
        if not self._places.has_room(one.experiment.memory):
            return False
        self._places.start(
            one.job.place, order_of(one.job.task, self._out, self._places.threads), one.experiment.memory
        )
        self._running[one.job.place], self._next = one, None
        return True

    def _take(self, one: _Waiting, answer: Answer) -> None:
        if answer.state == "stopped":
            raise Interrupted(answer.says)
        if answer.state != "done":
            raise TacitError(f"{one.job.title}: {answer.says}")
        result = self._read(one)
        if result is None:
            raise TacitError(
                f"{one.job.title}: it ended and left no result in {one.where}; is the data the same everywhere?"
            )
        self._host.say(f"{one.job.title}: done")
        self._found[one.job.place] = result

    def _read(self, one: _Waiting) -> Result | None:
        found = found_before(one.job.task, one.experiment, one.where)
        return found if found is None or self._kept else replace(found, trained=None)
