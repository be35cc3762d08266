"""The page on adding parts, run as it stands: its files become a package, its commands are typed."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from platformdirs import user_cache_path

from tests.docs.pages import commands, files, page, scripts

TEXT = page("guide/extending.md")
FILES = files(TEXT)
SMALL = ["--set", "data.users=40", "--set", "data.items=60", "--set", "data.interactions=900"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page's files, installed as pip would: entry points in a .dist-info folder on the path."""
    home = tmp_path_factory.mktemp("extending")
    for name, text in FILES.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (home / "my_package" / "__init__.py").write_text("")
    (home / "my_package" / "recipes" / "__init__.py").write_text("")
    project = tomllib.loads(FILES["pyproject.toml"])["project"]
    info = home / "my_package-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1\n")
    lines = []
    for group, entries in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {where}" for name, where in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    archives = home / "cache" / "tacit" / "data" / "archives"
    archives.mkdir(parents=True)
    compiled = user_cache_path("tacit") / "kernels"  # shared, so that nothing is compiled twice
    compiled.mkdir(parents=True, exist_ok=True)
    (home / "cache" / "tacit" / "kernels").symlink_to(compiled)
    rows = [f"m{u};tea{(u * i) % 11};{1 + (u + i) % 5}" for u in range(1, 9) for i in range(1, 8)]
    (archives / "teas.csv").write_text("\n".join(["member;tea;stars", *dict.fromkeys(rows)]) + "\n")
    return home


def call(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(home), *filter(None, sys.path)])}
    if any("tea-club" in word for word in words):
        env["XDG_CACHE_HOME"] = str(home / "cache")
    return subprocess.run(words, capture_output=True, text=True, cwd=home, env=env)


def test_the_page_shows_every_kind_of_part() -> None:
    told = tomllib.loads(FILES["pyproject.toml"])["project"]["entry-points"]
    assert set(told) == {
        "tacit.merges", "tacit.models", "tacit.peers", "tacit.shields", "tacit.attacks", "tacit.protocols",
        "tacit.metrics", "tacit.data.sources", "tacit.recipes", "tacit.evaluations", "tacit.baselines", "tacit.splits",
    }  # fmt: skip
    shown = {name for name in FILES if name.startswith("my_package/")}
    assert {f"{where.replace('.', '/')}.py" for group in told.values() for where in group.values()} - {
        "my_package/recipes.py"
    } <= shown


def test_every_example_passes_its_kit(home: Path) -> None:
    done = call(home, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{sum(name.startswith('tests/') for name in FILES)} passed" in done.stdout


def test_what_is_typed_in_python_works(home: Path) -> None:
    for number, text in enumerate(scripts(TEXT)):
        (home / f"typed_{number}.py").write_text(text)
        done = call(home, sys.executable, f"typed_{number}.py")
        assert done.returncode == 0, done.stderr
    assert len(scripts(TEXT)) == 1


@pytest.mark.parametrize("command", commands(TEXT))
def test_every_command_runs(command: str, home: Path) -> None:
    words = shlex.split(command)
    if "synthetic" in words:
        words += SMALL
    done = call(home, sys.executable, "-m", "tacit", *words[1:], "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    if words[1] == "run":
        assert len(said["metrics"]) > 0
        assert all(value == value for value in said["metrics"].values())
    if words[1] == "audit":
        assert len(said["attackers"]) > 1
    if "evaluate=full" in words:
        assert 0 <= said["metrics"]["top1@10"] <= 1


@pytest.mark.parametrize(
    ("part", "offered"), [("peers", "first-half, uniform"), ("shield", "known, none, rounding")]
)
def test_a_wrong_name_is_one_line_with_what_there_is(part: str, offered: str, home: Path) -> None:
    words = ["run", "hegedus/gossip-merge", "--data", "synthetic", "--set", f"{part}=nobodys"]
    done = call(home, sys.executable, "-m", "tacit", *words)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"{part}: got nobodys" in done.stderr
    assert offered in done.stderr
