"""The first page somebody reads, typed as it stands (with fewer ratings, so that it takes seconds)."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import commands, files, page, scripts

TEXT = page("guide/start.md")
SMALL = ["--set", "data.users=40", "--set", "data.items=60", "--set", "data.interactions=900"]
QUICK = ["--set", "hours=6"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("started")
    rows = files(TEXT)["ratings.csv"].splitlines()
    people = [f"p{u},tea {(u * i) % 13},{1 + (u * i) % 5}" for u in range(1, 13) for i in range(1, 9)]
    (home / "ratings.csv").write_text("\n".join([*rows, *dict.fromkeys(people)]) + "\n")
    return home


def call(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=home, env=env)


def test_every_command_works_in_the_order_of_the_page(home: Path) -> None:
    typed = [shlex.split(command) for command in commands(TEXT)]
    assert {words[1] for words in typed} == {
        "recipes",
        "show",
        "run",
        "recommend",
        "data",
        "compare",
        "sweep",
    }
    for words in typed:
        more = SMALL + QUICK if "synthetic" in words else QUICK if words[1] in ("compare", "sweep") else []
        done = call(home, "-m", "tacit", *words[1:], *more)
        assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout}{done.stderr}"
    assert (home / "first" / "report.html").is_file()
    assert (home / "three" / "report.html").is_file()
    assert (home / "search" / "report.html").is_file()


def test_the_python_example_works(home: Path) -> None:
    (script,) = scripts(TEXT)
    done = call(home, "-c", script)
    assert done.returncode == 0, done.stderr
    assert (home / "curve.png").stat().st_size > 1000
