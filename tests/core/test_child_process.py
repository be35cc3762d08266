"""A process started for this one finds the same packages."""

import subprocess
import sys
from pathlib import Path

import pytest

from tacit.core.child_process import environment


def test_a_child_finds_what_this_process_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "only_here.py").write_text("word = 'found'\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    code = "import only_here, tacit; print(only_here.word)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), cwd="/", capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "found"
