"""Parts in files: found, loaded once per content, named by it. The kinds are tried in tests/test_own_parts.py."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.core.part_files import is_part_file, part_in_file

METRIC = """
from helper import factor

def double(hits, relevant):
    return factor * hits.sum(axis=1)
"""


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("./mine.py", True),
        ("/a/b c/mine.py:Mine", True),
        ("C:\\\\x\\\\mine.py", True),
        ("mine", False),
        ("mine.py@12345678", False),
        ("mine.pyc", False),
        ("", False),
        (".py", False),
    ],
)
def test_what_a_file_is(name: str, is_one: bool) -> None:
    assert is_part_file(name) is is_one


def test_a_file_imports_its_neighbours_and_is_named_by_its_content(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("factor = 2\n")
    path = tmp_path / "double.py"
    path.write_text(METRIC)
    before = list(sys.path)
    part, name, whole = part_in_file(str(path), "ranking", "metric")
    assert sys.path == before
    assert whole == str(path)
    assert part.__name__ == "double"
    again, same, _ = part_in_file(str(path), "ranking", "metric")
    assert again is part
    assert same == name
    path.write_text(METRIC + "# a remark\n")
    other, changed, _ = part_in_file(str(path), "ranking", "metric")
    assert other is not part
    assert changed != name
    del sys.modules["helper"]


def test_a_file_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text("x = 1\ny = 1 / 0\n")
    with pytest.raises(BadInput, match=r"wrong.py cannot be loaded: ZeroDivisionError: .*line 2\)"):
        part_in_file(str(path), "ranking", "metric")
    assert not [name for name in sys.modules if name.startswith("wrong_")]


def test_a_class_that_is_not_finished_is_told_what_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "begun.py"
    path.write_text("class Begun:\n    name = 'begun'\n")
    with pytest.raises(
        BadInput,
        match=r"^model Begun has no hyper, kernels, fields, row_width, .*; allowed: a part with name",
    ):
        part_in_file(str(path), "model", "model")
