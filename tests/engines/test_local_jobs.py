from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tacit.core.child_process import environment
from tacit.core.errors import TooBig
from tacit.engines.engine_names import engine_of
from tacit.engines.local_jobs import LocalJobs
from tacit.engines.orders import Answer, order_of
from tacit.experiment.batch import Task
from tests.engines.runs import SMALL, TASKS, figures


def _wait(places: LocalJobs) -> list[tuple[int, Answer]]:
    for _ in range(600):
        if found := places.ended(0.2):
            return found
    raise AssertionError("no run ended")


def test_processes_give_the_same_figures(tmp_path: Path) -> None:
    assert figures(engine_of(jobs=2), tmp_path / "two") == figures(None, tmp_path / "one")


def test_a_process_that_dies_is_replaced(tmp_path: Path) -> None:
    with LocalJobs(1) as places:
        places.start(7, order_of(TASKS[0], tmp_path, 1), 1)
        first = places._processes[0].popen
        first.kill()
        assert _wait(places) == [(7, Answer("done"))]
        assert places._processes[0].popen.pid != first.pid


def test_a_run_that_kills_its_process_again_and_again_is_given_up(tmp_path: Path) -> None:
    part = tmp_path / "deadly.py"
    part.write_text("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    order = order_of(Task("hegedus/gossip-merge", "synthetic", {**SMALL, "model": str(part)}), tmp_path, 1)
    with LocalJobs(1) as places:
        places.start(0, order, 1)
        ((_, answer),) = _wait(places)
    assert answer == Answer("failed", "its process died 3 times, the last time with code -9")


def test_runs_wait_for_a_process_and_for_memory() -> None:
    with LocalJobs(1) as places:
        assert places.has_room(1)
        with pytest.raises(TooBig, match="a run needs about"):
            places.has_room(10**18)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_stopped_batch_goes_on_where_it_was(tmp_path: Path) -> None:
    words = [
        "compare",
        "hegedus/gossip-merge",
        "hegedus/federated",
        "--data",
        "synthetic",
        "--out",
        str(tmp_path),
    ]
    more = ["--set", "hours=2000", "--set", "evaluate.points=2", "--jobs", "2"]
    command = [sys.executable, "-m", "tacit", *words, *more]
    process = subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    deadline = time.monotonic() + 200
    while not list(tmp_path.glob("*/")) and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.2)
    time.sleep(2)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=200)
    if process.returncode == 0:
        pytest.skip("it was finished before it could be stopped")
    assert process.returncode == 143, said
    assert b"the same command continues from here" in said
