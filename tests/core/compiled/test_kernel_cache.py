"""Compiled code comes from disk without the compiler, and goes on working when the compiler comes after all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tacit.core.compiled import kernel_cache
from tacit.core.compiled.compiling import kernel
from tacit.core.compiled.fingerprint import fingerprint

KERNELS = """
import numpy as np
from tacit.core.compiled.compiling import (kernel)

@kernel
def spread(n):
    out = np.empty(n)
    for i in range(n):
        out[i] = np.exp(i) + np.log1p(i)
    return out

@kernel
def solved(a, b):
    return np.linalg.solve(a, b)

@kernel
def total(n):
    return spread(n).sum()
"""
SCRIPT = """
import sys
import numpy as np
sys.path.insert(0, sys.argv[1])
import some_kernels as k
x = k.spread(4)
assert np.allclose(x, np.exp(np.arange(4)) + np.log1p(np.arange(4)))
compiler = "numba.np.linalg" in sys.modules
if "bad" in sys.argv:
    try:
        k.spread("x")
    except Exception as error:
        assert "TypingError" in type(error).__name__, error
if "linalg" in sys.argv:
    assert np.allclose(k.solved(2 * np.eye(3), np.ones(3)), 0.5)
if "total" in sys.argv:
    assert np.isclose(k.total(4), x.sum())
print("compiler" if compiler else "disk")
"""


def run(folder: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-B", "-c", SCRIPT, str(folder), *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.skipif(not kernel_cache._LOADS_AT_ONCE, reason="another Numba than those looked into")
def test_what_was_compiled_is_loaded_without_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "some_kernels.py").write_text(KERNELS)
    assert run(tmp_path, "linalg") == "compiler"
    assert run(tmp_path) == "disk"
    assert run(tmp_path, "linalg") == "disk", "code that calls LAPACK finds it"
    assert run(tmp_path, "total") == "disk", "a new kernel is compiled around one that came from disk"
    assert run(tmp_path, "total", "bad") == "disk", "and what cannot be compiled is told as ever"


def test_two_processes_that_compile_at_once_never_find_the_others_code(tmp_path: Path) -> None:
    one, other = (kernel_cache._Files(str(tmp_path), "f", "") for _ in range(2))
    whole, real = ("int64", "cpu", "f", "1"), ("float64", "cpu", "f", "1")
    before = one._load_index()
    one.save(whole, "code for int64")
    other._load_index = lambda: before  # it had looked before the first one was done
    other.save(real, "code for float64")
    assert one.load(real) == "code for float64"
    assert one.load(whole) in (None, "code for int64")
    one.save(whole, "code for int64")
    assert (one.load(whole), one.load(real)) == ("code for int64", "code for float64")


def test_code_of_older_sources_is_deleted(tmp_path: Path) -> None:
    files = kernel_cache._Files(str(tmp_path), "f", "")
    for stamp in "123":
        files.save(("int64", "cpu", "f", stamp), f"code {stamp}")
    assert len(list(tmp_path.glob("*.nbc"))) == 1
    assert files.load(("int64", "cpu", "f", "3")) == "code 3"


def test_a_damaged_index_is_an_empty_one(tmp_path: Path) -> None:
    files = kernel_cache._Files(str(tmp_path), "f", "")
    files.save(("int64", "cpu", "f", "1"), "code")
    index = next(tmp_path.glob("*.nbi"))
    index.write_bytes(index.read_bytes()[:-3])
    assert files.load(("int64", "cpu", "f", "1")) is None
    files.save(("int64", "cpu", "f", "1"), "code")
    assert files.load(("int64", "cpu", "f", "1")) == "code"


SEVERAL = """
from functools import cache
from tacit.core.compiled.compiling import kernel

@cache
def make(factor):
    @kernel
    def times(x):
        return factor * x

    @kernel
    def all_times(xs):
        total = 0.0
        for x in xs:
            total += times(x)
        return total

    return all_times
"""


def test_kernels_of_one_name_from_several_processes_are_not_taken_for_each_other(tmp_path: Path) -> None:
    """Each process numbers its functions from the start: the same symbols, and another machine code."""
    (tmp_path / "several.py").write_text(SEVERAL)
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    env["PYTHONPATH"] = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])

    def told(*factors: int) -> list[float]:
        code = f"import numpy, several; print([several.make(f)(numpy.ones(3)) for f in {factors!r}])"
        done = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
        )
        return json.loads(done.stdout)  # type: ignore[no-any-return]

    assert told(2) == [6.0]
    assert told(5) == [15.0]
    assert told(2, 5) == [6.0, 15.0]
    assert told(5, 2) == [15.0, 6.0]


def test_the_symbols_of_machine_code_name_what_it_was_compiled_from() -> None:
    def made(factor: int):  # type: ignore[no-untyped-def]
        @kernel
        def times(x):  # type: ignore[no-untyped-def]
            return factor * x

        return times

    two, five = made(2), made(5)
    assert (two(1.0), five(1.0)) == (2.0, 5.0)
    names = [next(iter(one.overloads.values())).fndesc.mangled_name for one in (two, five)]
    for one, name in zip((two, five), names, strict=True):
        assert fingerprint(one.py_func) in name
    assert fingerprint(two.py_func) != fingerprint(five.py_func)
