"""The page on engines, typed as it stands, on less data; the examples for SLURM, without SLURM."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tacit.cli.main import call
from tacit.core.child_process import environment
from tests.docs.pages import commands, page
from tests.engines.test_mpi import DATA, _command, needs_mpi

TEXT = page("guide/beyond-one-machine.md")
SLURM = Path(__file__).parents[2] / "examples" / "slurm"
SMALL = [*DATA[2:-2], "--set", "hours=3"]


def test_every_command_works_in_the_order_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    typed = [shlex.split(command)[1:] for command in commands(TEXT)]
    assert [words[0] for words in typed] == ["run", "sweep", "compare", "table"]
    for words in typed:
        if "ray" in words:
            continue  # tests/engines/test_ray_cluster.py has a cluster
        assert call(words + (SMALL if "synthetic" in words else [])) == 0, capsys.readouterr().err
    assert "memory: about" in capsys.readouterr().err


def test_the_command_for_ray_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray", reason="Ray is an extra: pip install '.[ray]'")
    monkeypatch.chdir(tmp_path)
    (typed,) = (shlex.split(command)[1:] for command in commands(TEXT) if "--engine ray" in command)
    assert call([*typed, *SMALL]) == 0


@needs_mpi
def test_the_command_for_ranks_works(tmp_path: Path) -> None:
    (typed,) = re.findall(r"^mpirun -n 2 (tacit .*)$", TEXT, re.MULTILINE)
    command, env = _command(2, *shlex.split(typed), *SMALL)
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "runs" / "large" / "result.json").read_text())["cost"]["ranks"] == 2


@pytest.mark.skipif(shutil.which("bash") is None, reason="the examples are for bash")
@pytest.mark.parametrize("name", ["array.sh", pytest.param("mpi.sh", marks=needs_mpi)])
def test_the_jobs_for_slurm_run_and_go_on(tmp_path: Path, name: str) -> None:
    """`srun` is played by a script that carries out its command once."""
    for program, line in (
        ("srun", 'while [ "${1#-}" != "$1" ]; do shift; done; exec "$@"'),
        ("tacit", f'exec {shlex.quote(sys.executable)} -m tacit "$@"'),
    ):
        (tmp_path / program).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / program).chmod(0o755)
    env = {
        **environment(),
        "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
        "SLURM_ARRAY_TASK_ID": "3",
        "SLURM_CPUS_PER_TASK": "1",
        "DATA": "synthetic",
    }
    for _ in range(2):  # the second time is a task that was requeued after its end
        job = ["bash", str(SLURM / name), *SMALL]
        done = subprocess.run(job, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
    (result,) = (tmp_path / "runs").glob("*/result.json")
    assert json.loads(result.read_text())["seed"] == (3 if name == "array.sh" else 0)
