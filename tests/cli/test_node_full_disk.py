"""A disk that takes nothing more, as a person meets it: what can be read is shown, everything else is one line."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tacit.cli.main import call
from tacit.node.service import Service
from tests.node.start import starts

ALLOWED = hasattr(os, "geteuid") and os.geteuid() == 0
FULL = "the disk is full or read-only"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 2 MB with a node on it that has a start and ratings."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if not ALLOWED or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root can make a small disk")
    try:
        assert call(["node", "init", "--home", str(folder / "n")]) == 0
        service = Service(folder / "n")
        service.suggestions.set_start(starts.start())
        service.rate(service.suggestions.recommender().keys[0], 5.0)
        service.close()
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def fill(disk: Path) -> None:
    with (disk / "rest").open("wb", buffering=0) as rest:
        try:
            while True:
                rest.write(b"x" * 512)
        except OSError:
            pass


def read_only(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)


@pytest.mark.parametrize("spoil", [fill, read_only])
def test_the_list_and_the_status_are_there_and_changes_are_refused_in_one_line(
    disk: Path, spoil: object, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(spoil)
    spoil(disk)
    home = ["--home", str(disk / "n")]
    capsys.readouterr()
    assert call(["node", "recommend", "--json", *home]) == 0
    assert len(json.loads(capsys.readouterr().out)["items"]) == 10
    assert call(["node", "status", "--json", *home]) == 0
    assert json.loads(capsys.readouterr().out)["ratings"] == 1
    for words in (["pause"], ["seen", "csv:2"], ["start"]):
        assert call(["node", *words, *home]) == 2
        told = capsys.readouterr()
        assert FULL in told.err
        assert "nothing was changed; free some space" in told.err
        assert told.err.count("\n") == 1
    assert call(["node", "status", "--json", *home]) == 0
    assert json.loads(capsys.readouterr().out)["ratings"] == 1


def test_a_node_that_could_not_be_made_leaves_nothing_behind(
    disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(disk)
    assert call(["node", "init", "--home", str(disk / "m")]) == 2
    assert FULL in capsys.readouterr().err
    (disk / "rest").unlink()
    assert call(["node", "init", "--home", str(disk / "m")]) == 0


def test_what_another_process_left_unfinished_is_not_passed_over(
    disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last writer died before its log was joined to the store: without the log an old state would be shown."""
    (disk / "n" / "node.db-wal").write_bytes(b"something")
    read_only(disk)
    assert call(["node", "status", "--home", str(disk / "n")]) == 2
    assert FULL in capsys.readouterr().err
