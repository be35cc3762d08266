from __future__ import annotations

import errno
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tacit.core import folder_lock as module
from tacit.core.errors import BadInput
from tacit.core.folder_lock import NAME, folder_lock

HOLD = """
import sys, time
from pathlib import Path
from tacit.core.folder_lock import folder_lock
with folder_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_one_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    refused = pytest.raises(BadInput, match=rf"another process \({os.getpid()}\) is writing")
    with folder_lock(tmp_path), refused, folder_lock(tmp_path):
        raise AssertionError("both got it")
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"
    with folder_lock(tmp_path):
        pass


def test_a_process_that_was_killed_blocks_nobody(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    with pytest.raises(BadInput, match=rf"--out: got .*\({process.pid}\)"), folder_lock(tmp_path):
        pass
    process.kill()
    process.wait()
    assert (tmp_path / NAME).exists(), "it had no time to clean up"
    with folder_lock(tmp_path):
        assert (tmp_path / NAME).read_text() == str(os.getpid())
    assert list(tmp_path.iterdir()) == []


def test_an_error_inside_frees_the_folder(tmp_path: Path) -> None:
    with suppress(ValueError), folder_lock(tmp_path):
        raise ValueError
    with folder_lock(tmp_path):
        pass


def test_a_file_system_without_locks_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(file: object) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(module, "_lock", unsupported)
    with folder_lock(tmp_path):
        pass
