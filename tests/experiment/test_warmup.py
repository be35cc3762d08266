"""What a run needs is compiled by a miniature of it, once; that of later runs in another process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tacit.core.compiled import compiling
from tacit.experiment import warmup
from tacit.experiment.prepare import prepare
from tacit.experiment.recipes import recipe
from tacit.experiment.run_settings import settle
from tacit.experiment.warmup import RunSpec, compile_all, compiling_ahead


def test_names_and_switches_decide_which_code_a_run_needs() -> None:
    own = recipe("hegedus/gossip-merge").parameters
    code = warmup.code_of(settle(own, {}))
    assert code == warmup.code_of(settle(own, {"hours": 3, "model.eta": 0.5}))
    assert code != warmup.code_of(settle(own, {"merge": "keep-oldest"}))
    assert code != warmup.code_of(settle(own, {"lazy": True}))


def test_a_warm_up_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "kernel_folder", lambda: tmp_path)
    small = {"data.users": 30, "data.items": 40, "data.interactions": 300, "data.min_user": 0}
    x = prepare("baseline/popular", "synthetic", small)
    assert not warmup.is_compiled(warmup.code_of(x.parameters))
    warmup.warm_up(x)
    assert warmup.is_compiled(warmup.code_of(x.parameters))
    monkeypatch.setattr(compiling, "kernel_folder", lambda: None)
    assert not warmup.is_compiled(warmup.code_of(x.parameters)), "where nothing can be kept"
    warmup.warm_up(x)


SMALL: dict[str, Any] = {"data.users": 30, "data.items": 40, "data.interactions": 300, "data.min_user": 0}
RUNS: list[RunSpec] = [
    ("baseline/popular", "synthetic", SMALL),
    ("baseline/popular", "synthetic", {**SMALL, "evaluate.k": 5}),
    ("baseline/random", "synthetic", SMALL),
]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in (compiling, warmup):
        monkeypatch.setattr(module, "kernel_folder", lambda: tmp_path)
    return tmp_path


def code(run: RunSpec) -> str:
    return warmup.code_of(settle(recipe(run[0]).parameters, run[2]))


def test_what_is_on_disk_starts_no_process(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", lambda *a, **k: pytest.fail("a process was started"))
    went = []
    with compiling_ahead([]):
        went.append("nothing to do")
    with compiling_ahead(RUNS[:2]):
        went.append("one piece of code is compiled by the run that needs it")
    compile_all(RUNS)
    with compiling_ahead(RUNS):
        went.append("everything is there")
    assert len(went) == 3


def test_the_last_runs_code_comes_first_and_each_once(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[bytes] = []

    class Process:
        def __init__(self, *words: Any, **more: Any) -> None:
            self.stdin, self.ended = self, False

        def write(self, text: bytes) -> None:
            started.append(text)

        def close(self) -> None: ...

        def terminate(self) -> None:
            self.ended = True

        def wait(self) -> None:
            assert self.ended

    monkeypatch.setattr(subprocess, "Popen", Process)
    with compiling_ahead(RUNS):
        assert len(started) == 1, "it has been told while the runs go on"
    sent = msgspec.json.decode(started[0], type=list[RunSpec])
    assert [run[0] for run in sent] == ["baseline/random", "baseline/popular"]


def test_a_run_that_cannot_be_prepared_is_left_to_who_wants_it(kept: Path) -> None:
    wrong: RunSpec = ("baseline/random", "no-such-file.csv", {})
    compile_all([wrong, RUNS[0]])
    assert warmup.is_compiled(code(RUNS[0]))
    assert not warmup.is_compiled(code(wrong))


def test_the_process_compiles(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    text = msgspec.json.encode(RUNS[:1])
    subprocess.run([sys.executable, "-m", warmup.__name__], input=text, env=environment, check=True)
    names = {path.name for path in tmp_path.rglob("*.warm")}
    assert names == {f"run-{code(RUNS[0])}-{compiling.sources_stamp()}.warm"}
    assert list(tmp_path.rglob("*.nbc")), "compiled code"
