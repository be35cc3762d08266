"""What a run's folder says about parts without a package; with files: tests/test_own_parts.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.core.part_files import file_digits
from tacit.experiment.part_records import FILE, with_parts, write_parts


def test_a_run_of_known_parts_has_no_such_file(tmp_path: Path) -> None:
    write_parts(tmp_path, {"model": "mf", "merge": "age-average", "rounds": 3})
    assert list(tmp_path.iterdir()) == []
    assert with_parts(tmp_path, {"model": "mf"}) == {"model": "mf"}


def kept(folder: Path, digits: str) -> None:
    file = folder / "mine.py"
    parts = {
        "model": {"name": f"mine.py:Mine@{digits}", "from": str(file)},
        "merge": {"name": "half@12345678", "from": "class Half, <cell 3>, line 2"},
        "peers": {"name": f"mine.py@{digits}", "from": str(file)},
    }
    (folder / FILE).write_text(json.dumps(parts))


def test_paths_take_the_place_of_names(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("raise SystemExit('nobody may run this')")
    digits = file_digits(tmp_path / "mine.py", "model")
    kept(tmp_path, digits)
    parameters = {"model": f"mine.py:Mine@{digits}", "merge": "half@12345678", "rounds": 3}
    assert with_parts(tmp_path, parameters) == {**parameters, "model": f"{tmp_path / 'mine.py'}:Mine"}


def test_a_changed_file_is_refused_and_not_run(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("raise SystemExit('nobody may run this')")
    kept(tmp_path, "12345678")
    with pytest.raises(
        BadInput, match=r"mine.py, which was changed since; allowed: mine.py:Mine@12345678, as in the"
    ):
        with_parts(tmp_path, {"model": "mine.py:Mine@12345678"})


@pytest.mark.parametrize("text", ["", "{", '{"model": 3}', '{"model": {"name": "x"}}'])
def test_a_damaged_file_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(BadInput, match="damaged folder"):
        with_parts(tmp_path, {"model": "mf"})
