"""What a run's folder says about parts without a package; with files: tests/test_own_parts.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.experiment.part_records import FILE, check_same, with_parts, write_parts


def test_a_run_of_known_parts_has_no_such_file(tmp_path: Path) -> None:
    write_parts(tmp_path, {"model": "mf", "merge": "age-average", "rounds": 3})
    assert list(tmp_path.iterdir()) == []
    assert with_parts(tmp_path, {"model": "mf"}) == {"model": "mf"}


def test_paths_take_the_place_of_names(tmp_path: Path) -> None:
    text = """{"model": {"name": "mine.py:Mine@12345678", "from": "/a/mine.py"},
        "merge": {"name": "half@12345678", "from": "class Half, <cell 3>, line 2"},
        "peers": {"name": "near.py@12345678", "from": "/a/near.py"}}"""
    (tmp_path / FILE).write_text(text)
    parameters = {"model": "mine.py:Mine@12345678", "merge": "half@12345678", "rounds": 3}
    found = with_parts(tmp_path, parameters)
    assert found == {**parameters, "model": "/a/mine.py:Mine"}


@pytest.mark.parametrize("text", ["", "{", '{"model": 3}', '{"model": {"name": "x"}}'])
def test_a_damaged_file_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(BadInput, match="damaged folder"):
        with_parts(tmp_path, {"model": "mf"})


def test_a_changed_part_is_refused(tmp_path: Path) -> None:
    check_same(tmp_path, {"model": "a@1", "rounds": 3}, {"model": "a@1", "rounds": 4})
    with pytest.raises(
        BadInput, match="model: got a@2, which was changed since; allowed: a@1, as in the saved"
    ):
        check_same(tmp_path, {"model": "a@1"}, {"model": "a@2"})
