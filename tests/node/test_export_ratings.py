from __future__ import annotations

import csv
import stat
from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.node.export_ratings import write_skipped
from tacit.node.importers.base import Skipped


def test_what_was_left_out_is_written_as_it_was_for_its_owner_only(tmp_path: Path) -> None:
    skipped = [
        Skipped("no title", '2021-03-04,"",2016,"a\nb"', "watched.csv", 4),
        Skipped("played fewer than 3 times", "Blue Orchard"),
    ]
    write_skipped(tmp_path / "left.csv", skipped)
    with (tmp_path / "left.csv").open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == [
            ["file", "row", "reason", "content"],
            ["watched.csv", "4", "no title", '2021-03-04,"",2016,"a\nb"'],
            ["", "", "played fewer than 3 times", "Blue Orchard"],
        ]
    assert stat.S_IMODE((tmp_path / "left.csv").stat().st_mode) == 0o600


def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="a file that can be written"):
        write_skipped(tmp_path / "nowhere" / "left.csv", [])
