from __future__ import annotations

import csv
import stat
from datetime import date
from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.node.backups import back_up, newest_good
from tacit.node.export_ratings import write_ratings, write_skipped
from tacit.node.import_ratings import read_file
from tacit.node.importers.base import Options, Skipped
from tacit.node.store.records import Rating


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


FORMULAS = ("=1+1", "+7", "-7", "@SUM(A1)", "'=2", "'tis", "''=3", "Plain = plain")


def test_no_cell_is_a_formula_and_the_way_back_gives_the_same_titles(tmp_path: Path) -> None:
    ratings = [Rating(f"csv:{i}", title, value=4.0, person=title) for i, title in enumerate(FORMULAS)]
    file = tmp_path / "ratings.csv"
    write_ratings(file, ratings)
    backup = back_up(tmp_path, ratings, date(2026, 11, 18))
    write_skipped(tmp_path / "left.csv", [Skipped("no title", title) for title in FORMULAS])
    assert backup is not None
    for written in (file, backup, tmp_path / "left.csv"):
        with written.open(newline="", encoding="utf-8") as opened:
            cells = [cell for row in csv.reader(opened) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))], written.name
    again = read_file(file, options=Options.parse([], cluster=True)).ratings()
    assert [(r.key, r.title, r.person) for r in again] == [(r.key, r.title, r.person) for r in ratings]
    assert newest_good(tmp_path)[1] == ratings
