from __future__ import annotations

from pathlib import Path

import pytest

from tacit.core.atomic_files import atomic_write


def test_the_file_appears_when_all_is_written(tmp_path: Path) -> None:
    target = tmp_path / "new" / "a.txt"
    with atomic_write(target) as scratch:
        scratch.write_text("half")
        assert not target.exists()
        scratch.write_text("whole")
    assert target.read_text() == "whole"
    assert list(target.parent.iterdir()) == [target]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")

    def fail() -> None:
        with atomic_write(target) as scratch:
            scratch.write_text("half")
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        fail()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
