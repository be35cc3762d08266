"""The page on Python, run from top to bottom. MLflow is not installed: a stand-in notes what it is told."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import commands, page, scripts

TEXT = page("guide/python.md")
MLFLOW = """
from contextlib import contextmanager
logged = []

@contextmanager
def start_run(run_name):
    logged.append(("run", run_name))
    yield

def log_metrics(metrics, step=None):
    assert all(isinstance(value, (int, float)) for value in metrics.values()), metrics
    assert all("@" not in name for name in metrics)
    logged.append(("metrics", step, metrics))

def log_params(params):
    logged.append(("params", params))
"""
CHECK = """
kinds = [entry[0] for entry in mlflow.logged]
assert kinds[0] == "run" and kinds[-2:] == ["params", "metrics"], kinds
steps = [entry[1] for entry in mlflow.logged if entry[0] == "metrics"][:-1]
assert steps == [point["round"] for point in result.curve], steps
assert mlflow.logged[-1][2]["final_rmse"] == result.metrics["rmse"]
assert len(stopped.curve) == len(best)
assert repr(data) == "<Dataset ratings: 40 users, 60 items, 1,440 interactions>", data
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("python")
    rows = [
        f"{u},{i},{1 + (u * i) % 5},{1000 + 31 * u + i}"
        for u in range(40)
        for i in range(60)
        if (u * 7 + i * 3) % 5 < 2
    ]
    held = [
        f"{u},{i},{1 + (u + i) % 5},{2000 + i}"
        for u in range(40)
        for i in range(60)
        if (u * 7 + i * 3) % 5 == 4
    ]
    (home / "ratings.csv").write_text("\n".join(["user,item,rating,timestamp", *rows, *held]) + "\n")
    (home / "mlflow.py").write_text(MLFLOW)
    return home


def call(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(home), *filter(None, sys.path)])}
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=home, env=env)


def test_the_code_and_then_the_commands(home: Path) -> None:
    done = call(home, "-c", "\n".join(scripts(TEXT)) + CHECK)
    assert done.returncode == 0, done.stderr
    typed = commands(TEXT)
    assert [line.split()[1] for line in typed] == ["export"]
    for line in typed:
        done = call(home, "-m", "tacit", *shlex.split(line)[1:])
        assert done.returncode == 0, f"{line}\n{done.stderr}"
    assert (home / "runs" / "first-lenskit" / "train" / "schema.json").is_file()
