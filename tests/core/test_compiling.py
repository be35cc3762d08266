"""Specialized loops really use the kernels they were given, side by side, and never stale ones."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import numba
import numpy as np
import pytest

from tacit.core import compiling
from tacit.core.compiling import kernel, sources_hash, specialize

TEMPLATE = """
from tacit.core.compiling import kernel

@kernel
def step(x):
    return x

@kernel
def loop(x):
    return step(x) + 100
"""


@kernel
def double(x: int) -> int:
    return 2 * x


@kernel
def negate(x: int) -> int:
    return -x


def module(folder: Path, name: str, text: str) -> ModuleType:
    (folder / f"{name}.py").write_text(text)
    importlib.invalidate_caches()
    return importlib.import_module(name)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_a_kernel_computes_what_its_python_does() -> None:
    assert double(21) == double.py_func(21) == 42  # type: ignore[attr-defined]


def test_kernels_let_division_by_zero_be_infinite_like_numpy() -> None:
    assert divide(1.0, 0.0) == np.inf


@kernel
def divide(a: float, b: float) -> float:
    return a / b


def test_decorating_leaves_the_compiler_s_settings_to_others() -> None:
    before = numba.config.CACHE_DIR
    kernel(lambda x: x)
    assert before == numba.config.CACHE_DIR


def test_the_replaced_kernel_is_used_and_specializations_live_side_by_side(folder: Path) -> None:
    template = module(folder, "template_a", TEMPLATE)
    doubled, negated = specialize(template, step=double), specialize(template, step=negate)
    assert (template.loop(5), doubled.loop(5), negated.loop(5)) == (105, 110, 95)
    assert (doubled.loop(6), negated.loop(6)) == (112, 94)
    assert specialize(template, step=double) is doubled
    assert doubled.step is double


def test_two_templates_of_the_same_file_name_do_not_meet(folder: Path) -> None:
    for part in ("one", "two"):
        (folder / part).mkdir()
        (folder / part / "__init__.py").write_text("")
    (folder / "one" / "loops.py").write_text(TEMPLATE)
    (folder / "two" / "loops.py").write_text(TEMPLATE.replace("100", "1000"))
    importlib.invalidate_caches()
    one, two = importlib.import_module("one.loops"), importlib.import_module("two.loops")
    assert specialize(one, step=double).loop(1) == 102
    assert specialize(two, step=double).loop(1) == 1002


SCRIPT = """
import sys
from concurrent.futures import ThreadPoolExecutor
sys.path.insert(0, sys.argv[1])
import outside_template, outside_kernel
from tacit.core.compiling import specialize
print(specialize(outside_template, step=outside_kernel.step).loop(5))
"""


def test_an_outside_kernel_that_was_edited_is_not_served_from_the_cache(tmp_path: Path) -> None:
    """A second process finds the first one's machine code; it must notice that a kernel elsewhere changed."""
    (tmp_path / "outside_template.py").write_text(TEMPLATE)
    said = []
    for body in ("3 * x", "4 * x", "3 * x"):
        text = f"from tacit.core.compiling import kernel\n\n@kernel\ndef step(x):\n    return {body}\n"
        (tmp_path / "outside_kernel.py").write_text(text)
        done = subprocess.run(
            [sys.executable, "-B", "-c", SCRIPT, str(tmp_path)], capture_output=True, text=True, check=True
        )
        said.append(int(done.stdout))
    assert said == [115, 120, 115]


def test_works_where_nothing_can_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "kernel_folder", lambda: None)
    template = module(folder, "template_b", TEMPLATE)
    assert specialize(template, step=negate).loop(1) == 99


def test_works_with_a_numba_whose_insides_are_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "is_known", False)
    assert kernel(double.py_func)(4) == 8  # type: ignore[attr-defined]


def test_the_hash_covers_every_file_with_a_kernel_that_others_call() -> None:
    assert len(sources_hash()) == 16
    assert sources_hash() == sources_hash()
    covered = set(compiling.kernel_sources())
    package = Path(compiling.__file__).parent.parent
    outside = {path for path in package.rglob("*.py") if path not in covered}
    assert package / "cli" / "program.py" in outside
    with_kernels = {path.relative_to(package).as_posix() for path in outside if "@kernel" in path.read_text()}
    assert with_kernels <= {"cli/bench.py"}, "a kernel above the hosts is not covered by the cache's hash"


def test_old_caches_are_forgotten_even_by_two_processes_at_once(tmp_path: Path) -> None:
    for n in range(9):
        (tmp_path / f"{n}" / "inner").mkdir(parents=True)
        (tmp_path / f"{n}" / "inner" / "code").write_text("x")
        os.utime(tmp_path / f"{n}", (n, n))
    mine = tmp_path / "8"
    with ThreadPoolExecutor(4) as several:
        for done in [several.submit(compiling._forget_old, mine, 6) for _ in range(8)]:
            done.result()
    left = {path.name for path in tmp_path.iterdir()}
    assert "8" in left, "one's own is never deleted"
    assert not {"0", "1", "2"} & left
    assert (mine / "inner" / "code").exists()
