"""Composed kernels really use the kernels they were given, side by side, and never stale ones."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest

from tacit.core.compiled import compiling
from tacit.core.compiled.compiling import inlined_kernel, kernel
from tacit.core.compiled.failures import OUTSIDE
from tacit.merges.performance import share

MAKER = """
from functools import cache
from tacit.core.compiled.compiling import kernel

@cache
def make_loop(step):
    @kernel
    def loop(x):
        return step(x) + 100
    return loop
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


def test_the_chosen_kernel_is_used_and_choices_live_side_by_side(folder: Path) -> None:
    make_loop = module(folder, "maker_a", MAKER).make_loop
    doubled, negated = make_loop(double), make_loop(negate)
    assert (doubled(5), negated(5)) == (110, 95)
    assert (doubled(6), negated(6)) == (112, 94)
    assert make_loop(double) is doubled


def test_two_makers_of_the_same_file_name_do_not_meet(folder: Path) -> None:
    for part in ("one", "two"):
        (folder / part).mkdir()
        (folder / part / "__init__.py").write_text("")
    (folder / "one" / "loops.py").write_text(MAKER)
    (folder / "two" / "loops.py").write_text(MAKER.replace("100", "1000"))
    importlib.invalidate_caches()
    one, two = importlib.import_module("one.loops"), importlib.import_module("two.loops")
    assert one.make_loop(double)(1) == 102
    assert two.make_loop(double)(1) == 1002


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import outside_maker, outside_kernel
loop = outside_maker.make_loop(outside_kernel.step)
print(loop(5), "disk" if sum(loop.stats.cache_hits.values()) else "compiled")
"""


@pytest.mark.parametrize("names", ["factor * x", "constants.factor * x", "inner(x)"])
def test_whatever_a_kernel_reaches_is_noticed_when_it_is_edited(tmp_path: Path, names: str) -> None:
    """A second process finds the first one's machine code, unless something it was compiled from changed."""
    (tmp_path / "outside_maker.py").write_text(MAKER)
    said = []
    for factor, more in ((3, ""), (3, "# a comment"), (4, ""), (3, "")):
        (tmp_path / "constants.py").write_text(f"factor = {factor}\n")
        text = "import constants\nfrom constants import factor\n" if "inner" not in names else ""
        text += "from tacit.core.compiled.compiling import kernel\n\n"
        text += f"@kernel\ndef inner(x):\n    return {factor} * x\n\n"
        text += f"@kernel\ndef step(x):\n    'A docstring. {more}'\n    {more}\n    return {names}\n"
        (tmp_path / "outside_kernel.py").write_text(text)
        done = subprocess.run(
            [sys.executable, "-B", "-c", SCRIPT, str(tmp_path)], capture_output=True, text=True, check=True
        )
        said.append(done.stdout.split())
    assert [int(number) for number, _ in said] == [115, 115, 120, 115]
    assert [how for _, how in said] == ["compiled", "disk", "compiled", "compiled"]


TUPLES = """
from typing import NamedTuple
from tacit.core.compiled.compiling import kernel

class Hyper(NamedTuple):
    {first}: float
    {second}: float

@kernel
def pull(x, hyper):
    return x * hyper.eta
"""


def test_fields_of_a_named_tuple_in_another_order_are_noticed(tmp_path: Path) -> None:
    """Only the signature names the class: no line of the kernel changes."""
    code = "import sys; sys.path.insert(0, sys.argv[1]); import t; a, b = map(float, sys.argv[2:]); "
    code += "print(t.pull(1.0, t.Hyper(a, b)))"
    said = []
    for first, second, numbers in (("eta", "lam", ("2", "100")), ("lam", "eta", ("100", "2"))):
        (tmp_path / "t.py").write_text(TUPLES.format(first=first, second=second))
        done = subprocess.run(
            [sys.executable, "-B", "-c", code, str(tmp_path), *numbers],
            capture_output=True,
            text=True,
            check=True,
        )
        said.append(float(done.stdout))
    assert said == [2.0, 2.0]


def test_old_code_and_other_versions_folders_are_forgotten(tmp_path: Path) -> None:
    mine, other, recent = (tmp_path / name for name in ("mine", "other", "recent"))
    for folder in (mine, other, recent):
        folder.mkdir()
        (folder / "f.nbc").write_text("code")
    for path in (other, mine / "f.nbc"):
        os.utime(path, (1, 1))
    (mine / "new.nbc").write_text("code")
    compiling._forget_old(mine)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "recent"]
    assert sorted(path.name for path in mine.iterdir()) == ["new.nbc"]


def test_works_where_nothing_can_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "kernel_folder", lambda: None)
    assert module(folder, "maker_b", MAKER).make_loop(negate)(1) == 99


def test_a_kernel_without_a_file_is_compiled_in_every_process() -> None:
    scope = {"kernel": kernel}
    exec(compile("@kernel\ndef treble(x):\n    return 3 * x\n", "<cell 1>", "exec"), scope)
    treble: Any = scope["treble"]
    assert treble(4) == 12
    assert make_two(treble)(4) == 24
    assert make_two(double)(4) == 16


@cache
def make_two(step: Any) -> Any:
    @kernel
    def two(x: int) -> int:
        return 2 * step(x)

    return two


def test_every_kernel_of_the_package_has_a_fingerprint_that_stays() -> None:
    """No set in arbitrary order, no address in memory: another process finds the same."""
    code = (
        "import tacit.protocols.gossip.simulation_kernels as g\n"
        "from tacit.core.compiled.fingerprint import fingerprint\n"
        "from tacit.core.rng import permutation\n"
        "from tacit.models import gmf, mf, mlp\n"
        "from tacit.models.training import training\n"
        "from tacit.peer_sampling.uniform import pick\n"
        "made = [g.make_send(pick), training(mf.model()).train, mlp.learn, gmf.learn, permutation]\n"
        "print(*(fingerprint(one) for one in made))\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | more
        ).stdout
        for more in ({"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2"})
    }
    assert len(said) == 1
    assert len(set(said.pop().split())) == 5


@inlined_kernel
def triple(x: int) -> int:
    return 3 * x


@kernel
def triple_twice(x: int) -> int:
    return triple(triple(x))


def test_inlined_kernel_works_alone_and_inside_others() -> None:
    assert triple(5) == 15
    assert triple_twice(5) == 45


@kernel
def write(values: np.ndarray, place: int) -> None:
    values[place] = 1


def test_a_kernel_from_outside_looks_at_every_index() -> None:
    several = np.zeros(4)
    write(several[:2], 1)
    for place in (2, -3):
        with pytest.raises(IndexError, match=f"^{OUTSIDE}$"):
            write(several[:2], place)
    assert several.tolist() == [0, 1, 0, 0]
    ours: Any = share
    assert not ours.targetoptions["boundscheck"]
